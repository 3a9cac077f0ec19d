import { ParseError } from '../parse-error.ts';
import { unexpectedInToken } from './syntax-error.ts';

const MIN = -(2n ** 63n);
const MAX = 2n ** 64n - 1n;

/** A number, where it ends, and why Go could not hold it. */
interface ReadNumber {
  readonly value: number | bigint;
  readonly end: number;
  readonly error?: ParseError;
}

/** Reads the number at `start`: exact as long as it is an integer of 64 bits, else the nearest double. */
export function readNumber(bytes: Uint8Array, start: number): ReadNumber {
  let end = bytes[start] === 0x2d ? start + 1 : start;
  if (!isDigit(bytes[end])) throw unexpectedInToken(bytes[end], 'in numeric literal');
  end = bytes[end] === 0x30 ? end + 1 : skipDigits(bytes, end);
  let isInteger = true;
  if (bytes[end] === 0x2e) {
    isInteger = false;
    end = digitsAfter(bytes, end + 1, 'after decimal point in numeric literal');
  }
  if (bytes[end] === 0x65 || bytes[end] === 0x45) {
    isInteger = false;
    end++;
    if (bytes[end] === 0x2b || bytes[end] === 0x2d) end++;
    end = digitsAfter(bytes, end, 'in exponent of numeric literal');
  }
  const text = String.fromCharCode(...bytes.subarray(start, Math.min(end, start + 400)));
  // Nothing of 400 digits fits 64 bits, and beyond 309 digits not even a double.
  if (isInteger && end - start <= 400) {
    const exact = toInteger(text);
    if (exact !== undefined) return { value: exact, end };
  }
  const value = Number(end - start <= 400 ? text : textOf(bytes, start, end));
  if (Number.isFinite(value)) return { value, end };
  const shown = textOf(bytes, start, end);
  return {
    value: 0,
    end,
    error: new ParseError(`json: cannot unmarshal number ${shown} into Go value of type float64`),
  };
}

function toInteger(text: string): number | bigint | undefined {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value === 0 ? 0 : value;
  const exact = BigInt(text);
  return exact >= MIN && exact <= MAX ? exact : undefined;
}

function textOf(bytes: Uint8Array, start: number, end: number): string {
  return new TextDecoder().decode(bytes.subarray(start, end));
}

function digitsAfter(bytes: Uint8Array, start: number, context: string): number {
  if (!isDigit(bytes[start])) throw unexpectedInToken(bytes[start], context);
  return skipDigits(bytes, start);
}

function skipDigits(bytes: Uint8Array, start: number): number {
  let end = start;
  while (isDigit(bytes[end])) end++;
  return end;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
