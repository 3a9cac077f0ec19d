/** Time as the server sees it; tests bring their own. */
export interface Clock {
  now: () => Date;
  /** Calls back once after `ms`; the returned function cancels. A waiting callback never keeps the process alive. */
  after: (ms: number, callback: () => void) => () => void;
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => new Date(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
