import { goQuote } from '../go/quote.ts';
import { goUnquote } from '../go/unquote.ts';
import { GoNumber } from '../go/values.ts';
import { ParseError } from '../parse-error.ts';

const INTEGER =
  /^([-+]?)(?:0[xX](_?[0-9a-fA-F]+)+|0[oO](_?[0-7]+)+|0[bB](_?[01]+)+|0(_?[0-7])*|[1-9](_?[0-9])*)$/;
const FLOAT = /^[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$/;
const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;

/** A number of a template: an int where it can be one, a float where it has a point or an exponent. */
export function parseNumber(text: string): GoNumber | bigint {
  if (text.endsWith('i')) {
    throw new ParseError(`cannot use ${text}: complex numbers are not supported`);
  }
  if (INTEGER.test(text)) {
    const value = integerOf(text);
    if (value > MAX || value < MIN) throw new ParseError(`integer overflow: ${goQuote(text)}`);
    const small = Number(value);
    return Number.isSafeInteger(small) ? new GoNumber('int', small) : value;
  }
  if (!FLOAT.test(text)) throw new ParseError(`illegal number syntax: ${goQuote(text)}`);
  return new GoNumber('float64', Number(text));
}

/** The number of a character in single quotes. */
export function parseCharacter(text: string): GoNumber {
  const value = goUnquote(text.slice(1, -1), "'");
  const [char, ...rest] = value ?? '';
  if (value === undefined || char === undefined) throw new ParseError('invalid syntax');
  if (rest.length > 0) throw new ParseError(`malformed character constant: ${text}`);
  return new GoNumber('int', char.codePointAt(0) ?? 0);
}

function integerOf(text: string): bigint {
  const isNegative = text.startsWith('-');
  const digits = text.replace(/^[-+]/, '').replaceAll('_', '');
  // A leading zero alone makes it octal, as in C.
  const literal = /^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits;
  return isNegative ? -BigInt(literal) : BigInt(literal);
}
