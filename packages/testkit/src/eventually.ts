import { AssertionError } from 'node:assert';
import { inspect } from 'node:util';
import { type Clock, systemClock } from '@flotilla/machinery';

/** How long to look, and what not to mind. */
export interface Patience {
  /** @default 10,000 */
  readonly withinMs?: number;
  /** Between two looks. @default 10 */
  readonly everyMs?: number;
  /** Errors to look past; assertions that fail always are. @default none: an error of a client ends it at once */
  readonly tolerates?: (error: unknown) => boolean;
  readonly clock?: Clock;
}

/**
 * Looks again and again until what it sees holds, and gives it back. What it saw last is in the error when it never
 * does.
 *
 * @example
 * const pod = await eventually(() => pods.get(key));
 * await eventually(() => pods.list(), (all) => all.length === 3);
 */
export async function eventually<T>(
  look: () => T | Promise<T>,
  holds: (seen: T) => boolean = isThere,
  { withinMs = 10_000, everyMs = 10, tolerates = () => false, clock = systemClock }: Patience = {},
): Promise<T> {
  const end = clock.elapsed() + withinMs;
  for (;;) {
    const seen = await seenBy(look, holds, tolerates);
    if (seen.holds) return seen.value as T;
    if (clock.elapsed() >= end) {
      const last = 'error' in seen ? String(seen.error) : inspect(seen.value, { depth: 8 });
      throw new Error(`Cannot wait any longer than ${withinMs} ms: last seen was ${last}`, {
        ...('error' in seen ? { cause: seen.error } : {}),
      });
    }
    await clock.wait(everyMs);
  }
}

interface Seen<T> {
  readonly holds: boolean;
  readonly value?: T;
  readonly error?: unknown;
}

async function seenBy<T>(
  look: () => T | Promise<T>,
  holds: (seen: T) => boolean,
  tolerates: (error: unknown) => boolean,
): Promise<Seen<T>> {
  try {
    const value = await look();
    return { holds: holds(value), value };
  } catch (error) {
    if (error instanceof AssertionError || tolerates(error)) return { holds: false, error };
    throw error;
  }
}

function isThere(seen: unknown): boolean {
  return seen !== undefined && seen !== null && seen !== false;
}
