import type { Clock } from '../clock.ts';

const TICK_MS = 1000;

/** Something that must be over in time. */
export interface Expiring {
  /** The tick by which it must be over; `Deadlines` sets it. */
  expiresAt: number;
  expire(): void;
}

/**
 * Deadlines to the second for many short-lived things.
 *
 * A timer per request costs more than everything else the transport does for a small answer, so one
 * timer looks at all of them, and only while there are any.
 */
export class Deadlines {
  readonly #clock: Clock;
  readonly #waiting = new Set<Expiring>();
  #tick = 0;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(item: Expiring, afterMs: number): void {
    item.expiresAt = this.#tick + Math.ceil(afterMs / TICK_MS) + 1;
    this.#waiting.add(item);
    if (this.#cancel === undefined) this.#arm();
  }

  delete(item: Expiring): void {
    this.#waiting.delete(item);
  }

  #arm(): void {
    this.#cancel = this.#clock.after(TICK_MS, () => {
      this.#cancel = undefined;
      this.#tick += 1;
      for (const item of this.#waiting) {
        if (item.expiresAt > this.#tick) continue;
        this.#waiting.delete(item);
        item.expire();
      }
      if (this.#waiting.size > 0) this.#arm();
    });
  }
}
