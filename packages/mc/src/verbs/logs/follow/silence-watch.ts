import type { Clock } from '@flotilla/machinery';

/**
 * A connection that is silent for so long may be dead without anybody having said so: networks forget connections. Asking
 * again costs little and misses nothing.
 */
const LONGEST_SILENCE_MS = 120_000;

/** Ends a request whose server says nothing for two minutes; time in which nobody listens does not count. */
export class SilenceWatch implements Disposable {
  readonly #clock: Clock;
  readonly #outer: AbortSignal;
  readonly #ending = new AbortController();
  readonly #abort = () => this.#ending.abort(this.#outer.reason);
  /** Whether it was silence that ended the request. */
  isSilent = false;

  constructor(clock: Clock, signal: AbortSignal) {
    this.#clock = clock;
    this.#outer = signal;
    if (signal.aborted) this.#abort();
    signal.addEventListener('abort', this.#abort, { once: true });
  }

  /** Of the request. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Waits for the server. */
  async during<T>(waiting: Promise<T>): Promise<T> {
    using _timer = this.#clock.later(LONGEST_SILENCE_MS, () => {
      this.isSilent = true;
      this.#ending.abort(new Error('the server has been silent for two minutes'));
    });
    return await waiting;
  }

  [Symbol.dispose](): void {
    this.#outer.removeEventListener('abort', this.#abort);
  }
}
