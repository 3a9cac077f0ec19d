import { ParseError } from '../../parse-error.ts';
import { parseDuration } from '../../time/duration.ts';

const TIME = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/;
const PIECE = /([0-9]+)[\t\n\f\r ]*([A-Za-z\u00b5]+)/g;
const MAX_INT = 2n ** 63n - 1n;

/** Units of Scala's durations; the last name of each also counts as a beginning (`minutes`). */
const units: readonly (readonly string[])[] = [
  ['ns', 'nano'],
  ['us', 'µs', 'micro'],
  ['ms', 'milli'],
  ['s', 'sec'],
  ['m', 'min'],
  ['h', 'hr', 'hour'],
  ['d', 'day'],
  ['w', 'wk', 'week'],
];

/** A date such as 2006-01-02. */
export function isDate(text: string): boolean {
  const match = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text);
  if (match === null) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

/** A date and a time of RFC 3339; leap seconds are not known, offsets are not checked. */
export function isDateTime(text: string): boolean {
  const [date = '', time] = text.toLowerCase().split('t');
  if (time === undefined || !isDate(date)) return false;
  const [, hours = '', minutes = '', seconds = ''] = TIME.exec(time) ?? [];
  return hours !== '' && hours <= '23' && minutes <= '59' && seconds <= '59';
}

/** A duration of Go, or any text that holds one number with a unit (`3 days`). */
export function isDuration(text: string): boolean {
  if (isGoDuration(text)) return true;
  let isFound = false;
  for (const [, digits = '', unit = ''] of text.matchAll(PIECE)) {
    if (digits.length > 400 || BigInt(digits) > MAX_INT) return false;
    isFound ||= isUnit(unit.toLowerCase());
  }
  return isFound;
}

function isGoDuration(text: string): boolean {
  try {
    parseDuration(text);
    return true;
  } catch (error) {
    if (error instanceof ParseError) return false;
    throw error;
  }
}

function isUnit(name: string): boolean {
  return units.some((names) => names.includes(name) || name.startsWith(names.at(-1) ?? name));
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
