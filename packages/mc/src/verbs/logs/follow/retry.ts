import { type Clock, suggestedDelayMs } from '@flotilla/machinery';

const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

/** What waiting needs, and who hears of it. */
export interface RetryDeps {
  readonly clock: Clock;
  readonly random: () => number;
  readonly lost: (error: unknown) => void;
  readonly back: () => void;
}

/** Waits longer after each failure: one second, twice as long each time, up to 30 s, give or take a half. */
export class Retry {
  readonly #deps: RetryDeps;
  #nextMs = FIRST_MS;

  constructor(deps: RetryDeps) {
    this.#deps = deps;
  }

  /** The server answered; `isUseful` when that was worth it, so that the next wait is a short one. */
  worked(isUseful: boolean): void {
    this.#deps.back();
    if (isUseful) this.#nextMs = FIRST_MS;
  }

  /** Tells of a failure, and waits. */
  async failed(error: unknown, signal: AbortSignal): Promise<void> {
    this.#deps.lost(error);
    await this.pause(signal, suggestedDelayMs(error));
  }

  async pause(signal: AbortSignal, leastMs = 0): Promise<void> {
    const ms = Math.max(this.#nextMs * (0.5 + this.#deps.random()), leastMs);
    this.#nextMs = Math.min(2 * this.#nextMs, LONGEST_MS);
    await this.#deps.clock.wait(ms, signal);
  }
}
