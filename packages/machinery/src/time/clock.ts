/** Time as it is handed to whoever waits, so that tests can turn it. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds since some moment, never set back or forth: what intervals are measured with. */
  readonly elapsed: () => number;
  /** Ends after `ms`; throws the signal's reason when it is aborted first. */
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Calls back once after `ms` unless disposed of first; keeps no process alive. */
  readonly later: (ms: number, run: () => void) => Disposable;
}

/** setTimeout holds no more. */
const LONGEST_MS = 2 ** 31 - 1;

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason as Error);
        return;
      }
      const abort = () => {
        clearTimeout(timer);
        reject(signal?.reason as Error);
      };
      const timer = setTimeout(
        () => {
          signal?.removeEventListener('abort', abort);
          resolve();
        },
        Math.min(ms, LONGEST_MS),
      );
      signal?.addEventListener('abort', abort, { once: true });
    }),
  later: (ms, run) => {
    const timer: unknown = setTimeout(run, Math.min(ms, LONGEST_MS));
    // Browsers number their timers and have nothing to unref.
    (timer as { unref?: () => void }).unref?.();
    return { [Symbol.dispose]: () => clearTimeout(timer as number) };
  },
};
