import {
  defineKind,
  isZeroTime,
  type KubeObject,
  ParseError,
  parseTime,
} from '@flotilla/machinery';

/** An event in the form of the core group, which kubectl shows. */
export interface CoreEvent extends KubeObject {
  involvedObject?: { kind?: string; name?: string; apiVersion?: string };
  type?: string;
  reason?: string;
  message?: string;
  count?: number;
  firstTimestamp?: string | null;
  lastTimestamp?: string | null;
  eventTime?: string | null;
  series?: { count?: number; lastObservedTime?: string | null } | null;
}

/** v1 Events. */
export const CoreEvents = defineKind<CoreEvent>({
  group: '',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  namespaced: true,
});

/** When it was last seen, in microseconds since 1970; the beginning of time when nobody says. */
export function lastSeen({ series, lastTimestamp, eventTime }: CoreEvent): number {
  if (series !== undefined && series !== null) return microsOf(series.lastObservedTime) ?? 0;
  return microsOf(lastTimestamp) ?? microsOf(eventTime) ?? 0;
}

/** Microseconds of a time; undefined for none, for Go's zero and for what is no time. */
export function microsOf(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const instant = parseTime(text);
    if (isZeroTime(instant)) return undefined;
    return instant.seconds * 1e6 + Math.trunc(instant.nanos / 1e3);
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}
