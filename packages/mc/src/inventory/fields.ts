import { getOwn, isJsonObject } from '@flotilla/machinery';

/** A member of what may be an object. */
export function fieldOf(value: unknown, name: string): unknown {
  return isJsonObject(value) ? getOwn(value, name) : undefined;
}

/** A text that is not empty and not too long; undefined for anything else. */
export function shortText(value: unknown, longest: number): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= longest ? value : undefined;
}

/** How much of a map is taken. */
export interface PairLimits {
  readonly count: number;
  readonly name: number;
  readonly value: number;
}

/** The texts of a map, or of a list of pairs, within limits; whatever else is in it is left out. */
export function pairsOf(value: unknown, limits: PairLimits): Record<string, string> {
  const entries = Array.isArray(value)
    ? (value as readonly [string, unknown][])
    : isJsonObject(value)
      ? Object.entries(value)
      : [];
  // Object.fromEntries, unlike an assignment, takes `__proto__` for a name like any other.
  return Object.fromEntries(
    entries
      .slice(0, limits.count)
      .filter(
        (pair): pair is [string, string] =>
          pair[0] !== '' &&
          pair[0].length <= limits.name &&
          typeof pair[1] === 'string' &&
          pair[1].length <= limits.value,
      ),
  );
}
