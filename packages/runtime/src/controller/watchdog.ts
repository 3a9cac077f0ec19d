import { setMaxListeners } from 'node:events';
import type { Clock, Enrolled } from '@flotilla/machinery';

/** How long a pass may go on after its time is up, before nobody waits for it any more. */
const GRACE_MS = 10_000;
/**
 * How long when the lease is lost or the process ends: shorter than the five seconds that by default are left of a lease
 * when its holder resigns.
 */
const SHORT_GRACE_MS = 3_000;

/** Sees to it that one pass ends: aborts it when its time is up, and gives it up when it takes no notice. */
export class Watchdog implements Disposable, Enrolled {
  place = -1;
  readonly #clock: Clock;
  #timer: Disposable;
  #aborter: AbortController | undefined;
  #reason: Error | undefined;
  #giveUp: (() => void) | undefined;
  #isGivenUp = false;

  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.#timer = clock.later(timeoutMs, () => {
      const message = `Cannot finish the pass: it takes longer than ${timeoutMs / 1000} s`;
      this.cut(new Error(message), GRACE_MS);
    });
  }

  /** Made when somebody asks: most passes never do, and a signal costs more than all the rest. */
  get signal(): AbortSignal {
    if (this.#aborter === undefined) {
      this.#aborter = new AbortController();
      // A body may well wait for a dozen things at once.
      setMaxListeners(0, this.#aborter.signal);
      if (this.#reason !== undefined) this.#aborter.abort(this.#reason);
    }
    return this.#aborter.signal;
  }

  /** Resolves when the pass was told to end and did not. */
  get givenUp(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isGivenUp) resolve();
      else this.#giveUp = resolve;
    });
  }

  /** Tells the pass to end. */
  cut(reason: Error, graceMs = SHORT_GRACE_MS): void {
    this.#reason ??= reason;
    this.#timer[Symbol.dispose]();
    this.#timer = this.#clock.later(graceMs, () => {
      this.#isGivenUp = true;
      this.#giveUp?.();
    });
    this.#aborter?.abort(reason);
  }

  [Symbol.dispose](): void {
    this.#timer[Symbol.dispose]();
  }
}
