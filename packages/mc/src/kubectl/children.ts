import { type ChildProcess, spawn } from 'node:child_process';
import type { Clock } from '@flotilla/machinery';
import { UsageError } from '../usage-error.ts';

/** A program that is started. */
export interface ChildCall {
  /** Absolute: nothing is looked up, and no shell is between. */
  readonly path: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** All that it gets to read. @default nothing */
  readonly stdin?: Uint8Array | undefined;
  /** Given what it prints, as it comes; the next piece waits until the promise resolves. */
  readonly onOut: (chunk: Buffer) => Promise<void> | void;
  readonly onErr: (chunk: Buffer) => Promise<void> | void;
  /** Ends it, and everything that it started. */
  readonly signal: AbortSignal;
}

/** Between asking a program to end and ending it: whoever presses Ctrl-C waits so long at most. */
const GRACE_MS = 50;
/** For the last of its output, once it has ended. */
const DRAIN_MS = 1_000;

const hasGroups = process.platform !== 'win32';

/** Programs that run at the same time, none of which outlives its owner: it is disposed of when all have ended. */
export class Children implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #running = new Map<ChildProcess, Promise<void>>();
  // One listener for all of them, since Node counts listeners.
  readonly #killAll = (): void => {
    for (const child of this.#running.keys()) send(child, 'SIGKILL');
  };

  constructor(clock: Clock) {
    this.#clock = clock;
    process.on('exit', this.#killAll);
  }

  /**
   * Runs a program to its exit code, in a group of its own, so that Ctrl-C reaches it through us and what it started
   * ends with it. Throws the signal's reason when it is ended, and UsageError when it cannot be started.
   */
  async run(call: ChildCall): Promise<number> {
    const { signal } = call;
    signal.throwIfAborted();
    const child = spawn(call.path, [...call.args], {
      cwd: call.cwd,
      env: call.env as NodeJS.ProcessEnv,
      stdio: [call.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      detached: hasGroups,
      windowsHide: true,
    });
    const { stdin, stdout, stderr } = child;
    // Who has read enough closes its input; that is its right.
    stdin?.on('error', () => {});
    stdin?.end(call.stdin);
    const stop = (): void => {
      stdout?.destroy();
      stderr?.destroy();
      this.#end(child);
    };
    const exited = exitOf(child, call.path);
    this.#track(child, exited);
    signal.addEventListener('abort', stop, { once: true });
    const copied = [copy(stdout, call.onOut), copy(stderr, call.onErr)];
    try {
      // What nobody takes any more is not printed for nobody.
      const [code] = await Promise.all([
        exited.then((end) => this.#drained(child, end)),
        ...copied,
      ]);
      signal.throwIfAborted();
      return code;
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
      stop();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#running.keys()) this.#end(child);
    await Promise.allSettled(this.#running.values());
    process.off('exit', this.#killAll);
  }

  #track(child: ChildProcess, exited: Promise<number>): void {
    const gone = exited.then(
      () => {},
      () => {},
    );
    this.#running.set(child, gone);
    void gone.then(() => {
      this.#running.delete(child);
      // What it left behind goes with it.
      send(child, 'SIGKILL');
    });
  }

  #end(child: ChildProcess): void {
    if (!this.#running.has(child)) return;
    send(child, 'SIGTERM');
    const force = this.#clock.later(GRACE_MS, () => send(child, 'SIGKILL'));
    child.once('exit', () => force[Symbol.dispose]());
  }

  /** Something that it left behind may hold its output open for as long as it likes. */
  #drained({ stdout, stderr }: ChildProcess, code: number): number {
    this.#clock.later(DRAIN_MS, () => {
      stdout?.destroy();
      stderr?.destroy();
    });
    return code;
  }
}

async function copy(
  stream: NodeJS.ReadableStream | null,
  take: (chunk: Buffer) => Promise<void> | void,
): Promise<void> {
  if (stream === null) return;
  try {
    for await (const chunk of stream) await take(chunk as Buffer);
  } catch (error) {
    // Destroyed by us; whoever did it says why.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

const NEVER_STARTS: ReadonlySet<string | undefined> = new Set([
  'ENOENT',
  'EACCES',
  'ENOEXEC',
  'E2BIG',
]);

async function exitOf(child: ChildProcess, path: string): Promise<number> {
  return await new Promise<number>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      const message = `Cannot run "${path}": ${error.message}`;
      // It would be the same for every cluster.
      reject(NEVER_STARTS.has(error.code) ? new UsageError(message) : new Error(message));
    });
    // Shells count signals from 128.
    child.once('exit', (code, signal) => resolve(code ?? (signal === 'SIGKILL' ? 137 : 143)));
  });
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
