import { ParseError } from '../parse-error.ts';
import { divideUp, type Quantity } from './quantity.ts';
import { type Multiplier, readSuffix } from './suffix.ts';

const FORMAT_PATTERN = '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$';
const QUANTITY = /^([+-]?)(0*)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)$/;

/** Amounts below a billionth are rounded up to it: who asks for some gets some. */
const NANO = -9;
const MAX_INT64 = 2n ** 63n - 1n;
/** As many digits fit an int64 whatever they are. */
const INT64_DIGITS = 18;
const MAX_DIGITS = 4000;

/** Reads `100m`, `1.5Gi`, `12e6`; errors have upstream's text. */
export function parseQuantity(text: string): Quantity {
  if (text === '0') return { unscaled: 0n, scale: 0, format: 'DecimalSI', text };
  const match = text === '' ? null : QUANTITY.exec(text);
  if (match === null) {
    throw new ParseError(`quantities must match the regular expression '${FORMAT_PATTERN}'`);
  }
  const [, sign = '', zeros = '', whole = '', fraction = '', suffix = ''] = match;
  const multiplier = readSuffix(suffix);
  if (multiplier === undefined) throw new ParseError("unable to parse quantity's suffix");
  // Legal upstream, but converting a megabyte of digits is work no honest client asks for.
  if (whole.length + fraction.length > MAX_DIGITS) {
    throw new ParseError('unable to parse numeric part of quantity');
  }
  const number = { isNegative: sign === '-', whole: whole || '0', fraction };
  const small = readSmall(number, multiplier, text);
  if (small !== undefined) return small;
  // No digit at all is zero to upstream's fast path and an error to its big decimals.
  if (zeros + whole + fraction === '') {
    throw new ParseError('unable to parse numeric part of quantity');
  }
  return readLarge(number, multiplier);
}

/** A number as it was written. */
interface Written {
  readonly isNegative: boolean;
  readonly whole: string;
  readonly fraction: string;
}

/**
 * What upstream holds in an int64. The distinction is visible: only here the text itself may be kept as the canonical
 * form, even where it is not (`1.234` stays, `1.2340` becomes 1234m).
 */
function readSmall(number: Written, multiplier: Multiplier, text: string): Quantity | undefined {
  const { whole, fraction, isNegative } = number;
  const { exponent, format } = multiplier;
  const written = whole + fraction;
  const sign = isNegative ? -1n : 1n;
  if (format === 'BinarySI') {
    const room = 14 - whole.length - Math.trunc((exponent * 3) / 10);
    if (fraction !== '' || room < 0) return undefined;
    const value = BigInt(written);
    const unscaled = sign * (value << BigInt(exponent));
    const isCanonical = (value & 7n) !== 0n;
    return { unscaled, scale: 0, format, ...(isCanonical ? { text } : {}) };
  }
  const scale = exponent - fraction.length;
  if (written.length > INT64_DIGITS || scale < NANO) return undefined;
  const isCanonical = scale % 3 === 0 && !written.endsWith('000') && !written.startsWith('0');
  return { unscaled: sign * BigInt(written), scale, format, ...(isCanonical ? { text } : {}) };
}

/** What upstream needs a big decimal for. */
function readLarge(number: Written, multiplier: Multiplier): Quantity {
  const { base, exponent } = multiplier;
  let { format } = multiplier;
  let unscaled = BigInt(number.whole + number.fraction);
  let scale = -number.fraction.length;
  if (base === 10) scale += exponent;
  else unscaled <<= BigInt(exponent);
  if (scale < NANO) {
    unscaled = divideUp(unscaled, NANO - scale);
    scale = NANO;
  }
  if (format === 'BinarySI' && unscaled !== 0n) {
    const one = 10n ** BigInt(-scale);
    if (unscaled > MAX_INT64 * one) {
      unscaled = MAX_INT64;
      scale = 0;
    } else if (unscaled < one) {
      format = 'DecimalSI';
    }
  }
  return { unscaled: number.isNegative ? -unscaled : unscaled, scale, format };
}
