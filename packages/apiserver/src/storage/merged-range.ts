import { compareKeys, rangeStart } from './keys.ts';
import type { Entry } from './store.ts';

/** A sorted list of keys laid over a range that is read page by page. */
export interface Overlay {
  readonly keys: readonly string[];
  /** What to show for a key of the list, given what the pages have for it; undefined hides it. */
  show(key: string, paged: Entry | undefined): Entry | undefined;
}

/** What a range asks for. */
export interface RangeQuery {
  readonly prefix: string;
  readonly after?: string | undefined;
  readonly limit: number;
}

type ReadPage = (after: string | undefined, limit: number) => Entry[];

/** Entries of both, in key order, without reading more pages than the limit needs. */
export function mergedRange(query: RangeQuery, overlay: Overlay, readPage: ReadPage): Entry[] {
  const { prefix, limit } = query;
  const { keys } = overlay;
  const merged: Entry[] = [];
  let index = rangeStart(keys, prefix, query.after);
  let after = query.after;
  const push = (entry: Entry | undefined) => {
    if (entry) merged.push(entry);
  };
  while (merged.length < limit) {
    const asked = limit - merged.length;
    const page = readPage(after, asked);
    for (const row of page) {
      for (; merged.length < limit && isBefore(keys[index], row.key); index++) {
        push(overlay.show(keys[index] as string, undefined));
      }
      if (merged.length >= limit) return merged;
      push(keys[index] === row.key ? overlay.show(row.key, row) : row);
      if (keys[index] === row.key) index++;
    }
    after = page.at(-1)?.key;
    if (page.length < asked) break;
  }
  for (; merged.length < limit && keys[index]?.startsWith(prefix); index++) {
    push(overlay.show(keys[index] as string, undefined));
  }
  return merged;
}

/** How many entries the overlay adds to (or hides from) a count over the pages. */
export function overlayCount(
  query: { prefix: string; after?: string | undefined },
  overlay: Overlay,
  read: (key: string) => Entry | undefined,
): number {
  let added = 0;
  let index = rangeStart(overlay.keys, query.prefix, query.after);
  for (; overlay.keys[index]?.startsWith(query.prefix); index++) {
    const key = overlay.keys[index] as string;
    const paged = read(key);
    if (paged) added--;
    if (overlay.show(key, paged)) added++;
  }
  return added;
}

function isBefore(key: string | undefined, other: string): boolean {
  return key !== undefined && compareKeys(key, other) < 0;
}
