/** Starts something that many may wait for. */
export type SharedRun<T> = (signal?: AbortSignal) => Promise<T>;

/**
 * Lets concurrent callers share one run. A caller that aborts stops waiting, and only when nobody waits any more is the
 * run itself aborted.
 */
export function singleFlight<T>(run: (signal: AbortSignal) => Promise<T>): SharedRun<T> {
  let flight: Flight<T> | undefined;
  return (signal) => {
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
    if (flight === undefined) {
      const abort = new AbortController();
      const started: Flight<T> = { abort, waiting: 0, result: run(abort.signal) };
      flight = started;
      const end = () => {
        if (flight === started) flight = undefined;
      };
      started.result.then(end, end);
    }
    const joined = flight;
    return wait(joined, signal, () => {
      // What nobody waits for is on its way out: the next caller starts afresh.
      if (flight === joined) flight = undefined;
    });
  };
}

interface Flight<T> {
  readonly abort: AbortController;
  readonly result: Promise<T>;
  waiting: number;
}

function wait<T>(
  flight: Flight<T>,
  signal: AbortSignal | undefined,
  abandoned: () => void,
): Promise<T> {
  flight.waiting++;
  return new Promise((resolve, reject) => {
    const leave = () => {
      flight.waiting--;
      signal?.removeEventListener('abort', onAbort);
    };
    const onAbort = () => {
      leave();
      if (flight.waiting === 0) {
        abandoned();
        flight.abort.abort(signal?.reason);
      }
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    flight.result.then(
      (value) => {
        leave();
        resolve(value);
      },
      (error: unknown) => {
        leave();
        reject(error as Error);
      },
    );
  });
}
