/** Reads cron schedules only to say what is wrong with them, in the words of the parser upstream uses. */
import { goQuote, parseDuration } from '@flotilla/machinery';
import { isTimeZone } from './time-zone.ts';

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const monthNames = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const dayNames = 'sun mon tue wed thu fri sat'.split(' ');

const fieldBounds: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: monthNames },
  { min: 0, max: 6, names: dayNames },
];

const descriptors = [
  '@yearly',
  '@annually',
  '@monthly',
  '@weekly',
  '@daily',
  '@midnight',
  '@hourly',
];

const EVERY = '@every ';

/** What is wrong with a schedule, or '' when it can be read. */
export function scheduleProblem(schedule: string): string {
  let spec = schedule;
  if (/^(CRON_)?TZ=/.test(spec)) {
    const space = spec.indexOf(' ');
    const zone = spec.slice(spec.indexOf('=') + 1, space < 0 ? undefined : space);
    if (!isTimeZone(zone)) return `provided bad location ${zone}: unknown time zone ${zone}`;
    spec = space < 0 ? '' : spec.slice(space).trim();
  }
  if (spec.startsWith('@')) return descriptorProblem(spec);
  const fields = spec.split(/\s+/).filter((field) => field !== '');
  if (fields.length !== fieldBounds.length) {
    return `expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`;
  }
  for (const [index, bounds] of fieldBounds.entries()) {
    for (const range of (fields[index] ?? '').split(',').filter((part) => part !== '')) {
      const problem = rangeProblem(range, bounds);
      if (problem !== '') return problem;
    }
  }
  return '';
}

function descriptorProblem(descriptor: string): string {
  if (descriptors.includes(descriptor)) return '';
  if (!descriptor.startsWith(EVERY)) return `unrecognized descriptor: ${descriptor}`;
  try {
    parseDuration(descriptor.slice(EVERY.length));
    return '';
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return `failed to parse duration ${descriptor}: ${detail}`;
  }
}

function rangeProblem(text: string, { min, max, names }: Bounds): string {
  const parts = text.split('/');
  const ends = (parts[0] ?? '').split('-');
  let start = min;
  let end = max;
  if (ends[0] !== '*' && ends[0] !== '?') {
    const low = readNumber(ends[0] ?? '', names, min);
    if (typeof low === 'string') return low;
    start = low;
    end = low;
    if (ends.length > 2) return `too many hyphens: ${text}`;
    if (ends.length === 2) {
      const high = readNumber(ends[1] ?? '', names, min);
      if (typeof high === 'string') return high;
      end = high;
    }
  }
  let step = 1;
  if (parts.length > 2) return `too many slashes: ${text}`;
  if (parts.length === 2) {
    const read = readNumber(parts[1] ?? '', undefined, 0);
    if (typeof read === 'string') return read;
    step = read;
    if (ends.length === 1) end = max;
  }
  if (start < min) return `beginning of range (${start}) below minimum (${min}): ${text}`;
  if (end > max) return `end of range (${end}) above maximum (${max}): ${text}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${text}`;
  return step === 0 ? `step of range should be a positive number: ${text}` : '';
}

/** The number, or what is wrong with it. */
function readNumber(
  text: string,
  names: readonly string[] | undefined,
  first: number,
): number | string {
  const named = names?.indexOf(text.toLowerCase()) ?? -1;
  if (named >= 0) return named + first;
  const failed = (why: string) =>
    `failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: ${why}`;
  if (!/^[+-]?[0-9]+$/.test(text)) return failed('invalid syntax');
  const value = BigInt(text.replace('+', ''));
  if (value > 2n ** 63n - 1n || value < -(2n ** 63n)) return failed('value out of range');
  return value < 0n ? `negative number (${value}) not allowed: ${text}` : Number(value);
}
