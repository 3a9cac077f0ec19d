/** The time that a line of a log begins with. */
export interface LogTime {
  /** Since 1970. */
  readonly seconds: number;
  readonly nanos: number;
  /** As it was written. */
  readonly text: string;
}

const BLANK = 0x20;
/** `2006-01-02T15:04:05.000000000-07:00` and the blank. */
const LONGEST = 37;
const SHORTEST = 20;
const TIME =
  /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])(\d\d):(\d\d))$/;

/** Reads the time before the first blank of a line; undefined when there is none. */
export function readLogTime(line: Buffer): LogTime | undefined {
  const end = line.subarray(0, LONGEST).indexOf(BLANK);
  if (end < SHORTEST) return undefined;
  const text = line.toString('latin1', 0, end);
  const match = TIME.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', sign, zoneHours, zoneMinutes] =
    match;
  const local = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
  const zone = (Number(zoneHours ?? 0) * 60 + Number(zoneMinutes ?? 0)) * 60;
  const seconds = local / 1_000 - (sign === '-' ? -zone : zone);
  return { seconds, nanos: Number(fraction.padEnd(9, '0')), text };
}

/** Below zero when the first is earlier. */
export function compareLogTimes(one: LogTime, other: LogTime): number {
  return one.seconds - other.seconds || one.nanos - other.nanos;
}
