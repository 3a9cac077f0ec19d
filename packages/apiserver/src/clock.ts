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
    let timer: NodeJS.Timeout;
    const wait = (left: number): void => {
      const step = Math.min(left, LONGEST_TIMER_MS);
      timer = setTimeout(() => (left > step ? wait(left - step) : callback()), step).unref();
    };
    // Node's timers may fire a millisecond early, and clients complain of watches that end before their time.
    wait(ms + 1);
    return () => clearTimeout(timer);
  },
};

/** Asked for more than this (25 days), Node's timers fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
