import type { Clock } from '../time/clock.ts';

interface Alarm {
  readonly at: number;
  readonly order: number;
  readonly ring: () => void;
}

/** A clock that stands still until a test moves it. */
export class ManualClock implements Clock {
  /** How far the wall clock is from what has elapsed. */
  #offset: number;
  #elapsed = 0;
  #order = 0;
  readonly #alarms = new Set<Alarm>();

  constructor(start: number | string = '2026-01-01T00:00:00Z') {
    this.#offset = typeof start === 'string' ? Date.parse(start) : start;
  }

  readonly now = (): number => this.#offset + this.#elapsed;

  readonly elapsed = (): number => this.#elapsed;

  /** Sets the wall clock forth or back, as an operator or NTP does; nothing becomes due by it. */
  jump(ms: number): void {
    this.#offset += ms;
  }

  /** How many wait for the time to move. */
  get waiting(): number {
    return this.#alarms.size;
  }

  readonly later = (ms: number, run: () => void): Disposable => {
    const alarm: Alarm = { at: this.#elapsed + Math.max(0, ms), order: this.#order++, ring: run };
    this.#alarms.add(alarm);
    return { [Symbol.dispose]: () => void this.#alarms.delete(alarm) };
  };

  readonly wait = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason as Error);
        return;
      }
      const abort = () => {
        alarm[Symbol.dispose]();
        reject(signal?.reason as Error);
      };
      const alarm = this.later(ms, () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      });
      signal?.addEventListener('abort', abort, { once: true });
    });

  /** Moves time on and rings what is due, in its order; promises settle before the next one rings. */
  async advance(ms: number): Promise<void> {
    const end = this.#elapsed + ms;
    for (;;) {
      await settled();
      const due = [...this.#alarms]
        .filter(({ at }) => at <= end)
        .sort((a, b) => a.at - b.at || a.order - b.order)[0];
      if (due === undefined) break;
      this.#alarms.delete(due);
      this.#elapsed = Math.max(this.#elapsed, due.at);
      due.ring();
    }
    this.#elapsed = end;
    await settled();
  }
}

/** Lets everything run that waits for nothing but its turn. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
