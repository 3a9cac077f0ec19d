import { compareQuantities, goQuote } from '@flotilla/machinery';
import { UsageError } from '../../usage-error.ts';
import type { SortKey, SortPath } from './sort-key.ts';

/**
 * Sorts by keys as kubectl does: missing ones first, quantities by amount, all else by itself. What is equal keeps its
 * order. Throws kubectl's words when no object has the field.
 */
export function sortBy<T>(
  items: readonly T[],
  keyOf: (item: T) => SortKey | undefined,
  path: SortPath,
): T[] {
  if (items.length === 0) return [];
  if (items.every((item) => (keyOf(item) ?? MISSING).kind === 'missing')) {
    throw noSuchField(path);
  }
  if (items.length === 1) return [...items];
  return [...items].sort((a, b) => compareKeys(keyOf(a) ?? MISSING, keyOf(b) ?? MISSING, path));
}

/** The same where nothing may go wrong any more: what has no order, or no field, stays where it is. */
export function sortLeniently<T>(
  items: readonly T[],
  keyOf: (item: T) => SortKey | undefined,
): T[] {
  const keyed = items.map((item) => ({ item, key: keyOf(item) ?? MISSING }));
  const isMixed =
    new Set(keyed.map(({ key }) => key.kind).filter((kind) => kind !== 'missing')).size > 1;
  if (isMixed || keyed.some(({ key }) => key.kind === 'other')) return [...items];
  return keyed.sort((a, b) => compareKeys(a.key, b.key, NO_PATH)).map(({ item }) => item);
}

/** kubectl's words for a field that no object has. */
export function noSuchField({ text }: Pick<SortPath, 'text'>): UsageError {
  return new UsageError(
    `couldn't find any field with path ${goQuote(text)} in the list of objects`,
  );
}

const NO_PATH = { text: '' };
const MISSING: SortKey = { kind: 'missing' };

function compareKeys(a: SortKey, b: SortKey, path: Pick<SortPath, 'text'>): number {
  if (a.kind === 'missing' || b.kind === 'missing') {
    return Number(b.kind === 'missing') - Number(a.kind === 'missing');
  }
  if (a.kind === 'number' && b.kind === 'number') return compareValues(a.value, b.value);
  if (a.kind === 'text' && b.kind === 'text') {
    return a.quantity !== undefined && b.quantity !== undefined
      ? compareQuantities(a.quantity, b.quantity)
      : compareValues(a.value, b.value);
  }
  const other = a.kind === 'other' ? a.type : b.kind === 'other' ? b.type : undefined;
  throw new UsageError(
    other === undefined
      ? `Field ${path.text} is an unsortable type: it is a number in one object and a text in another`
      : `Field ${path.text} is an unsortable type: ${other}`,
  );
}

function compareValues<V extends string | number | bigint>(a: V, b: V): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
