import type { Json } from '@flotilla/machinery';
import { goPrint, goTypeOf } from './go-print.ts';
import type { GoType } from './go-type.ts';
import { badArgType, badPatchType, listOfLists, noMergeKey, patchFailure } from './patch-errors.ts';
import { goKind, type PatchRule } from './patch-schema.ts';

const MARKER = '$patch';

/** How a list is merged, and what merges its items. */
export interface ListMerge {
  readonly rule: PatchRule;
  /** Whether the patch lists values to take out. */
  readonly isDeleteList: boolean;
  readonly mergeObject: (original: Json, patch: Json, place: GoType) => Json;
}

/** A merged list, in order. */
export interface MergedList {
  readonly items: unknown[];
  /**
   * The server's list as upstream sees it once the merge is done. Upstream merges inside the memory of that list, so
   * items added in place of deleted ones count as the server's when `$setElementOrder` comes to order the result.
   */
  readonly server: readonly unknown[];
}

/** Merges a patch list into a list, and brings the result into upstream's order. */
export function mergeList(original: unknown[], patch: unknown[], how: ListMerge): MergedList {
  if (original.length === 0 && patch.length === 0) return { items: original, server: original };
  const { mergeKey } = how.rule;
  if (!isListOfObjects([original, patch])) {
    const listed = new Set(patch);
    const items = how.isDeleteList
      ? original.filter((item) => !listed.has(item))
      : orderList([...new Set([...original, ...patch])], {
          mergeKey,
          patchOrder: patch,
          serverOrder: original,
          isObjects: false,
        });
    return { items, server: original };
  }
  if (mergeKey === '') {
    throw patchFailure(`cannot merge lists without merge key for ${goKind(how.rule.type)}`);
  }
  const { server, changes, kept } = applyListDirectives(
    original as Json[],
    patch as Json[],
    mergeKey,
  );
  const merged = mergeItems(kept, changes, how);
  const items = orderList(merged, {
    mergeKey,
    patchOrder: changes,
    serverOrder: kept,
    isObjects: true,
  });
  return { items, server: [...server, ...merged.slice(kept.length)].slice(0, original.length) };
}

interface Directed {
  /** The server's list without what the patch deletes. */
  readonly server: Json[];
  /** What the changes are merged into: the server's list, or nothing of it after a replace. */
  readonly kept: Json[];
  /** The patch without its directives. */
  readonly changes: Json[];
}

/** Carries out the `$patch` items of a list. */
function applyListDirectives(original: Json[], patch: Json[], mergeKey: string): Directed {
  const deleted = new Set<unknown>();
  let isReplace = false;
  const changes: Json[] = [];
  for (const item of patch) {
    const directive = item[MARKER];
    if (!Object.hasOwn(item, MARKER)) {
      changes.push(item);
    } else if (directive === 'delete') {
      if (!Object.hasOwn(item, mergeKey)) throw noMergeKey(item, mergeKey);
      deleted.add(item[mergeKey]);
    } else if (directive === 'replace') {
      isReplace = true;
    } else if (directive === 'merge') {
      throw patchFailure('merging lists cannot yet be specified in the patch');
    } else {
      throw badPatchType(directive, item);
    }
  }
  const server = original.filter((entry) => !deleted.has(entry[mergeKey]));
  return isReplace ? { server, kept: changes, changes: [] } : { server, kept: server, changes };
}

function mergeItems(server: readonly Json[], changes: readonly Json[], how: ListMerge): Json[] {
  const { mergeKey, type } = how.rule;
  const merged = [...server];
  const places = indexes(merged.map((item) => item[mergeKey]));
  for (const change of changes) {
    if (!Object.hasOwn(change, mergeKey)) throw noMergeKey(change, mergeKey);
    const at = places.get(change[mergeKey]) ?? merged.length;
    const current = merged[at];
    if (current === undefined) places.set(change[mergeKey], at);
    merged[at] = current === undefined ? change : how.mergeObject(current, change, type);
  }
  return merged;
}

/** What a merged list is put in order by. */
export interface ListOrder {
  readonly mergeKey: string;
  readonly patchOrder: readonly unknown[];
  readonly serverOrder: readonly unknown[];
  /** Whether the items are objects, told apart by the merge key. */
  readonly isObjects: boolean;
}

/**
 * Orders a merged list: items the patch knows stand in the patch's order, all others in the server's; between the two,
 * a server-only item comes first only where the server had it before the patch's next item.
 */
export function orderList(merged: readonly unknown[], order: ListOrder): unknown[] {
  const { isObjects } = order;
  const keyOf = (item: unknown) => (isObjects ? (item as Json)[order.mergeKey] : item);
  if (isObjects) requireKeys([merged, order.patchOrder, order.serverOrder], order.mergeKey);
  const inPatch = indexes(order.patchOrder.map(keyOf));
  const onServer = indexes(order.serverOrder.map(keyOf));
  const place = (index: ReadonlyMap<unknown, number>) => (item: unknown) =>
    index.get(keyOf(item)) ?? -1;
  const known = sortedBy(
    merged.filter((item) => inPatch.has(keyOf(item))),
    place(inPatch),
  );
  const others = sortedBy(
    merged.filter((item) => !inPatch.has(keyOf(item))),
    place(onServer),
  );
  return interleave(others, known, place(onServer));
}

function interleave(
  others: readonly unknown[],
  known: readonly unknown[],
  serverPlace: (item: unknown) => number,
): unknown[] {
  const out: unknown[] = [];
  let i = 0;
  let j = 0;
  while (i < others.length && j < known.length) {
    const [a, b] = [serverPlace(others[i]), serverPlace(known[j])];
    if (a >= 0 && b >= 0 && a < b) out.push(others[i++]);
    else out.push(known[j++]);
  }
  return [...out, ...others.slice(i), ...known.slice(j)];
}

/** Go sorts blocks of so many items by insertion. */
const INSERTION_BLOCK = 20;

function sortedBy(items: readonly unknown[], place: (item: unknown) => number): unknown[] {
  const hasStranger = items.some((item) => place(item) < 0);
  if (hasStranger && items.length <= INSERTION_BLOCK) return insertionSorted(items, place);
  const rank = (item: unknown) => (place(item) < 0 ? Number.MAX_SAFE_INTEGER : place(item));
  return items.toSorted((a, b) => rank(a) - rank(b));
}

/** Items without a place compare as smaller than anything and greater at once; this is what upstream makes of them. */
function insertionSorted(items: readonly unknown[], place: (item: unknown) => number): unknown[] {
  const out = [...items];
  const isLess = (a: unknown, b: unknown) => place(a) < 0 || place(b) < 0 || place(a) < place(b);
  for (let i = 1; i < out.length; i += 1) {
    for (let j = i; j > 0 && isLess(out[j], out[j - 1]); j -= 1) {
      [out[j - 1], out[j]] = [out[j], out[j - 1]];
    }
  }
  return out;
}

function indexes(keys: readonly unknown[]): Map<unknown, number> {
  const found = new Map<unknown, number>();
  keys.forEach((key, index) => {
    if (!found.has(key)) found.set(key, index);
  });
  return found;
}

function requireKeys(lists: readonly (readonly unknown[])[], mergeKey: string): void {
  for (const item of lists.flat()) {
    if (!isObject(item)) throw badArgType('object', item);
    if (!Object.hasOwn(item, mergeKey)) throw noMergeKey(item, mergeKey);
  }
}

/** Checks that the items of a patch stand in the order that `$setElementOrder` gives them. */
export function checkOrder(patch: readonly unknown[], order: readonly unknown[], mergeKey: string) {
  if (patch.length === 0 || order.length === 0) return;
  const keyOf = (item: unknown): unknown => {
    if (mergeKey === '') return item;
    if (!isObject(item)) throw badArgType('object', item);
    if (!Object.hasOwn(item, mergeKey)) throw noMergeKey(item, mergeKey);
    return item[mergeKey];
  };
  const directive = (item: unknown) => (isObject(item) ? item[MARKER] : undefined);
  const items = mergeKey === '' ? patch : patch.filter((item) => directive(item) !== 'delete');
  let at = 0;
  let next = 0;
  while (at < items.length && next < order.length) {
    if (directive(items[at]) !== undefined) {
      at += 1;
    } else {
      if (keyOf(items[at]) === keyOf(order[next])) at += 1;
      next += 1;
    }
  }
  if (at < items.length) {
    throw patchFailure(
      `The order in patch list:\n${goPrint(patch)}\n doesn't match $setElementOrder list:\n${goPrint(order)}\n`,
    );
  }
}

/** Whether the lists hold objects; they must hold values of one type only, and no lists. */
export function isListOfObjects(lists: readonly (readonly unknown[])[]): boolean {
  const [first, ...others] = lists.flat().map(goTypeOf);
  if (first === undefined) throw patchFailure('no elements in any of the given slices');
  if (first === goTypeOf([])) throw listOfLists();
  if (others.some((type) => type !== first)) {
    throw patchFailure(`list element types are not identical: ${goPrint(lists)}`);
  }
  return first === goTypeOf({});
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
