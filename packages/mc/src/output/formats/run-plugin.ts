import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Io } from '../../io.ts';
import { UsageError } from '../../usage-error.ts';

/** A command of the user's own that gets the JSON envelope. */
export interface OutputPlugin {
  /** Hands on a piece of the envelope; resolves when more can be taken, also when the command reads no more. */
  readonly write: (text: string) => Promise<void>;
  /** Ends its input, and gives its exit code once all it printed is printed. */
  readonly end: () => Promise<number>;
}

/** The command of `-o plugin=NAME`. */
export function pluginCommand(name: string): string {
  return `kubectl-mc-output-${name}`;
}

/** Starts `kubectl-mc-output-NAME`, which is looked for on PATH and nowhere else. */
export async function startPlugin(name: string, io: Io): Promise<OutputPlugin> {
  const command = pluginCommand(name);
  const path = await findOnPath(command, io.env['PATH'] ?? '');
  if (path === undefined) {
    throw new UsageError(
      `Cannot run output plugin "${name}": there is no command "${command}" on PATH`,
    );
  }
  const child = spawn(path, [], {
    cwd: io.cwd,
    env: io.env as NodeJS.ProcessEnv,
    stdio: ['pipe', 'pipe', 'pipe'],
    signal: io.signal,
    windowsHide: true,
  });
  let failure: Error | undefined;
  let printing = Promise.resolve();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    child.stdout.pause();
    printing = printing.then(() => io.out(text)).finally(() => child.stdout.resume());
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => io.err(text));
  // A command that has read enough closes its input; that is its right.
  child.stdin.on('error', () => {});
  const closed = new Promise<number>((resolve) => {
    child.once('error', (error) => {
      failure = error;
    });
    child.once('close', (code) => resolve(code ?? 1));
  });
  return {
    write: (text) => {
      if (!child.stdin.writable || child.stdin.write(text)) return Promise.resolve();
      return new Promise((resolve) => {
        child.stdin.once('drain', resolve).once('close', resolve);
        void closed.then(() => resolve());
      });
    },
    end: async () => {
      child.stdin.end();
      const code = await closed;
      await printing;
      if (failure !== undefined && !io.signal.aborted) {
        throw new UsageError(`Cannot run output plugin "${name}": ${failure.message}`);
      }
      return code;
    },
  };
}

/** Relative entries of PATH are left out: the current folder is anybody's. */
async function findOnPath(command: string, path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const candidate = join(folder, command);
    try {
      await access(candidate, constants.X_OK);
      return candidate;
    } catch {
      // The next folder may have it.
    }
  }
  return undefined;
}
