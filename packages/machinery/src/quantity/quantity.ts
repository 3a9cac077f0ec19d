/** How a quantity is written: `12M`, `12Mi`, `12e6`. */
export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

/** An amount of cpu, memory or anything else, exact: `unscaled` times ten to the power of `scale`. */
export interface Quantity {
  readonly unscaled: bigint;
  readonly scale: number;
  readonly format: QuantityFormat;
  /** The text it was read from, kept where upstream takes it for canonical already. */
  readonly text?: string;
}

const MAX_INT64 = 2n ** 63n - 1n;

/** Beyond this many digits apart, one of two amounts is nothing beside the other. */
const MAX_DIGITS_APART = 500;

/** Negative, zero or positive as the first quantity is less than, equal to or more than the second. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  const signs = quantitySign(a) - quantitySign(b);
  if (signs !== 0) return Math.sign(signs);
  const sizes = size(a) - size(b);
  // Amounts such as 1e999999999 are legal and must not be written out to be compared.
  if (a.unscaled !== 0n && sizes !== 0) return Math.sign(sizes) * quantitySign(a);
  const [x, y] = align(a, b);
  return x < y ? -1 : x > y ? 1 : 0;
}

/** -1, 0 or 1. */
export function quantitySign(quantity: Quantity): number {
  return quantity.unscaled === 0n ? 0 : quantity.unscaled < 0n ? -1 : 1;
}

/** The sum, written as the first quantity is, or as the second when the first is zero. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  if (a.unscaled === 0n) return withoutText(b);
  if (b.unscaled === 0n) return withoutText(a);
  if (Math.abs(a.scale - b.scale) > MAX_DIGITS_APART) {
    return { ...withoutText(size(a) > size(b) ? a : b), format: a.format };
  }
  const [x, y] = align(a, b);
  return { unscaled: x + y, scale: Math.min(a.scale, b.scale), format: a.format };
}

/** The difference, written as the first quantity is, or as the second when the first is zero. */
export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  return addQuantities(a, { ...withoutText(b), unscaled: -b.unscaled });
}

/** The product with a whole number. */
export function multiplyQuantity(quantity: Quantity, factor: bigint): Quantity {
  return { ...withoutText(quantity), unscaled: quantity.unscaled * factor };
}

/**
 * The amount in whole units, rounded away from zero, at most what an int64 holds. This differs from upstream on
 * purpose: there, larger amounts overflow, and negative ones held as big decimals come out wrong.
 */
export function quantityValue(quantity: Quantity): bigint {
  return scaledQuantityValue(quantity, 0);
}

/** The amount in thousandths, rounded away from zero: what cpu is counted in. */
export function quantityMilliValue(quantity: Quantity): bigint {
  return scaledQuantityValue(quantity, -3);
}

/** The amount in units of ten to the power of `scale`, rounded away from zero. */
export function scaledQuantityValue(quantity: Quantity, scale: number): bigint {
  const { unscaled } = quantity;
  const shift = quantity.scale - scale;
  if (unscaled === 0n || shift === 0) return limit(unscaled);
  if (shift > 0)
    return shift > 20 ? limit(unscaled * 10n ** 20n) : limit(unscaled * 10n ** BigInt(shift));
  return limit(divideUp(unscaled, -shift));
}

/** Whether the amount has a part smaller than one. */
export function isFractionalQuantity(quantity: Quantity): boolean {
  if (quantity.scale >= 0 || quantity.unscaled === 0n) return false;
  if (-quantity.scale > digits(quantity.unscaled)) return true;
  return quantity.unscaled % 10n ** BigInt(-quantity.scale) !== 0n;
}

/** The amount as a double, for ratios and charts. */
export function quantityToNumber(quantity: Quantity): number {
  return Number(`${quantity.unscaled}e${quantity.scale}`);
}

/** A quantity of so many whole units. */
export function quantityOf(value: bigint | number, format: QuantityFormat = 'DecimalSI'): Quantity {
  return { unscaled: BigInt(value), scale: 0, format };
}

/** Divides by a power of ten, rounding away from zero. */
export function divideUp(value: bigint, places: number): bigint {
  if (places > digits(value)) return value > 0n ? 1n : value < 0n ? -1n : 0n;
  const divisor = 10n ** BigInt(places);
  const quotient = value / divisor;
  if (value % divisor === 0n) return quotient;
  return value > 0n ? quotient + 1n : quotient - 1n;
}

/** Number of decimal digits. */
export function digits(value: bigint): number {
  return (value < 0n ? -value : value).toString().length;
}

function size(quantity: Quantity): number {
  return digits(quantity.unscaled) + quantity.scale;
}

function align(a: Quantity, b: Quantity): [bigint, bigint] {
  const scale = Math.min(a.scale, b.scale);
  const raise = (quantity: Quantity) =>
    quantity.unscaled === 0n ? 0n : quantity.unscaled * 10n ** BigInt(quantity.scale - scale);
  return [raise(a), raise(b)];
}

function limit(value: bigint): bigint {
  if (value > MAX_INT64) return MAX_INT64;
  return value < -MAX_INT64 - 1n ? -MAX_INT64 - 1n : value;
}

function withoutText(quantity: Quantity): Quantity {
  return { unscaled: quantity.unscaled, scale: quantity.scale, format: quantity.format };
}
