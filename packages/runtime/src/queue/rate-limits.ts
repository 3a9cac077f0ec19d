import type { Clock } from '@flotilla/machinery';

/** How fast failures are repeated. The defaults are those of client-go and controller-runtime. */
export interface RateLimits {
  /** Delay after a key's first failure; each further one doubles it. @default 5 */
  readonly firstMs?: number;
  /** @default 1,000,000 */
  readonly longestMs?: number;
  /** Repeats per second of all keys together. @default 10 */
  readonly overallPerSecond?: number;
  /** Repeats that all keys together may do at once. @default 100 */
  readonly overallBurst?: number;
}

/** Says when to repeat what failed: later each time for one key, and not too often for all of them. */
export class RateLimiter {
  readonly #failures = new Map<string, number>();
  readonly #bucket: TokenBucket;
  readonly #firstMs: number;
  readonly #longestMs: number;

  constructor(clock: Pick<Clock, 'elapsed'>, limits: RateLimits = {}) {
    this.#firstMs = limits.firstMs ?? 5;
    this.#longestMs = limits.longestMs ?? 1_000_000;
    this.#bucket = new TokenBucket(clock, {
      perSecond: limits.overallPerSecond ?? 10,
      burst: limits.overallBurst ?? 100,
    });
  }

  /**
   * The delay of a key that failed: no less than a server asked for, but never more than the longest of ours for its
   * sake, or a server could put an object away for ever.
   */
  failed(key: string, askedMs = 0): number {
    return Math.max(this.again(key), this.#bucket.reserve(), Math.min(askedMs, this.#longestMs));
  }

  /** The delay of a key that has to be repeated through nobody's fault: the same, without a share in the whole. */
  again(key: string): number {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    return Math.min(this.#firstMs * 2 ** failures, this.#longestMs);
  }

  failures(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }
}

/** Lets a burst through at once and the rest at a steady rate. */
export class TokenBucket {
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #perSecond: number;
  readonly #burst: number;
  #tokens: number;
  #at: number;

  constructor(clock: Pick<Clock, 'elapsed'>, rate: { perSecond: number; burst: number }) {
    this.#clock = clock;
    this.#perSecond = rate.perSecond;
    this.#burst = rate.burst;
    this.#tokens = rate.burst;
    this.#at = clock.elapsed();
  }

  /** Takes a token, if need be one of the future, and says how long it is until then. */
  reserve(): number {
    this.#refill();
    this.#tokens--;
    return this.#tokens >= 0 ? 0 : (-this.#tokens / this.#perSecond) * 1000;
  }

  /** Takes a token if there is one now. */
  tryTake(): boolean {
    this.#refill();
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }

  #refill(): void {
    const now = this.#clock.elapsed();
    const gained = ((now - this.#at) / 1000) * this.#perSecond;
    this.#tokens = Math.min(this.#burst, this.#tokens + gained);
    this.#at = now;
  }
}
