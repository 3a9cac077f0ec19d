/** Random choices that repeat for the same seed, for tests that try many inputs. */
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
  const pick = <T>(choices: readonly T[]): T => choices[below(choices.length)] as T;
  const some = <T>(max: number, make: () => T): T[] =>
    Array.from({ length: below(max + 1) }, () => make());
  return { below, pick, some };
}

/** Any JSON value, nested up to `depth`. */
export function anyJson(random: Seeded, depth = 3): unknown {
  const kind = depth === 0 ? random.below(2) : random.below(4);
  if (kind < 2) {
    return random.pick<unknown>([
      0,
      1,
      -7,
      1.5,
      2n ** 60n,
      '',
      'x',
      'é<&>',
      '__proto__',
      true,
      false,
      null,
    ]);
  }
  if (kind === 2) return random.some(3, () => anyJson(random, depth - 1));
  const keys = random.some(4, () => random.pick(['a', 'b', 'c/d', 'e~f', 'constructor', 'é']));
  return Object.fromEntries(keys.map((key) => [key, anyJson(random, depth - 1)]));
}
