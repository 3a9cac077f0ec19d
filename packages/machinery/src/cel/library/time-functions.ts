import { durationType, intType, stringType, timestampType } from '../types.ts';
import { type CelDuration, CelFault, type CelTimestamp, type CelValue } from '../values/value.ts';
import { define, type FunctionDecl, member, type Overload } from './function.ts';

/** The wall clock of a timestamp in some zone; the parts of a Date in UTC stand for it. */
type Part = (local: Date) => number;

const DAY_MS = 86_400_000;

function dayOfYear(local: Date): number {
  const start = new Date(0);
  start.setUTCFullYear(local.getUTCFullYear(), 0, 1);
  return Math.floor((local.getTime() - start.getTime()) / DAY_MS);
}

function localTime(time: CelTimestamp, zone: string): Date | CelFault {
  const ms = time.seconds * 1000 + Math.floor(time.nanos / 1_000_000);
  const colon = zone.indexOf(':');
  if (colon < 0) return namedZone(ms, zone);
  const hours = atoi(zone.slice(0, colon));
  if (hours instanceof CelFault) return hours;
  const minutes = atoi(zone.slice(colon + 1));
  if (minutes instanceof CelFault) return minutes;
  const offset = zone.startsWith('-') ? hours * 60 - minutes : hours * 60 + minutes;
  return new Date(ms + offset * 60_000);
}

function atoi(text: string): number | CelFault {
  if (/^[+-]?\d{1,9}$/.test(text)) return Number(text);
  return new CelFault(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
}

function namedZone(ms: number, zone: string): Date | CelFault {
  if (zone === '' || zone === 'UTC') return new Date(ms);
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    const parts = new Map(format.formatToParts(ms).map((part) => [part.type, part.value]));
    const number = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type));
    const year = parts.get('era')?.startsWith('B') ? 1 - number('year') : number('year');
    const local = new Date(0);
    local.setUTCFullYear(year, number('month') - 1, number('day'));
    local.setUTCHours(
      number('hour'),
      number('minute'),
      number('second'),
      ((ms % 1000) + 1000) % 1000,
    );
    return local;
  } catch {
    return new CelFault(`unknown time zone ${zone}`);
  }
}

const inZone = (part: Part) => ({
  utc: (time: CelTimestamp): CelValue =>
    BigInt(part(new Date(time.seconds * 1000 + Math.floor(time.nanos / 1_000_000)))),
  zoned: (time: CelTimestamp, zone: string): CelValue => {
    const local = localTime(time, zone);
    return local instanceof CelFault ? local : BigInt(part(local));
  },
});

interface TimePart {
  readonly name: string;
  /** The overload's id, which gets `_with_tz` where a zone is given. */
  readonly id: string;
  readonly part: Part;
  readonly more?: readonly Overload[];
}

function timePart({ name, id, part, more = [] }: TimePart): FunctionDecl {
  const { utc, zoned } = inZone(part);
  return define(
    name,
    member(id, { args: [timestampType], result: intType, call: utc }),
    member(`${id}_with_tz`, { args: [timestampType, stringType], result: intType, call: zoned }),
    ...more,
  );
}

const ofDuration = (id: string, unit: bigint): Overload =>
  member(id, {
    args: [durationType],
    result: intType,
    call: (duration: CelDuration) => duration.nanos / unit,
  });

/** The functions that read parts of timestamps and durations. */
export const timeFunctions: readonly FunctionDecl[] = [
  timePart({ name: 'getFullYear', id: 'timestamp_to_year', part: (d) => d.getUTCFullYear() }),
  timePart({ name: 'getMonth', id: 'timestamp_to_month', part: (d) => d.getUTCMonth() }),
  timePart({ name: 'getDayOfYear', id: 'timestamp_to_day_of_year', part: dayOfYear }),
  timePart({
    name: 'getDayOfMonth',
    id: 'timestamp_to_day_of_month',
    part: (d) => d.getUTCDate() - 1,
  }),
  timePart({
    name: 'getDate',
    id: 'timestamp_to_day_of_month_1_based',
    part: (d) => d.getUTCDate(),
  }),
  timePart({ name: 'getDayOfWeek', id: 'timestamp_to_day_of_week', part: (d) => d.getUTCDay() }),
  timePart({
    name: 'getHours',
    id: 'timestamp_to_hours',
    part: (d) => d.getUTCHours(),
    more: [ofDuration('duration_to_hours', 3_600_000_000_000n)],
  }),
  timePart({
    name: 'getMinutes',
    id: 'timestamp_to_minutes',
    part: (d) => d.getUTCMinutes(),
    more: [ofDuration('duration_to_minutes', 60_000_000_000n)],
  }),
  timePart({
    name: 'getSeconds',
    id: 'timestamp_to_seconds',
    part: (d) => d.getUTCSeconds(),
    more: [ofDuration('duration_to_seconds', 1_000_000_000n)],
  }),
  timePart({
    name: 'getMilliseconds',
    id: 'timestamp_to_milliseconds',
    part: (d) => d.getUTCMilliseconds(),
    more: [ofDuration('duration_to_milliseconds', 1_000_000n)],
  }),
];
