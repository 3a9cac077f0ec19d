/** Random choices that repeat for the same seed. */
export interface Seeded {
  /** From 0 up to, not including, `bound`. */
  readonly below: (bound: number) => number;
  readonly pick: <T>(choices: readonly T[]) => T;
  /** Up to `max` results of `make`. */
  readonly some: <T>(max: number, make: () => T) => T[];
}

/** Starts a sequence of choices (the mulberry32 generator). */
export function seeded(seed: number): Seeded {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  return {
    below,
    pick: <T>(choices: readonly T[]): T => choices[below(choices.length)] as T,
    some: <T>(max: number, make: () => T): T[] =>
      Array.from({ length: below(max + 1) }, () => make()),
  };
}
