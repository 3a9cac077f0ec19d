import { plainValue } from '../go/values.ts';

/** Whether a value is not empty: what `if`, `with`, `and`, `or` and `not` ask. */
export function isTrue(value: unknown): boolean {
  const plain = plainValue(value);
  if (plain === null || plain === undefined) return false;
  if (Array.isArray(plain)) return plain.length > 0;
  if (typeof plain === 'object') return Object.keys(plain).length > 0;
  // biome-ignore lint/suspicious/noDoubleEquals: 0n is nothing, too
  return typeof plain === 'number' || typeof plain === 'bigint' ? plain != 0 : Boolean(plain);
}
