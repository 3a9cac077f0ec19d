import type { Clock } from '../clock.ts';

interface Waiting {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock for tests: it stands still until it is moved, and then fires what has become due, in order. */
export class ManualClock implements Clock {
  #now: number;
  #waiting: Waiting[] = [];
  /** What `after` measures; setting the time of day does not move it, as with real timers. */
  #elapsed = 0;

  constructor(start: string) {
    this.#now = Date.parse(start);
  }

  now = (): Date => new Date(this.#now);

  after = (ms: number, callback: () => void): (() => void) => {
    const entry = { at: this.#elapsed + ms, callback };
    this.#waiting.push(entry);
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== entry);
    };
  };

  /** Lets time pass. */
  advance(ms: number): void {
    const end = this.#elapsed + ms;
    for (;;) {
      const [next] = this.#waiting.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#waiting = this.#waiting.filter((other) => other !== next);
      this.#now += next.at - this.#elapsed;
      this.#elapsed = next.at;
      next.callback();
    }
    this.#now += end - this.#elapsed;
    this.#elapsed = end;
  }

  /** Someone sets the clock. */
  set(to: string | Date): void {
    this.#now = new Date(to).getTime();
  }

  /** Timers that have not fired. */
  get pending(): number {
    return this.#waiting.length;
  }
}
