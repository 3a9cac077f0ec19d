const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;

/** Reads a decimal number as Go's `strconv.ParseInt(text, 10, 64)` does; undefined when Go reports an error. */
export function parseInt64(text: string): bigint | undefined {
  // Longer texts with leading zeros are legal, but nobody needs to convert a megabyte of digits.
  if (!/^[+-]?[0-9]{1,1000}$/.test(text)) return undefined;
  const digits = text.startsWith('+') ? text.slice(1) : text;
  const value = BigInt(digits.startsWith('-') ? digits.slice(1) : digits);
  const signed = digits.startsWith('-') ? -value : value;
  return signed >= MIN && signed <= MAX ? signed : undefined;
}
