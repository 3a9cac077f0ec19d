import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Io } from '../../io.ts';
import { UsageError } from '../../usage-error.ts';
import type { Change } from './ask-changes.ts';

/** What a program of the user's own made of two folders: 0 is no difference, 1 some. */
export type ExternalDiff = (changes: readonly Change[]) => Promise<number>;

/** kubectl passes on no other arguments. */
const PLAIN_ARGUMENT = /^[a-zA-Z0-9=-]+$/;

/** The program that KUBECTL_EXTERNAL_DIFF names; undefined when it names none. */
export function externalDiff(io: Pick<Io, 'env' | 'cwd' | 'out' | 'err' | 'signal'>) {
  const text = io.env['KUBECTL_EXTERNAL_DIFF'] ?? '';
  if (text === '') return undefined;
  const [program = '', ...rest] = text.split(' ');
  const args = rest.filter((arg) => PLAIN_ARGUMENT.test(arg));
  const run: ExternalDiff = async (changes) => {
    const folder = await mkdtemp(join(tmpdir(), 'kubectl-mc-diff-'));
    try {
      const [from, to] = [join(folder, 'LIVE'), join(folder, 'MERGED')];
      await mkdir(from, { mode: 0o700 });
      await mkdir(to, { mode: 0o700 });
      for (const { file, texts } of changes) {
        const name = file.replace(/[/\\\0]/g, '_');
        await writeFile(join(from, name), texts?.from ?? '', { mode: 0o600 });
        await writeFile(join(to, name), texts?.to ?? '', { mode: 0o600 });
      }
      return await exitCode(program, [from, to, ...args], io);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
  return run;
}

async function exitCode(
  program: string,
  args: readonly string[],
  { env, cwd, out, err, signal }: Pick<Io, 'env' | 'cwd' | 'out' | 'err' | 'signal'>,
): Promise<number> {
  const child = spawn(program, args, {
    cwd,
    env: env as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      const cause = error.code === 'ENOENT' ? 'executable file not found in $PATH' : error.message;
      reject(signal.aborted ? error : new UsageError(`failed to run "${program}": ${cause}`));
    });
    child.once('close', (code, killedBy) => {
      if (code === 0 || code === 1) resolve(code);
      else {
        const how = killedBy === null ? `exit status ${code}` : `signal: ${killedBy}`;
        reject(new UsageError(`failed to run "${program}": ${how}`));
      }
    });
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => err(text));
  const copied = (async () => {
    for await (const text of child.stdout.setEncoding('utf8')) await out(text as string);
  })();
  const [code] = await Promise.all([ended, copied]);
  return code;
}
