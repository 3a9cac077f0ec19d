import { formatCharacter } from '../go/format-character.ts';
import { goQuote } from '../go/quote.ts';
import { floatText, GoNumber } from '../go/values.ts';
import { pad } from './format-text.ts';

/** One `%…` of a format. */
export interface Directive {
  readonly verb: string;
  readonly flags: string;
  readonly isLeft: boolean;
  readonly width: number;
  readonly precision: number | undefined;
}

/** An integer or a float in the form a verb asks for; undefined where Go has none. */
export function formatNumber(value: unknown, directive: Directive): string | undefined {
  const number = value instanceof GoNumber ? value.value : value;
  if (typeof number !== 'number' && typeof number !== 'bigint') return undefined;
  const isFloat =
    value instanceof GoNumber ? value.type === 'float64' : !Number.isInteger(Number(number));
  return isFloat ? formatFloat(Number(number), directive) : formatInteger(number, directive);
}

const BASES: Readonly<Record<string, number>> = { b: 2, o: 8, O: 8, d: 10, v: 10, x: 16, X: 16 };
const PREFIXES: Readonly<Record<string, string>> = { b: '0b', o: '0', O: '0o', x: '0x', X: '0X' };

function formatInteger(value: number | bigint, directive: Directive): string | undefined {
  const { verb, flags, precision = 0 } = directive;
  const base = BASES[verb];
  if (base === undefined) return formatAsCharacter(value, directive);
  const isNegative = value < 0;
  const digits = (isNegative ? -value : value).toString(base).padStart(precision, '0');
  const prefix = flags.includes('#') || verb === 'O' ? (PREFIXES[verb] ?? '') : '';
  const shown = prefix + (verb === 'X' ? digits.toUpperCase() : digits);
  return signed(isNegative ? '-' : '', shown, directive);
}

function formatAsCharacter(value: number | bigint, directive: Directive): string | undefined {
  const code = Number(value);
  const char = code >= 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
  switch (directive.verb) {
    case 'c':
      return pad(char, directive);
    case 'q':
      return pad(
        `'${goQuote(char).slice(1, -1).replace('\\"', '"').replace("'", "\\'")}'`,
        directive,
      );
    case 'U':
      return pad(
        directive.flags.includes('#')
          ? formatCharacter(char)
          : formatCharacter(char).split(' ', 1).join(),
        directive,
      );
    default:
      return undefined;
  }
}

function formatFloat(value: number, directive: Directive): string | undefined {
  const size = Math.abs(value);
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const text = floatDigits(size, directive);
  if (text === undefined) return undefined;
  return Number.isFinite(value) ? signed(sign, text, directive) : pad(floatText(value), directive);
}

function floatDigits(size: number, { verb, precision }: Directive): string | undefined {
  switch (verb) {
    case 'v':
    case 'g':
      return precision === undefined ? floatText(size) : general(size, precision);
    case 'G':
      return (precision === undefined ? floatText(size) : general(size, precision)).toUpperCase();
    case 'f':
    case 'F':
      return size < 1e21 ? size.toFixed(Math.min(precision ?? 6, 100)) : BigInt(size).toString();
    case 'e':
      return exponential(size, precision ?? 6);
    case 'E':
      return exponential(size, precision ?? 6).toUpperCase();
    default:
      return undefined;
  }
}

function exponential(size: number, precision: number): string {
  const [digits = '', power = ''] = size.toExponential(Math.min(precision, 100)).split('e');
  return `${digits}e${power[0]}${power.slice(1).padStart(2, '0')}`;
}

/** `%.3g`: so many digits that count, in the shorter form. */
function general(size: number, precision: number): string {
  const digits = Math.max(1, Math.min(precision, 100));
  const power = Number(size.toExponential(digits - 1).split('e')[1] ?? '0');
  const trim = (text: string) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);
  if (power >= -4 && power < digits) return trim(size.toFixed(Math.max(0, digits - 1 - power)));
  const [mantissa = '', exponent = ''] = exponential(size, digits - 1).split('e');
  return `${trim(mantissa)}e${exponent}`;
}

/** Zeros go between the sign and the digits. */
function signed(minus: string, digits: string, directive: Directive): string {
  const { flags, width, isLeft } = directive;
  const sign = minus !== '' ? minus : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
  if (flags.includes('0') && !isLeft) return sign + digits.padStart(width - sign.length, '0');
  return pad(sign + digits, { ...directive, flags: flags.replaceAll('0', '') });
}
