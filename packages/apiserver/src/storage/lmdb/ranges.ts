import { compareKeys, fullKey, isTooLong } from '../keys.ts';
import { DamagedRecord, type Entry, type Tenant } from '../store.ts';
import type { Generation } from './generation.ts';
import { decodeObject } from './records.ts';
import { readingMany } from './tables.ts';

/** A run of a tenant's keys. */
export interface TenantRange {
  readonly tenant: Tenant;
  readonly prefix: string;
  readonly after?: string | undefined;
}

/** One key of one generation. */
export function readEntry(generation: Generation, tenant: Tenant, key: string): Entry | undefined {
  if (key === '' || isTooLong(tenant, key)) return undefined;
  const at = fullKey(tenant, key);
  const options = generation.options;
  try {
    const record = generation.tables.objects.get(at, options);
    return record && decodeObject(at, key, record);
  } catch (err) {
    throw asDamage(err, key);
  }
}

/** The first entries of a range, in key order. */
export function readRange(generation: Generation, range: TenantRange & { limit: number }): Entry[] {
  const { tenant, limit } = range;
  const span = spanOf(range);
  if (span === undefined || limit <= 0) return [];
  const skip = tenant.length + 1;
  const rows = generation.tables.objects.getRange({ ...span, limit, ...generation.options });
  return readingMany(() => {
    const entries: Entry[] = [];
    try {
      for (const { key, value } of rows) entries.push(decodeObject(key, key.slice(skip), value));
    } catch (err) {
      throw asDamage(err, `${range.prefix}*`);
    }
    return entries;
  });
}

/** lmdb found one of its own pages damaged: to the reader this is no different. */
function asDamage(err: unknown, key: string): unknown {
  const isDamage = err instanceof Error && err.message.startsWith('MDB_');
  return isDamage ? new DamagedRecord(key, { cause: err }) : err;
}

/** How many entries a range has. */
export function countRange(generation: Generation, range: TenantRange): number {
  const span = spanOf(range);
  if (span === undefined) return 0;
  return generation.tables.objects.getKeysCount({ ...span, ...generation.options });
}

/** First and one-past-last key of a range; undefined when nothing can be in it. */
function spanOf(range: TenantRange): { start: string; end: string } | undefined {
  const { tenant, prefix, after } = range;
  if (isTooLong(tenant, prefix)) return undefined;
  const end = afterAll(fullKey(tenant, prefix));
  if (after === undefined || compareKeys(after, prefix) < 0) {
    return { start: fullKey(tenant, prefix), end };
  }
  if (!after.startsWith(prefix)) return undefined;
  // The next possible key: one more byte, the smallest there is.
  const next = `${after}\0`;
  if (isTooLong(tenant, next)) throw new TypeError(`Cannot list after "${after}": it is too long`);
  return { start: fullKey(tenant, next), end };
}

/** The smallest text that sorts after every text with the prefix, which is never empty. */
function afterAll(prefix: string): string {
  const points = [...prefix];
  for (;;) {
    const last = points.pop()?.codePointAt(0) ?? 0;
    // The very last character has no successor: the one before it decides.
    if (last === 0x10ffff) continue;
    // Between 0xd800 and 0xdfff are no characters.
    const next = last === 0xd7ff ? 0xe000 : last + 1;
    return points.join('') + String.fromCodePoint(next);
  }
}
