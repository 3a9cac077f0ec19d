import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A directory that goes away. */
export function temporaryDirectory(): { dir: string } & Disposable {
  const root = mkdtempSync(join(tmpdir(), 'flotilla-lmdb-'));
  const remove = () => rmSync(root, { recursive: true, force: true });
  return { dir: join(root, 'store'), [Symbol.dispose]: remove };
}

/** Changes the text in a data file, wherever it stands; answers how often it did. */
export function damage(dir: string, text: string): number {
  const file = join(dir, 'data.mdb');
  const bytes = readFileSync(file);
  let found = 0;
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) {
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    found++;
  }
  writeFileSync(file, bytes);
  return found;
}

/** A child process that reports in lines. */
export interface Child extends AsyncDisposable {
  readonly pid: number;
  /** The next line it prints; undefined when it has ended. */
  line(): Promise<string | undefined>;
  kill(): Promise<void>;
}

/** Starts a program whose standard output is read line by line. */
export function startChild(
  command: readonly [string, ...string[]],
  options: { uid?: number; env?: NodeJS.ProcessEnv } = {},
): Child {
  const [program, ...args] = command;
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'], ...options });
  const closed = once(child, 'close');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const kill = async () => {
    child.kill('SIGKILL');
    await closed;
  };
  return {
    pid: child.pid ?? 0,
    async line() {
      const { value, done } = await lines.next();
      return done ? undefined : value;
    },
    kill,
    [Symbol.asyncDispose]: kill,
  };
}
