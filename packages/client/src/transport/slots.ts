import type { Deadline } from './deadline.ts';

interface Waiter {
  readonly go: () => void;
  isGone: boolean;
}

/** A bound on how much happens at once: first come, first served, and who gives up leaves the queue. */
export class Slots {
  #free: number;
  #waiting: Waiter[] = [];
  #gone = 0;

  constructor(count: number) {
    this.#free = count;
  }

  /** True when a slot was free and is now taken. */
  tryTake(): boolean {
    if (this.#free === 0) return false;
    this.#free -= 1;
    return true;
  }

  /** Ends when it is the caller's turn. */
  take(deadline: Deadline): Promise<void> {
    return new Promise((resolve, reject) => {
      if (deadline.ending !== undefined) {
        reject(deadline.error(deadline.ending, true));
        return;
      }
      if (this.tryTake()) {
        resolve();
        return;
      }
      const waiter: Waiter = {
        isGone: false,
        go: () => {
          deadline.leave();
          resolve();
        },
      };
      deadline.enter((ending) => {
        waiter.isGone = true;
        this.#gone += 1;
        // Now and then rather than each time: thousands may give up at once.
        if (this.#gone * 2 > this.#waiting.length) this.#forgetGone();
        const text = `${ending.text}; it was still waiting for its turn`;
        reject(deadline.error({ ...ending, text }, true));
      });
      this.#waiting.push(waiter);
    });
  }

  /** Gives back what was taken. */
  give(): void {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      if (next.isGone) this.#gone -= 1;
      else {
        next.go();
        return;
      }
    }
    this.#free += 1;
  }

  #forgetGone(): void {
    this.#waiting = this.#waiting.filter(({ isGone }) => !isGone);
    this.#gone = 0;
  }
}
