import { parseQuantity } from './parse-quantity.ts';
import { digits, type Quantity, type QuantityFormat } from './quantity.ts';
import { binarySuffix, decimalSuffix } from './suffix.ts';

/** A quantity in upstream's canonical form: no fraction, the largest suffix that allows for it. */
export function formatQuantity(quantity: Quantity): string {
  if (quantity.text !== undefined) return quantity.text;
  if (quantity.unscaled === 0n) return '0';
  const whole = quantity.format === 'BinarySI' ? wholeBinary(quantity) : undefined;
  if (whole !== undefined) return formatBinary(whole);
  return formatDecimal(quantity, quantity.format === 'BinarySI' ? 'DecimalSI' : quantity.format);
}

/** What a quantity's text becomes once stored; errors have upstream's text. */
export function canonicalQuantity(text: string): string {
  return formatQuantity(parseQuantity(text));
}

/** Below 1024, or with a fraction, a binary suffix would lose or hide something. */
function wholeBinary(quantity: Quantity): bigint | undefined {
  const { unscaled, scale } = quantity;
  // Only sums of legal amounts get here, and those are within an int64.
  if (scale > 40 || -scale > digits(unscaled)) return undefined;
  const divisor = scale < 0 ? 10n ** BigInt(-scale) : 1n;
  if (unscaled % divisor !== 0n) return undefined;
  const value = scale < 0 ? unscaled / divisor : unscaled * 10n ** BigInt(scale);
  return value > -1024n && value < 1024n ? undefined : value;
}

function formatBinary(value: bigint): string {
  let rest = value;
  let power = 0;
  while (rest % 1024n === 0n) {
    rest /= 1024n;
    power++;
  }
  return `${rest}${binarySuffix(power)}`;
}

function formatDecimal(quantity: Quantity, format: Exclude<QuantityFormat, 'BinarySI'>): string {
  const text = quantity.unscaled.toString();
  const significant = text.replace(/0+$/, '');
  let exponent = quantity.scale + text.length - significant.length;
  let number = significant;
  // Suffixes go in steps of a thousand.
  while (exponent % 3 !== 0) {
    number += '0';
    exponent--;
  }
  return `${number}${decimalSuffix(exponent, format)}`;
}
