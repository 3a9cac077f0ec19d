import { type Clock, systemClock } from '@flotilla/apiserver';

const HOUR_MS = 3_600_000;

/**
 * The machine's clock for everything that is short, so that connections live as they would, and a
 * clock that leaps for what waits an hour or more: the time of day, and looking at certificates.
 */
export class LeapingClock implements Clock {
  #offset = 0;
  #waiting: { readonly callback: () => void }[] = [];
  /** How long others asked to wait, in milliseconds. */
  readonly asked: number[] = [];

  now = (): Date => new Date(systemClock.now().getTime() + this.#offset);

  after = (ms: number, callback: () => void): (() => void) => {
    this.asked.push(ms);
    if (ms < HOUR_MS) return systemClock.after(ms, callback);
    const entry = { callback };
    this.#waiting.push(entry);
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== entry);
    };
  };

  /** Moves the time of day, forwards or back, and lets an hour pass for whoever waits that long. */
  leap(ms: number): void {
    this.#offset += ms;
    for (const { callback } of this.#waiting.splice(0)) callback();
  }
}
