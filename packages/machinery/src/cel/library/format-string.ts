import { goQuote } from '../../go/quote.ts';
import { describe, typeNameOf } from '../values/describe.ts';
import { formatDouble, parseDouble } from '../values/go-float.ts';
import { formatDuration, formatTimestamp } from '../values/time.ts';
import {
  CelDuration,
  CelFault,
  CelList,
  CelMap,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
} from '../values/value.ts';
import { spend } from '../values/work.ts';

/** More digits than doubles have; cel-go would fill memory with zeros. */
const MAX_PRECISION = 100;
const DEFAULT_PRECISION = 6;

/** A format that cannot be followed. */
export class FormatError extends Error {}

/** Walks over a format and fills in what a clause is turned into; returns how many there are. */
export function fillFormat(
  format: string,
  count: number,
  fill: (clause: Clause, index: number) => string,
): { text: string; used: number } {
  let used = 0;
  let text = '';
  for (let i = 0; i < format.length; ) {
    const percent = format.indexOf('%', i);
    if (percent < 0) return { text: text + format.slice(i), used };
    text += format.slice(i, percent);
    if (format[percent + 1] === '%') {
      text += '%';
      i = percent + 2;
      continue;
    }
    if (used >= count) throw new FormatError(`index ${used} out of range`);
    if (percent + 1 >= format.length) throw new FormatError('unexpected end of string');
    const clause = readClause(format, percent + 1);
    text += fill(clause, used++);
    i = clause.end;
  }
  return { text, used };
}

/** `text.format(args)`, with clauses such as `%s` and `%.2f`. */
export function formatString(format: string, args: CelList): CelValue {
  try {
    return fillFormat(format, args.size, (clause, index) => formatted(clause, args.at(index))).text;
  } catch (err) {
    if (err instanceof FormatError) return new CelFault(err.message);
    throw err;
  }
}

/** One clause of a format. */
export interface Clause {
  readonly letter: string;
  readonly precision: number | undefined;
  readonly end: number;
}

function readClause(format: string, start: number): Clause {
  const found = /(?:\.(\d*))?([\s\S]?)/uy;
  found.lastIndex = start;
  const [whole = '', digits, letter = ''] = found.exec(format) ?? [];
  const problem = (detail: string) =>
    new FormatError(`could not parse formatting clause: ${detail}`);
  if (digits !== undefined) {
    const parsing = 'error while parsing precision: ';
    if (letter === '') throw problem(`${parsing}could not find end of precision specifier`);
    if (digits === '') {
      throw problem(
        `${parsing}error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax`,
      );
    }
    if (Number(digits) > MAX_PRECISION) {
      throw problem(`${parsing}precision must be at most ${MAX_PRECISION}`);
    }
  }
  if (!/^[sdfebxXo]$/.test(letter)) {
    throw problem(`unrecognized formatting clause "${letter}"`);
  }
  return {
    letter,
    precision: digits === undefined ? undefined : Number(digits),
    end: start + whole.length,
  };
}

function formatted(clause: Clause, value: CelValue): string {
  try {
    return CLAUSES[clause.letter]?.(value, clause.precision ?? DEFAULT_PRECISION) ?? '';
  } catch (err) {
    if (!(err instanceof FormatError)) throw err;
    throw new FormatError(`error during formatting: ${err.message}`);
  }
}

const unfit = (rule: string, value: CelValue) =>
  new FormatError(`${rule}, was given ${typeNameOf(value)}`);

const CLAUSES: Readonly<Record<string, (value: CelValue, precision: number) => string>> = {
  s: plain,
  d: (value) => decimal(value),
  f: (value, precision) => grouped(asDouble(value, 'fixed-point'), precision),
  // What is given as precision is a width to cel-go here.
  e: (value, width) => scientific(asDouble(value, 'scientific')).padStart(width),
  b: (value) => {
    if (typeof value === 'boolean') return value ? '1' : '0';
    return integer(value, 'only integers and bools can be formatted as binary').toString(2);
  },
  o: (value) => integer(value, 'octal clause can only be used on integers').toString(8),
  x: hex,
  X: (value) => hex(value).toUpperCase(),
};

function integer(value: CelValue, rule: string): bigint {
  if (typeof value === 'bigint') return value;
  if (value instanceof CelUint) return value.value;
  throw unfit(rule, value);
}

const decimal = (value: CelValue): string =>
  String(integer(value, 'decimal clause can only be used on integers'));

function hex(value: CelValue): string {
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value;
  if (bytes instanceof Uint8Array) {
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  }
  const rule = 'only integers, byte buffers, and strings can be formatted as hex';
  return integer(value, rule).toString(16);
}

function asDouble(value: CelValue, clause: string): number {
  if (typeof value === 'number') return value;
  if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') {
    return parseDouble(value) ?? Number.NaN;
  }
  throw unfit(`${clause} clause can only be used on doubles`, value);
}

/** As the English locale writes numbers, which is the one cel-go uses. */
function grouped(value: number, precision: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '-∞';
  const [whole = '0', fraction] = exactFixed(value, precision).split('.');
  const groups = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? groups : `${groups}.${fraction}`;
}

/** All digits of a double up to a place, rounded to even as Go does; `toFixed` rounds up. */
function exactFixed(value: number, precision: number): string {
  const [numerator, denominator] = exactFraction(Math.abs(value));
  const scaled = numerator * 10n ** BigInt(precision);
  let digits = scaled / denominator;
  const twice = (scaled % denominator) * 2n;
  if (twice > denominator || (twice === denominator && digits % 2n === 1n)) digits += 1n;
  const text = String(digits).padStart(precision + 1, '0');
  const whole = text.slice(0, text.length - precision);
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  return precision === 0 ? sign + whole : `${sign}${whole}.${text.slice(-precision)}`;
}

/** A double as a fraction of whole numbers. */
function exactFraction(value: number): [bigint, bigint] {
  let power = 0;
  let rest = value;
  while (!Number.isInteger(rest)) {
    rest *= 2;
    power++;
  }
  return [BigInt(rest), 1n << BigInt(power)];
}

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

function scientific(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '-∞';
  const [mantissa = '0', exponent = '0'] = value.toExponential(DEFAULT_PRECISION).split('e');
  const power = exponent.replace(/^[+-]/, '').padStart(2, '0');
  const raised = [...power].map((digit) => SUPERSCRIPTS[Number(digit)] ?? '').join('');
  return `${mantissa}×10${exponent.startsWith('-') ? '⁻' : ''}${raised}`;
}

/** A value as `%s` shows it. */
function plain(value: CelValue): string {
  if (value instanceof CelList || value instanceof CelMap) return collection(value);
  if (value === null) return 'null';
  if (typeof value === 'number') return formatDouble(value);
  if (value instanceof CelUint) return String(value.value);
  if (value instanceof Uint8Array) return decodeBytes(value);
  if (value instanceof CelTimestamp) return formatTimestamp(value);
  if (value instanceof CelDuration) return formatDuration(value);
  if (value instanceof CelTypeValue) return value.name;
  if (typeof value !== 'object') return String(value);
  const rule =
    'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps';
  throw unfit(rule, value);
}

function decodeBytes(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new FormatError(
      'could not convert argument "invalid UTF-8 in bytes, cannot convert to string" to string',
    );
  }
}

function collection(value: CelList | CelMap): string {
  spend(value.size);
  if (value instanceof CelList) return `[${[...value].map(nested).join(', ')}]`;
  const entries: (readonly [string, string])[] = [];
  for (const key of value.keys()) {
    entries.push([mapKey(key), nested(value.get(key) as CelValue)]);
  }
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, shown]) => `${key}:${shown}`).join(', ')}}`;
}

function mapKey(key: CelValue): string {
  if (typeof key === 'string') return goQuote(key);
  if (typeof key === 'boolean') return String(key);
  if (typeof key === 'bigint' || key instanceof CelUint) return decimal(key);
  throw new FormatError(`no formatting function for map key of type ${typeNameOf(key)}`);
}

/** A value inside a list or map, as an expression would write it. */
function nested(value: CelValue): string {
  if (typeof value === 'string') return goQuote(value);
  if (value instanceof Uint8Array) return `b${goQuote(decodeBytes(value))}`;
  if (value instanceof CelTimestamp) return `timestamp("${formatTimestamp(value)}")`;
  if (value instanceof CelDuration) return `duration("${formatDuration(value)}")`;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return `"${formatDouble(value)}"`;
    return exactFixed(value, DEFAULT_PRECISION);
  }
  if (typeof value === 'bigint' || value instanceof CelUint) return decimal(value);
  if (value instanceof CelList || value instanceof CelMap) return collection(value);
  if (value === null || typeof value === 'boolean' || value instanceof CelTypeValue) {
    return plain(value);
  }
  throw new FormatError(`no formatting function for ${describe(value)}`);
}
