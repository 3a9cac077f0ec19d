import type { Clock } from '@flotilla/machinery';

const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;
/** Servers may ask for more than we wait of our own accord, but not for so much that nobody would wait for it. */
const LONGEST_ASKED_MS = 300_000;

/** Waits between attempts, longer each time. */
export interface Backoff {
  /** At least `leastMs`, which is what a server may ask for. Throws the signal's reason when it is aborted. */
  readonly wait: (signal: AbortSignal, leastMs?: number) => Promise<void>;
  /** Begins anew, after something went well. */
  readonly reset: () => void;
}

/** From one second to thirty, twice as long each time, a quarter more or less by chance so that clusters do not come in step. */
export function createBackoff({ clock, random }: { clock: Clock; random: () => number }): Backoff {
  let nextMs = FIRST_MS;
  return {
    wait: (signal, leastMs = 0) => {
      const ms = Math.max(nextMs * (0.75 + random() / 2), Math.min(leastMs, LONGEST_ASKED_MS));
      nextMs = Math.min(nextMs * 2, LONGEST_MS);
      return clock.wait(ms, signal);
    },
    reset: () => {
      nextMs = FIRST_MS;
    },
  };
}
