import type { Clock, Enrolled } from '@flotilla/machinery';
import { TransportError, type TransportFault } from '../transport-error.ts';
import type { AbortListener, AbortListeners } from './abort-listeners.ts';

/** Why a request ends before its answer. */
export interface Ending {
  readonly fault: TransportFault;
  readonly text: string;
  readonly cause?: unknown;
}

/** What a deadline is made of. */
export interface DeadlineOptions {
  readonly clock: Clock;
  /** `GET "https://…/api"`, for the text. */
  readonly what: string;
  /** 0 waits for ever. */
  readonly totalMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly listeners: AbortListeners;
}

/**
 * The end of one request that comes from outside: the caller's signal, the total timeout, the
 * transport's own end. A request is in one stage at a time (queue, credential, dial, exchange), so
 * there is one listener, which costs less than a signal per stage.
 */
export class Deadline implements Disposable, Enrolled {
  place = -1;
  ending: Ending | undefined;
  #onEnd: ((ending: Ending) => void) | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #listeners: AbortListeners;
  readonly #endsAt: number;
  readonly #clock: Clock;
  readonly #what: string;
  #listener: AbortListener | undefined;
  #timer: Disposable | undefined;
  #controller: AbortController | undefined;

  constructor({ clock, what, totalMs, signal, listeners }: DeadlineOptions) {
    this.#listeners = listeners;
    this.#clock = clock;
    this.#what = what;
    this.#signal = signal;
    this.#endsAt = totalMs > 0 ? clock.now() + totalMs : Number.POSITIVE_INFINITY;
    if (signal?.aborted === true) {
      this.#abort();
      return;
    }
    if (signal !== undefined) this.#listener = listeners.add(signal, () => this.#abort());
    if (totalMs > 0) {
      this.#timer = clock.later(totalMs, () =>
        this.end({ fault: 'timeout', text: `no answer within ${seconds(totalMs)}` }),
      );
    }
  }

  /** Milliseconds that are left. */
  get remainingMs(): number {
    return this.#endsAt - this.#clock.now();
  }

  /** The same end as a signal, for those who need one. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.ending !== undefined) this.#controller.abort(this.error(this.ending, true));
    return this.#controller.signal;
  }

  /**
   * A stage begins, and hears of the end once. It is a method for the collector's sake: V8 puts a function that is
   * written straight into a property among the old objects, where it keeps everything of its request alive until the next
   * full collection.
   */
  enter(onEnd: (ending: Ending) => void): void {
    this.#onEnd = onEnd;
  }

  /** The stage is over. */
  leave(): void {
    this.#onEnd = undefined;
  }

  /** Time no longer counts: the headers of a stream are there. */
  dropTimer(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
  }

  /** Ends the request now. */
  end(ending: Ending): void {
    if (this.ending !== undefined) return;
    this.ending = ending;
    this[Symbol.dispose]();
    const onEnd = this.#onEnd;
    this.#onEnd = undefined;
    this.#controller?.abort(this.error(ending, true));
    onEnd?.(ending);
  }

  /** What the caller is told. */
  error(ending: Ending, wasNotSent: boolean): TransportError {
    return new TransportError(ending.fault, `Cannot ${this.#what}: ${ending.text}`, {
      cause: ending.cause,
      wasNotSent,
    });
  }

  /** Whichever comes first: the promise or the end. */
  race<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.ending !== undefined) {
        promise.catch(() => undefined);
        reject(this.error(this.ending, true));
        return;
      }
      this.enter((ending) => reject(this.error(ending, true)));
      promise.then(
        (value) => {
          this.leave();
          resolve(value);
        },
        (error: unknown) => {
          this.leave();
          reject(error as Error);
        },
      );
    });
  }

  [Symbol.dispose](): void {
    this.dropTimer();
    if (this.#listener !== undefined) this.#listeners.remove(this.#listener);
  }

  #abort(): void {
    this.end({ fault: 'aborted', text: 'the caller gave up', cause: this.#signal?.reason });
  }
}

/** `1.5 s`, for texts. */
export function seconds(ms: number): string {
  return `${ms / 1000} s`;
}
