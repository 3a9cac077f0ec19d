import { type ChildProcess, spawn } from 'node:child_process';
import type { Clock } from '@flotilla/machinery';
import { CredentialError } from '../credential-error.ts';
import { errorCode, fileErrorText } from '../file-error.ts';

/** Credentials are a few KB; what prints more is no plugin. */
const MAX_STDOUT = 1024 * 1024;
/** What is handed on of what a plugin says to people. */
const MAX_STDERR = 64 * 1024;
/** Between asking a plugin to end and ending it. */
const GRACE_MS = 2000;

/** One run of a plugin. */
export interface PluginRun {
  /** As configured, for messages. */
  readonly command: string;
  readonly path: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly isInteractive: boolean;
  /** 0 means none. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly stderr: ((chunk: Buffer) => void) | undefined;
}

/**
 * Runs a plugin without a shell and returns what it printed. It ends with everything it started when it takes too long,
 * prints too much or nobody waits for it any more. Errors tell how it ended and nothing of what it said.
 */
export function runPlugin(run: PluginRun, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawnPlugin(run);
    const kill = killer(child, run);
    // A process group of its own also means that no Ctrl-C reaches it: without us it would go on for ever.
    if (hasOwnGroup(run)) endWithProcess(child, run);
    const stdout: Buffer[] = [];
    let printed = 0;
    let said = 0;
    let isOver = false;

    const finish = (outcome: Buffer | Error) => {
      if (isOver) return;
      isOver = true;
      timer?.[Symbol.dispose]();
      signal.removeEventListener('abort', onAbort);
      if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
    };
    const giveUp = (error: Error) => {
      finish(error);
      kill();
    };
    const onAbort = () => giveUp(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    const timer =
      run.timeoutMs === 0
        ? undefined
        : run.clock.later(run.timeoutMs, () =>
            giveUp(
              new CredentialError(
                `exec: executable ${run.command} did not finish within ${run.timeoutMs / 1000} s`,
              ),
            ),
          );

    child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.length;
      if (printed <= MAX_STDOUT) stdout.push(chunk);
      else {
        giveUp(
          new CredentialError(
            `exec: executable ${run.command} printed more than ${MAX_STDOUT} bytes`,
          ),
        );
      }
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      if (said < MAX_STDERR && !isOver) run.stderr?.(chunk.subarray(0, MAX_STDERR - said));
      said += chunk.length;
    });
    child.once('error', (error) => finish(startError(run, error)));
    child.once('close', (code, killedBy) => {
      if (code === 0) finish(Buffer.concat(stdout));
      // Go calls the exit code of a killed process -1.
      else finish(exitError(run.command, killedBy === null ? (code ?? -1) : -1));
    });
    if (signal.aborted) onAbort();
  });
}

function spawnPlugin(run: PluginRun): ChildProcess {
  return spawn(run.path, [...run.args], {
    env: run.env,
    stdio: [run.isInteractive ? 'inherit' : 'ignore', 'pipe', 'pipe'],
    // A process group of its own, so that what it started ends with it; one that talks to a person keeps the terminal.
    detached: hasOwnGroup(run),
    windowsHide: true,
  });
}

function hasOwnGroup({ isInteractive }: PluginRun): boolean {
  return !isInteractive && process.platform !== 'win32';
}

/** Ends a plugin: first politely, then for good, and lets go of its output either way. */
function killer(child: ChildProcess, run: PluginRun): () => void {
  return () => {
    child.stdout?.destroy();
    child.stderr?.destroy();
    child.unref();
    send('SIGTERM', child, run);
    // One that does not listen must not outlive us, whose end may be near.
    if (!hasOwnGroup(run)) endWithProcess(child, run);
    const force = run.clock.later(GRACE_MS, () => send('SIGKILL', child, run));
    child.once('exit', () => {
      force[Symbol.dispose]();
      // The rest of its group, where it left one behind.
      if (hasOwnGroup(run)) send('SIGKILL', child, run);
    });
  };
}

function send(signal: NodeJS.Signals, child: ChildProcess, run: PluginRun): void {
  if (child.pid === undefined) return;
  try {
    if (hasOwnGroup(run)) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

/** What to end when this process ends; one listener for all, since Node counts them. */
const running = new Set<() => void>();

function endWithProcess(child: ChildProcess, run: PluginRun): void {
  const end = () => send('SIGKILL', child, run);
  if (running.size === 0) process.on('exit', endRunning);
  running.add(end);
  const forget = () => {
    running.delete(end);
    if (running.size === 0) process.off('exit', endRunning);
  };
  child.once('exit', forget);
  child.once('error', forget);
}

function endRunning(): void {
  for (const end of running) end();
}

/** Without the cause, which lists the arguments: they may hold secrets. */
function startError(run: PluginRun, error: Error): CredentialError {
  return new CredentialError(`exec: ${fileErrorText(run.path, error, 'fork/exec')}`);
}

function exitError(command: string, code: number): CredentialError {
  return new CredentialError(`exec: executable ${command} failed with exit code ${code}`);
}
