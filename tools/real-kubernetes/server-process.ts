import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';

/** A server process that is stopped by its id and never outlives this one. */
export interface ServerProcess {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  /** Set once the process has ended. */
  readonly ended: () => string | undefined;
  /** Resident memory in bytes, 0 once it has ended. */
  readonly memory: () => number;
  readonly stop: () => Promise<void>;
}

const GRACE_MS = 10_000;
const running = new Set<ChildProcess>();
let watchingExit = false;

/** Starts a program with its output in a file. */
export function startProcess(options: {
  name: string;
  path: string;
  args: readonly string[];
  logFile: string;
}): ServerProcess {
  killWithThisProcess();
  const log = openSync(options.logFile, 'a');
  const child = spawn(options.path, options.args, { stdio: ['ignore', log, log] });
  closeSync(log);
  running.add(child);
  let end: string | undefined;
  const exited = new Promise<void>((resolve) => {
    const finish = (how: string) => {
      end = how;
      running.delete(child);
      resolve();
    };
    child.once('error', (error) => finish(error.message));
    child.once('exit', (code, signal) => finish(`exit ${signal ?? code}`));
  });
  return {
    name: options.name,
    pid: child.pid ?? 0,
    logFile: options.logFile,
    ended: () => end,
    memory: () => (end === undefined ? residentBytes(child.pid ?? 0) : 0),
    stop: async () => {
      if (end !== undefined) return;
      child.kill('SIGTERM');
      const impatience = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
      await exited;
      clearTimeout(impatience);
    },
  };
}

/** The last lines of a server's log, for an error message. */
export function logTail(logFile: string, lines = 15): string {
  return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
}

function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}

function killWithThisProcess(): void {
  if (watchingExit) return;
  watchingExit = true;
  process.once('exit', () => {
    for (const child of running) child.kill('SIGKILL');
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit(1));
  }
}
