import type { CostRange } from './estimate-types.ts';

/** The largest unsigned 64-bit integer: a size or cost without bound. */
export const UNBOUNDED = 2n ** 64n - 1n;

export const ZERO: CostRange = { min: 0n, max: 0n };
export const ONE: CostRange = { min: 1n, max: 1n };
export const UNKNOWN: CostRange = { min: 0n, max: UNBOUNDED };

/** A range of one number. */
export const fixed = (value: bigint | number): CostRange => {
  const exact = BigInt(value);
  return { min: exact, max: exact };
};

const cap = (value: bigint): bigint => (value > UNBOUNDED ? UNBOUNDED : value);

/** The sum, which stops at unbounded. */
export const plus = (a: CostRange, b: CostRange): CostRange => ({
  min: cap(a.min + b.min),
  max: cap(a.max + b.max),
});

/** The product, which stops at unbounded. */
export const times = (a: CostRange, b: CostRange): CostRange => ({
  min: cap(a.min * b.min),
  max: cap(a.max * b.max),
});

/** The smallest range that holds both. */
export const union = (a: CostRange, b: CostRange): CostRange => ({
  min: a.min < b.min ? a.min : b.min,
  max: a.max > b.max ? a.max : b.max,
});

/** The product with a fraction, rounded up, in the doubles that cel-go computes it with. */
export const scaled = (range: CostRange, factor: number): CostRange => ({
  min: scale(range.min, factor),
  max: scale(range.max, factor),
});

function scale(value: bigint, factor: number): bigint {
  const double = Number(value);
  if (double > 0 && factor > 0 && double > 2 ** 64 / factor) return UNBOUNDED;
  const product = Math.ceil(double * factor);
  return product >= 2 ** 64 ? UNBOUNDED : BigInt(product);
}
