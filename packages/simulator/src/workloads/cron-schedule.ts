/** The minutes at which something is to happen, in the five fields of cron. */
export interface CronSchedule {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  readonly weekdays: ReadonlySet<number>;
  /** Whether a day must satisfy both, the days and the weekdays, or only one of them. */
  readonly needsBothDays: boolean;
}

const MACROS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** Reads a schedule; undefined for what is none. */
export function parseSchedule(text: string): CronSchedule | undefined {
  const parts = (MACROS[text.trim()] ?? text).trim().split(/\s+/);
  if (parts.length !== 5) return undefined;
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = parts;
  const fields = [
    parseField(minute, { from: 0, to: 59 }),
    parseField(hour, { from: 0, to: 23 }),
    parseField(day, { from: 1, to: 31 }),
    parseField(month, { from: 1, to: 12, names: MONTHS }),
    parseField(weekday, { from: 0, to: 6, names: WEEKDAYS }),
  ];
  const [minutes, hours, days, months, weekdays] = fields;
  if (!minutes || !hours || !days || !months || !weekdays) return undefined;
  const isOpen = (field: string): boolean => /^[*?]/.test(field);
  return { minutes, hours, days, months, weekdays, needsBothDays: isOpen(day) || isOpen(weekday) };
}

interface Bounds {
  readonly from: number;
  readonly to: number;
  readonly names?: readonly string[];
}

function parseField(field: string, bounds: Bounds): Set<number> | undefined {
  const found = new Set<number>();
  for (const part of field.split(',')) {
    const [range = '', stepText] = part.split('/');
    const step = stepText === undefined ? 1 : Number(stepText);
    const ends = /^[*?]$/.test(range)
      ? [bounds.from, bounds.to]
      : range.split('-').map(numberIn(bounds));
    const [first = Number.NaN, last = stepText === undefined ? first : bounds.to] = ends;
    const isFine =
      Number.isInteger(step) &&
      step > 0 &&
      first >= bounds.from &&
      last <= bounds.to &&
      first <= last;
    if (!isFine || ends.length > 2) return undefined;
    for (let value = first; value <= last; value += step) found.add(value);
  }
  return found;
}

function numberIn({ names = [], from }: Bounds): (text: string) => number {
  return (text) => {
    const index = names.indexOf(text.toLowerCase());
    if (index >= 0) return index + from;
    return /^\d+$/.test(text) ? Number(text) : Number.NaN;
  };
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A schedule for the 29th of February comes within eight years, or never. */
const LONGEST_MS = 8 * 366 * DAY_MS;

/** The first moment after `afterMs` that a schedule names; undefined when there is none. `offsetMs` is how far a time zone is ahead of UTC. */
export function nextRun(
  schedule: CronSchedule,
  afterMs: number,
  offsetMs: (atMs: number) => number,
): number | undefined {
  let atMs = (Math.floor(afterMs / MINUTE_MS) + 1) * MINUTE_MS;
  const endMs = afterMs + LONGEST_MS;
  while (atMs <= endMs) {
    const local = new Date(atMs + offsetMs(atMs));
    const midnight = local.getTime() - (local.getTime() % DAY_MS);
    if (!isDay(schedule, local)) atMs += midnight + DAY_MS - local.getTime();
    else if (!schedule.hours.has(local.getUTCHours())) {
      atMs += (60 - local.getUTCMinutes()) * MINUTE_MS;
    } else if (!schedule.minutes.has(local.getUTCMinutes())) atMs += MINUTE_MS;
    else return atMs;
  }
  return undefined;
}

function isDay(schedule: CronSchedule, local: Date): boolean {
  if (!schedule.months.has(local.getUTCMonth() + 1)) return false;
  const isDate = schedule.days.has(local.getUTCDate());
  const isWeekday = schedule.weekdays.has(local.getUTCDay());
  return schedule.needsBothDays ? isDate && isWeekday : isDate || isWeekday;
}

/** How far a time zone is ahead of UTC; undefined for a zone that nobody knows. */
export function zoneOffset(timeZone: string): ((atMs: number) => number) | undefined {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  } catch {
    return undefined;
  }
  return (atMs) => {
    const name =
      format.formatToParts(atMs).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d+):(\d+)/.exec(name) ?? [];
    const ahead = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
    return sign === '-' ? -ahead : ahead;
  };
}
