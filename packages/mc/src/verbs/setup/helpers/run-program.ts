import { type ChildProcess, spawn } from 'node:child_process';
import type { Clock } from '@flotilla/machinery';

/** One run of a program. */
export interface ProgramRun {
  /** Absolute: nothing is looked up, and no shell is between. */
  readonly path: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** How it ended. */
export interface ProgramEnd {
  /** Undefined when it did not end by itself. */
  readonly code: number | undefined;
  readonly timedOut: boolean;
  readonly stdout: string;
  /** What it said last. */
  readonly stderr: string;
}

/** A kubeconfig is a few KB; what prints more is not what we asked for. */
const MAX_STDOUT = 4 << 20;
const MAX_STDERR = 64 << 10;
/** Between asking a program to end and ending it. */
const GRACE_MS = 2_000;
/** For the last of its output, once it has ended. */
const DRAIN_MS = 1_000;

/**
 * Runs a program without a shell, with nothing to read, and with everything it starts in a group that ends with it. When
 * time is up it is ended; when the run is interrupted, its reason is thrown. Throws when it cannot be started.
 */
export async function runProgram(run: ProgramRun): Promise<ProgramEnd> {
  const { signal, clock, timeoutMs } = run;
  signal.throwIfAborted();
  const child = spawn(run.path, [...run.args], {
    env: run.env as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C must reach it through us, so that its own children end, too.
    detached: hasGroups,
    windowsHide: true,
  });
  const stdout = gather(child.stdout, MAX_STDOUT);
  const stderr = gather(child.stderr, MAX_STDERR);
  const kill = killer(child, clock);
  const endWithUs = (): void => send(child, 'SIGKILL');
  process.once('exit', endWithUs);
  let timedOut = false;
  using _timer = clock.later(timeoutMs, () => {
    timedOut = true;
    kill();
  });
  signal.addEventListener('abort', kill, { once: true });
  try {
    const code = await new Promise<number | undefined>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (exitCode) => resolve(exitCode ?? undefined));
      // Something that it left behind may hold its output open for as long as it likes.
      child.once('exit', (exitCode) => clock.later(DRAIN_MS, () => resolve(exitCode ?? undefined)));
    });
    signal.throwIfAborted();
    return { code: timedOut ? undefined : code, timedOut, stdout: stdout(), stderr: stderr() };
  } finally {
    process.off('exit', endWithUs);
    // What it left behind goes with it.
    send(child, 'SIGKILL');
    signal.removeEventListener('abort', kill);
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

const hasGroups = process.platform !== 'win32';

function gather(stream: NodeJS.ReadableStream, most: number): () => string {
  let kept = Buffer.alloc(0);
  stream.on('error', () => {});
  stream.on('data', (chunk: Buffer) => {
    kept = Buffer.concat([kept, chunk]);
    if (kept.length > most) kept = kept.subarray(kept.length - most);
  });
  return () => kept.toString('utf8');
}

function killer(child: ChildProcess, clock: Clock): () => void {
  return () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    send(child, 'SIGTERM');
    const force = clock.later(GRACE_MS, () => send(child, 'SIGKILL'));
    child.once('exit', () => force[Symbol.dispose]());
  };
}

function send(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (hasGroups) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
