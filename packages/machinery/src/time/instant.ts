import { ParseError } from '../parse-error.ts';
import { timeQuote } from './time-quote.ts';

/** A point in time, finer than a Date can hold. */
export interface Instant {
  /** Whole seconds since 1970. */
  readonly seconds: number;
  /** 0 to 999,999,999. */
  readonly nanos: number;
}

const LAYOUT = '2006-01-02T15:04:05Z07:00';
const MICRO_LAYOUT = '2006-01-02T15:04:05.000000Z07:00';
const PLAIN_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
/** Go's zero time, the first second of year 1, which Kubernetes writes as null. */
const ZERO_SECONDS = -62_135_596_800;

/** Reads an RFC 3339 time as `metav1.Time` does; errors have Go's text. */
export function parseTime(text: string): Instant {
  return parse(text, LAYOUT);
}

/** Reads a time with exactly six decimals, as `metav1.MicroTime` demands. */
export function parseMicroTime(text: string): Instant {
  return parse(text, MICRO_LAYOUT);
}

/** A time as Kubernetes stores it: UTC, to the second; null for Go's zero time. */
export function canonicalTime(text: string): string | null {
  const instant = parseTime(text);
  if (isZeroTime(instant)) return null;
  return PLAIN_UTC.test(text) ? text : `${secondsText(instant.seconds)}Z`;
}

/** A micro time as Kubernetes stores it: UTC, six decimals; null for Go's zero time. */
export function canonicalMicroTime(text: string): string | null {
  const instant = parseMicroTime(text);
  if (isZeroTime(instant)) return null;
  const micros = Math.trunc(instant.nanos / 1000);
  return `${secondsText(instant.seconds)}.${micros.toString().padStart(6, '0')}Z`;
}

/** A date as `creationTimestamp` has it: RFC 3339 in UTC, to the second. */
export function formatTime(date: Date): string {
  const seconds = Math.floor(date.getTime() / 1000);
  if (seconds !== lastFormatted.seconds) {
    lastFormatted = { seconds, text: `${secondsText(seconds)}Z` };
  }
  return lastFormatted.text;
}

/** A server says the same second thousands of times. */
let lastFormatted = { seconds: Number.NaN, text: '' };

/** A date as leases and events have it: RFC 3339 in UTC with six decimals. */
export function rfc3339Micro(date: Date): string {
  return `${date.toISOString().slice(0, -1)}000Z`;
}

/** Whether this is the time that means none. */
export function isZeroTime(instant: Instant): boolean {
  return instant.seconds === ZERO_SECONDS && instant.nanos === 0;
}

function secondsText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(/\.\d{3}Z$/, '');
}

/** Consumes the value piece by piece against the layout, as Go does, so that errors name the same piece. */
function parse(text: string, layout: typeof LAYOUT | typeof MICRO_LAYOUT): Instant {
  let rest = text;
  const take = (pattern: RegExp, element: string): string => {
    const found = pattern.exec(rest)?.[0];
    if (found === undefined) throw mismatch(text, layout, { rest, element });
    rest = rest.slice(found.length);
    return found;
  };
  const number = (pattern: RegExp, element: string) => Number(take(pattern, element));
  const bounded = (value: number, bounds: readonly [number, number], name: string) => {
    if (value < bounds[0] || value > bounds[1]) throw outOfRange(text, name);
    return value;
  };
  const year = number(/^\d{4}/, '2006');
  take(/^-/, '-');
  const month = bounded(number(/^\d{2}/, '01'), [1, 12], 'month');
  take(/^-/, '-');
  const day = number(/^\d{2}/, '02');
  take(/^T/, 'T');
  const hour = bounded(number(/^\d{1,2}/, '15'), [0, 23], 'hour');
  take(/^:/, ':');
  const minute = bounded(number(/^\d{2}/, '04'), [0, 59], 'minute');
  take(/^:/, ':');
  const second = bounded(number(/^\d{2}/, '05'), [0, 59], 'second');
  const fraction =
    layout === MICRO_LAYOUT ? take(/^[.,]\d{6}/, '.000000') : (/^[.,]\d+/.exec(rest)?.[0] ?? '');
  if (layout === LAYOUT) rest = rest.slice(fraction.length);
  const zone = take(/^(?:Z|[+-]\d\d:\d\d)/, 'Z07:00');
  const offset = zone === 'Z' ? 0 : zoneSeconds(zone, text);
  if (rest !== '')
    throw new ParseError(`parsing time ${timeQuote(text)}: extra text: ${timeQuote(rest)}`);
  bounded(day, [1, daysIn(year, month)], 'day');
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  const nanos = Number(fraction.slice(1, 10).padEnd(9, '0'));
  return { seconds: date.getTime() / 1000 - offset, nanos };
}

function zoneSeconds(zone: string, text: string): number {
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4, 6));
  if (hours > 24) throw outOfRange(text, 'time zone offset hour');
  if (minutes > 60) throw outOfRange(text, 'time zone offset minute');
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60;
}

function daysIn(year: number, month: number): number {
  const last = new Date(0);
  last.setUTCFullYear(year, month, 0);
  return last.getUTCDate();
}

function mismatch(
  text: string,
  layout: string,
  where: { rest: string; element: string },
): ParseError {
  return new ParseError(
    `parsing time ${timeQuote(text)} as ${timeQuote(layout)}: cannot parse ${timeQuote(where.rest)} as ${timeQuote(where.element)}`,
  );
}

function outOfRange(text: string, name: string): ParseError {
  return new ParseError(`parsing time ${timeQuote(text)}: ${name} out of range`);
}
