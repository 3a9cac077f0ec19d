import { formatPlain } from './go-float.ts';
import { CelDuration, CelFault, CelTimestamp } from './value.ts';

const MIN_INT = -(2n ** 63n);
const MAX_INT = 2n ** 63n - 1n;
/** 0001-01-01T00:00:00Z. */
const MIN_SECONDS = -62_135_596_800;
/** 9999-12-31T23:59:59Z. */
const MAX_SECONDS = 253_402_300_799;
const NANOS = 1_000_000_000;

const TIMESTAMP_OVERFLOW = new CelFault('timestamp overflow');
const INTEGER_OVERFLOW = new CelFault('integer overflow');

/** A duration, or a fault where it does not fit 64 bits of nanoseconds. */
export function durationOf(nanos: bigint): CelDuration | CelFault {
  return nanos < MIN_INT || nanos > MAX_INT ? INTEGER_OVERFLOW : new CelDuration(nanos);
}

/** A timestamp, or a fault where it is outside the years 1 to 9999. */
export function timestampOf(seconds: number, nanos: number): CelTimestamp | CelFault {
  if (seconds < MIN_SECONDS || seconds > MAX_SECONDS) return TIMESTAMP_OVERFLOW;
  return new CelTimestamp(seconds, nanos);
}

/** A timestamp moved by a duration's nanoseconds. */
export function addToTimestamp(time: CelTimestamp, nanos: bigint): CelTimestamp | CelFault {
  const total = BigInt(time.nanos) + nanos;
  let seconds = total / BigInt(NANOS);
  let rest = total % BigInt(NANOS);
  if (rest < 0n) {
    seconds -= 1n;
    rest += BigInt(NANOS);
  }
  return timestampOf(time.seconds + Number(seconds), Number(rest));
}

/** The time between two timestamps. */
export function timeBetween(later: CelTimestamp, earlier: CelTimestamp): CelDuration | CelFault {
  const seconds = BigInt(later.seconds - earlier.seconds) * BigInt(NANOS);
  return durationOf(seconds + BigInt(later.nanos - earlier.nanos));
}

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d{1,2}):(\d\d):(\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:\d\d)$/;

/** Reads RFC 3339 as Go does; undefined where it is not. */
export function parseTimestamp(text: string): CelTimestamp | CelFault | undefined {
  const parts = RFC3339.exec(text);
  if (!parts) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', zone = 'Z'] = parts;
  const days = daysFromCivil(Number(year), Number(month), Number(day));
  const clock = [Number(hour), Number(minute), Number(second)] as const;
  if (days === undefined || clock[0] > 23 || clock[1] > 59 || clock[2] > 59) return undefined;
  const offset = zoneOffset(zone);
  if (offset === undefined) return undefined;
  const seconds = days * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2] - offset;
  return timestampOf(seconds, Number(fraction.slice(0, 9).padEnd(9, '0')));
}

function zoneOffset(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4, 6));
  if (hours > 24 || minutes > 60) return undefined;
  return (hours * 3600 + minutes * 60) * (zone.startsWith('-') ? -1 : 1);
}

/** Days since 1970; undefined where the calendar has no such day. */
export function daysFromCivil(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || day < 1) return undefined;
  return Math.floor(date.getTime() / 86_400_000);
}

/** A timestamp in RFC 3339 with the digits that its fraction needs. */
export function formatTimestamp(time: CelTimestamp): string {
  const date = new Date(time.seconds * 1000);
  const fraction = time.nanos === 0 ? '' : `.${padded(time.nanos, 9).replace(/0+$/, '')}`;
  const day = [padded(date.getUTCFullYear(), 4), date.getUTCMonth() + 1, date.getUTCDate()];
  const clock = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()];
  const two = (part: string | number) => (typeof part === 'string' ? part : padded(part, 2));
  return `${day.map(two).join('-')}T${clock.map(two).join(':')}${fraction}Z`;
}

const padded = (value: number, width: number): string => String(value).padStart(width, '0');

/** A duration in seconds, as CEL turns it into a string. */
export function formatDuration(duration: CelDuration): string {
  // Go divides whole seconds and nanoseconds separately, so the sum is a double.
  const seconds = Number(duration.nanos / BigInt(NANOS));
  const rest = Number(duration.nanos % BigInt(NANOS));
  return `${formatPlain(seconds + rest / NANOS)}s`;
}

const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

/** Reads a duration as Go's ParseDuration does, in nanoseconds; undefined where it is none. */
export function parseGoDuration(text: string): bigint | undefined {
  const signed = /^[+-]/.test(text);
  const body = signed ? text.slice(1) : text;
  if (body === '0') return 0n;
  if (body === '') return undefined;
  const part = /(\d*)(?:\.(\d*))?(ns|us|\u00b5s|\u03bcs|ms|s|m|h)/y;
  let total = 0n;
  while (part.lastIndex < body.length) {
    const found = part.exec(body);
    if (!found) return undefined;
    const [, whole = '', fraction = '', unit = 's'] = found;
    if (whole === '' && fraction === '') return undefined;
    const scale = UNITS[unit] ?? 1n;
    total += BigInt(whole || '0') * scale;
    if (fraction !== '') {
      // Go keeps the fraction in 63 bits, and drops the digits beyond.
      const kept = fraction.slice(0, 18);
      total += (BigInt(kept) * scale) / 10n ** BigInt(kept.length);
    }
    if (total > MAX_INT + 1n) return undefined;
  }
  const nanos = text.startsWith('-') ? -total : total;
  return nanos > MAX_INT ? undefined : nanos;
}

/** Reads a duration as CEL's `duration()` does. */
export function parseDuration(text: string): CelDuration | undefined {
  const nanos = parseGoDuration(text);
  return nanos === undefined ? undefined : new CelDuration(nanos);
}
