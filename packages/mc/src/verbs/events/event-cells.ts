import { humanDuration } from '@flotilla/machinery';
import type { Column } from '../../output/table/table-part.ts';
import { printableLine } from '../../text/printable.ts';
import { type CoreEvent, microsOf } from './core-event.ts';

const column = (name: string): Column => ({ name, isName: false, priority: 0 });

/** kubectl's columns; none of them is a name, so the cluster stands before them. */
export function eventColumns(showsNamespace: boolean): Column[] {
  const names = ['Last Seen', 'Type', 'Reason', 'Object', 'Message'];
  return [...(showsNamespace ? ['Namespace'] : []), ...names].map(column);
}

/** An event as kubectl prints it. Line breaks are shown and not obeyed: a message must not look like another event. */
export function eventCells(
  event: CoreEvent,
  { now, showsNamespace }: { readonly now: number; readonly showsNamespace: boolean },
): string[] {
  const { type = '', reason = '', message = '', involvedObject, metadata } = event;
  const { kind = '', name = '' } = involvedObject ?? {};
  const cells = [interval(event, now), type, reason, `${kind}/${name}`, message.trim()];
  return [...(showsNamespace ? [metadata.namespace ?? ''] : []), ...cells].map((cell) =>
    printableLine(cell),
  );
}

/** `3m`, or `3m (x12 over 1h)` for what was seen more than once. */
function interval(event: CoreEvent, now: number): string {
  const { eventTime, firstTimestamp, lastTimestamp, series, count = 0 } = event;
  const since = (time: unknown): string => {
    const micros = microsOf(time);
    return micros === undefined ? '<unknown>' : humanDuration(now - micros / 1e3);
  };
  const first = since(microsOf(eventTime) === undefined ? firstTimestamp : eventTime);
  if (series !== undefined && series !== null) {
    return `${since(series.lastObservedTime)} (x${series.count ?? 0} over ${first})`;
  }
  return count > 1 ? `${since(lastTimestamp)} (x${count} over ${first})` : first;
}
