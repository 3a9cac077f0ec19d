import { ParseError } from '../parse-error.ts';
import { timeQuote } from './time-quote.ts';

const MAX = 2n ** 63n;

const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

/** Reads a duration of Go such as `1h30m` or `-1.5s`, exactly, in nanoseconds; errors have Go's text. */
export function parseDuration(text: string): bigint {
  const isNegative = text.startsWith('-');
  let rest = isNegative || text.startsWith('+') ? text.slice(1) : text;
  if (rest === '0') return 0n;
  if (rest === '') throw problem('invalid duration', text);
  let total = 0n;
  while (rest !== '') {
    const match = /^([0-9]*)(?:\.([0-9]*))?([^0-9.]*)/.exec(rest);
    const [piece = '', whole = '', fraction = '', unit = ''] = match ?? [];
    if (whole === '' && fraction === '') throw problem('invalid duration', text);
    // Digits beyond what an int64 holds cannot make a legal duration, and are not worth converting.
    if (whole.replace(/^0+/, '').length > 19 || BigInt(whole || '0') > MAX) {
      throw problem('invalid duration', text);
    }
    if (unit === '') throw problem('missing unit in duration', text);
    const size = Object.hasOwn(units, unit) ? units[unit] : undefined;
    if (size === undefined) throw problem(`unknown unit ${timeQuote(unit)} in duration`, text);
    total += BigInt(whole || '0') * size + fractionOf(fraction, size);
    if (total > MAX) throw problem('invalid duration', text);
    rest = rest.slice(piece.length);
  }
  if (isNegative) return -total;
  if (total === MAX) throw problem('invalid duration', text);
  return total;
}

/** A duration in nanoseconds as Go prints it: `1h30m0s`, `1.5ms`, `0s`. */
export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s';
  const sign = nanoseconds < 0n ? '-' : '';
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (size < 1_000n) return `${sign}${size}ns`;
  if (size < 1_000_000n) return `${sign}${decimal(size, 3)}µs`;
  if (size < 1_000_000_000n) return `${sign}${decimal(size, 6)}ms`;
  const minutes = size / 60_000_000_000n;
  const seconds = `${decimal(size % 60_000_000_000n, 9)}s`;
  if (minutes === 0n) return sign + seconds;
  const hours = minutes / 60n;
  if (hours === 0n) return `${sign}${minutes}m${seconds}`;
  return `${sign}${hours}h${minutes % 60n}m${seconds}`;
}

/** A Go duration in milliseconds, for timers. */
export function durationToMs(nanoseconds: bigint): number {
  return Number(nanoseconds) / 1e6;
}

function fractionOf(digits: string, unit: bigint): bigint {
  if (digits === '') return 0n;
  // 18 digits are more than any unit has nanoseconds. In floating point, because Go rounds the same way.
  const kept = digits.slice(0, 18);
  return BigInt(Math.trunc(Number(kept) * (Number(unit) / 10 ** kept.length)));
}

function decimal(value: bigint, places: number): string {
  const scale = 10n ** BigInt(places);
  const fraction = (value % scale).toString().padStart(places, '0').replace(/0+$/, '');
  return fraction === '' ? `${value / scale}` : `${value / scale}.${fraction}`;
}

function problem(message: string, text: string): ParseError {
  return new ParseError(`time: ${message} ${timeQuote(text)}`);
}
