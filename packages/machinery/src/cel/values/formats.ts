import { daysFromCivil, parseGoDuration, parseTimestamp, timestampOf } from './time.ts';
import { CelDuration, CelFault, CelTimestamp } from './value.ts';

/** The formats of OpenAPI that give strings another type. */

/** Reads a date without a time. */
export function parseDate(text: string): CelTimestamp | undefined {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (!parts) return undefined;
  const days = daysFromCivil(Number(parts[1]), Number(parts[2]), Number(parts[3]));
  if (days === undefined) return undefined;
  const time = timestampOf(days * 86_400, 0);
  return time instanceof CelFault ? undefined : time;
}

/** Reads RFC 3339, or a time without a zone, which is UTC; an empty text is 1970. */
export function parseDateTime(text: string): CelTimestamp | undefined {
  if (text === '') return new CelTimestamp(0, 0);
  const isLocal = /T\d\d:\d\d:\d\d(?:\.\d+)?$/.test(text);
  const time = parseTimestamp(isLocal ? `${text}Z` : text);
  return time instanceof CelTimestamp ? time : undefined;
}

/** Each unit's names; whatever begins with the last name is also the unit. */
const UNITS: readonly (readonly [names: readonly string[], nanos: bigint])[] = [
  [['ns', 'nano'], 1n],
  [['us', 'µs', 'micro'], 1000n],
  [['ms', 'milli'], 1_000_000n],
  [['s', 'sec'], 1_000_000_000n],
  [['m', 'min'], 60_000_000_000n],
  [['h', 'hr', 'hour'], 3_600_000_000_000n],
  [['d', 'day'], 86_400_000_000_000n],
  [['w', 'wk', 'week'], 604_800_000_000_000n],
];

function unitOf(text: string): bigint | undefined {
  const unit = text.toLowerCase();
  return UNITS.find(
    ([names]) => names.includes(unit) || unit.startsWith(names.at(-1) ?? unit),
  )?.[1];
}

/** Reads Go's durations, and those with days and weeks or units in words. */
export function parseOpenApiDuration(text: string): CelDuration | undefined {
  const nanos = parseGoDuration(text);
  if (nanos !== undefined) return new CelDuration(nanos);
  let total = 0n;
  let found = false;
  for (const [, count = '0', unit = ''] of text.matchAll(/(\d{1,19})\s*([A-Za-z\u00b5]+)/g)) {
    const scale = unitOf(unit);
    if (scale === undefined) continue;
    total += BigInt(count) * scale;
    found = true;
  }
  return found ? new CelDuration(BigInt.asIntN(64, total)) : undefined;
}

const BASE64 = /^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{2}==|[A-Za-z0-9_-]{3}=)?$/;

/** Reads base64 with padding, in the alphabet of URLs as upstream does. */
export function parseBytes(text: string): Uint8Array | undefined {
  const compact = text.replace(/[\r\n]/g, '');
  if (!BASE64.test(compact)) return undefined;
  const standard = compact.replaceAll('-', '+').replaceAll('_', '/');
  return Uint8Array.from(atob(standard), (character) => character.charCodeAt(0));
}
