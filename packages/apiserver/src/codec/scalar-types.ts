import { decodeBase64 } from './base64.ts';
import type { GoType, IntType } from './go-type.ts';
import { GoDecodeError, misfit, type Pass, saveError, typeError } from './pass.ts';

const isNull = (value: unknown): boolean => value === null;

/** A string, or a type made of one. */
export function stringType(goName: string): GoType {
  const zero = () => '';
  const isEmpty = (value: unknown) => value === '';
  const type: GoType = {
    form: 'string',
    goName,
    decode: (value, pass) => {
      if (typeof value === 'string') return value;
      return value === null ? '' : misfit(pass, value, type);
    },
    zero,
    isEmpty,
    isZero: isEmpty,
  };
  return type;
}

/** A bool, or a type made of one. */
export function boolType(goName: string): GoType {
  const isEmpty = (value: unknown) => value === false;
  const type: GoType = {
    form: 'bool',
    goName,
    decode: (value, pass) => {
      if (typeof value === 'boolean') return value;
      return value === null ? false : misfit(pass, value, type);
    },
    zero: () => false,
    isEmpty,
    isZero: isEmpty,
  };
  return type;
}

/** A floating-point number. */
export function floatType(goName: string): GoType {
  const isEmpty = (value: unknown) => value === 0;
  const type: GoType = {
    form: 'float',
    goName,
    decode: (value, pass) => {
      if (typeof value === 'number') return value;
      if (typeof value === 'bigint') return Number(value);
      return value === null ? 0 : misfit(pass, value, type);
    },
    zero: () => 0,
    isEmpty,
    isZero: isEmpty,
  };
  return type;
}

/** The least and the greatest value of an integer type. */
export function intRange(type: Pick<IntType, 'signed' | 'bits'>): readonly [bigint, bigint] {
  const bits = BigInt(type.bits);
  return type.signed ? [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n] : [0n, (1n << bits) - 1n];
}

/** An integer; beyond 2^53 it is a bigint. */
export function intType(goName: string, size: Pick<IntType, 'signed' | 'bits'>): IntType {
  const [least, greatest] = intRange(size);
  const low = Math.max(Number(least), Number.MIN_SAFE_INTEGER);
  const high = Math.min(Number(greatest), Number.MAX_SAFE_INTEGER);
  const isEmpty = (value: unknown) => value === 0;
  const outOfRange = (value: number | bigint, pass: Pass) => {
    if (pass.wraps && (typeof value === 'bigint' || Number.isInteger(value))) {
      return wrapped(BigInt(value), size);
    }
    saveError(pass, typeError(pass, `number ${String(value)}`, goName));
    return 0;
  };
  const type: IntType = {
    form: 'int',
    goName,
    ...size,
    decode: (value, pass) => {
      if (typeof value === 'number') {
        // `+ 0` makes 0 of -0, as Go's integers have no negative zero.
        if (Number.isInteger(value) && value >= low && value <= high) return value + 0;
        return outOfRange(value, pass);
      }
      if (typeof value === 'bigint') {
        if (value < least || value > greatest) return outOfRange(value, pass);
        return value >= low && value <= high ? Number(value) : value;
      }
      return value === null ? 0 : misfit(pass, value, type);
    },
    zero: () => 0,
    isEmpty,
    isZero: isEmpty,
  };
  return type;
}

/** What is left of a number in so many bits. Beyond 64 it was a float to Go, and becomes the least integer first. */
function wrapped(
  value: bigint,
  { signed, bits }: Pick<IntType, 'signed' | 'bits'>,
): number | bigint {
  const whole = value > MAX_INT64 || value < MIN_INT64 ? MIN_INT64 : value;
  const cut = signed ? BigInt.asIntN(bits, whole) : BigInt.asUintN(bits, whole);
  const short = Number(cut);
  return Number.isSafeInteger(short) ? short : cut;
}

/** A byte slice, base64 in JSON. */
export function bytesType(goName: string): GoType {
  const byte = intType('uint8', { signed: false, bits: 8 });
  const type: GoType = {
    form: 'bytes',
    goName,
    decode: (value, pass) => {
      if (typeof value === 'string') {
        return pass.trusted ? value : canonicalBase64(value, pass);
      }
      if (value === null) return null;
      // Go also reads a list of small numbers into a byte slice.
      if (Array.isArray(value)) {
        const bytes = value.map((item) => Number(byte.decode(item, pass)));
        return Buffer.from(bytes).toString('base64');
      }
      return misfit(pass, value, type);
    },
    zero: () => null,
    isEmpty: (value) => value === null || value === '',
    isZero: isNull,
  };
  return type;
}

function canonicalBase64(text: string, pass: Pass): string | null {
  const again = Buffer.from(text, 'base64').toString('base64');
  if (again === text) return text;
  // Rare: line breaks, loose last bits, or not base64 at all; Node's decoder forgives too much to tell.
  const decoded = decodeBase64(text);
  if (typeof decoded !== 'number') return decoded.toString('base64');
  saveError(pass, new GoDecodeError(`illegal base64 data at input byte ${decoded}`));
  return null;
}

const MAX_INT64 = (1n << 63n) - 1n;
const MIN_INT64 = -(1n << 63n);

/** An interface that holds any JSON. */
export function anyType(): GoType {
  return {
    form: 'any',
    goName: 'interface {}',
    decode: (value) => {
      // Go falls back to a float where an int64 does not hold the number.
      if (typeof value === 'bigint' && (value > MAX_INT64 || value < MIN_INT64)) {
        return Number(value);
      }
      return value ?? null;
    },
    zero: () => null,
    isEmpty: isNull,
    isZero: isNull,
  };
}
