import type { HistoryReader } from '../engine.ts';
import type { Change, Tenant } from '../store.ts';
import type { Generation } from './generation.ts';
import { readEntry } from './ranges.ts';
import { decodeLog, type LogRecord, logKey } from './records.ts';
import { readingMany } from './tables.ts';

/** Log entries looked at per turn of the event loop while history is prepared: about 5 ms. */
const SCAN_SLICE = 2_000;
/** Changes handed out per turn of the event loop. */
const CHANGES_SLICE = 250;

/** A run of the log: after one revision, through another. */
export interface Span {
  readonly after: number;
  readonly through: number;
}

/** One entry of the log; throws DamagedRecord, also when it is missing. */
export function readLogged(generation: Generation, tenant: Tenant, revision: number): LogRecord {
  const at = logKey(tenant, revision);
  return decodeLog(at, revision, generation.tables.log.get(at, generation.options));
}

/** Visits the log entries of a span in order; throws DamagedRecord where one is missing. */
export function forEachLogged(
  generation: Generation,
  span: Span & { tenant: Tenant },
  visit: (record: LogRecord) => void,
): void {
  const { tenant, through } = span;
  const rows = generation.tables.log.getRange({
    start: logKey(tenant, span.after + 1),
    end: logKey(tenant, through + 1),
    ...generation.options,
  });
  readingMany(() => {
    let revision = span.after;
    for (const { key, value } of rows) {
      revision++;
      visit(decodeLog(key, revision, key === logKey(tenant, revision) ? value : undefined));
    }
    if (revision < through) decodeLog('', revision + 1, undefined);
  });
}

interface Step {
  readonly revision: number;
  readonly key: string;
  /** The next change of the same key in the span; 0 when the current object is its outcome. */
  next: number;
}

/**
 * Reads changes back from the log. A log entry has the value before its write; the value after it
 * stands in the key's next entry. So it first goes through the span, keys only, to learn
 * which entry that is, then hands out the changes, both in slices.
 */
export function readHistory(
  generation: Generation,
  span: Span & { tenant: Tenant },
): HistoryReader {
  const { tenant, through } = span;
  const held = generation.hold();
  const steps: Step[] = [];
  const lastOf = new Map<string, Step>();
  let scanned = span.after;
  let given = 0;

  const scan = () => {
    const slice = { tenant, after: scanned, through: Math.min(scanned + SCAN_SLICE, through) };
    forEachLogged(held, slice, ({ revision, key }) => {
      const step = { revision, key, next: 0 };
      const before = lastOf.get(key);
      if (before) before.next = revision;
      lastOf.set(key, step);
      steps.push(step);
    });
    scanned = slice.through;
    if (scanned === through) lastOf.clear();
  };

  const change = ({ revision, key, next }: Step): Change => {
    const { previous } = readLogged(held, tenant, revision);
    return { tenant, revision, key, previous, value: valueAfter({ revision, key, next }) };
  };

  const valueAfter = ({ revision, key, next }: Step): Buffer | undefined => {
    if (next > 0) return readLogged(held, tenant, next).previous;
    const entry = readEntry(held, tenant, key);
    return entry?.revision === revision ? entry.value : undefined;
  };

  let isOpen = true;
  return {
    next() {
      if (scanned < through) {
        scan();
        return [];
      }
      if (given >= steps.length) return undefined;
      const slice = steps.slice(given, given + CHANGES_SLICE).map(change);
      given += CHANGES_SLICE;
      return slice;
    },
    [Symbol.dispose]() {
      if (isOpen) held.release();
      isOpen = false;
    },
  };
}
