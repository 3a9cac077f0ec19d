const DIGITS = /^(0|[1-9][0-9]*)$/;

/** Whether one resource version is newer than another; undefined where they cannot be compared. */
export function isNewer(one: string | undefined, other: string | undefined): boolean | undefined {
  if (one === other) return false;
  if (one === undefined || other === undefined) return undefined;
  if (!DIGITS.test(one) || !DIGITS.test(other)) return undefined;
  return one.length === other.length ? one > other : one.length > other.length;
}
