import type { Clock } from '@flotilla/machinery';

/** client-go's numbers for its reflectors. */
const FIRST_MS = 800;
const LONGEST_MS = 30_000;
const RESET_AFTER_MS = 120_000;
/** Servers may ask for more than we wait of our own accord, but not for so much that a cache is of no use. */
const LONGEST_ASKED_MS = 300_000;

/** Waits longer after each failure, and begins anew after a while without any. */
export interface Backoff {
  /** At least `leastMs`, which is what a server may ask for, up to five minutes. */
  readonly wait: (signal: AbortSignal, leastMs?: number) => Promise<void>;
}

/** From 800 ms, twice as long each time, up to 30 s; each up to doubled by chance, so that clients do not come in step. */
export function createBackoff(clock: Clock, random: () => number): Backoff {
  let nextMs = FIRST_MS;
  let lastAt = Number.NEGATIVE_INFINITY;
  return {
    wait: (signal, leastMs = 0) => {
      const now = clock.elapsed();
      if (now - lastAt > RESET_AFTER_MS) nextMs = FIRST_MS;
      const ms = Math.max(nextMs * (1 + random()), Math.min(leastMs, LONGEST_ASKED_MS));
      nextMs = Math.min(nextMs * 2, LONGEST_MS);
      // Waiting is no time without failures.
      lastAt = now + ms;
      return clock.wait(ms, signal);
    },
  };
}
