import type { FieldFilter } from './field-filter.ts';
import {
  EMPTY_SET,
  type FieldSet,
  isEmptySet,
  type MutableFieldSet,
  SELF,
  sortElements,
} from './field-set.ts';
import { ItemError, itemElement } from './list-items.ts';
import {
  type Form,
  formOf,
  type ListSchema,
  type MapSchema,
  type MergeSchema,
  memberSchema,
  settle,
} from './merge-schema.ts';
import { fieldElement, type PathElement, pathText } from './path-element.ts';
import { TypedError, type TypedProblem } from './typed-error.ts';
import { scalarProblem } from './validate-typed.ts';
import { isMap, sameValue } from './values.ts';

/** How one value of a type differs from another; no field is in more than one of the sets. */
export interface Comparison {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
}

/** Compares two values of a type. Throws TypedError when list items cannot be told apart. */
export function compareTyped(schema: MergeSchema, before: unknown, after: unknown): Comparison {
  const walk: Walk = {
    path: [],
    removed: {},
    modified: {},
    added: {},
    leaves: new Set(),
    problems: [],
  };
  compare(schema, { before, after }, walk);
  if (walk.problems.length > 0) throw new TypedError(walk.problems);
  return {
    removed: ordered(walk.removed),
    modified: ordered(walk.modified),
    added: ordered(walk.added),
  };
}

/** What a filter leaves of a comparison. */
export function filterComparison(comparison: Comparison, filter: FieldFilter): Comparison {
  return {
    removed: filter(comparison.removed),
    modified: filter(comparison.modified),
    added: filter(comparison.added),
  };
}

/** Whether nothing differs. */
export function isSame({ removed, modified, added }: Comparison): boolean {
  return isEmptySet(removed) && isEmptySet(modified) && isEmptySet(added);
}

interface Walk {
  readonly path: PathElement[];
  readonly removed: MutableFieldSet;
  readonly modified: MutableFieldSet;
  readonly added: MutableFieldSet;
  /** Members with nothing below them yet; asking a large set whether it is empty takes as long as it is large. */
  readonly leaves: Set<MutableFieldSet>;
  readonly problems: TypedProblem[];
}

/** Two values at one place; undefined where there is none. */
interface Pair {
  readonly before: unknown;
  readonly after: unknown;
}

/** Adds the path walked so far; sets are brought into order once all is known. */
function insert(set: MutableFieldSet, { path, leaves }: Walk): void {
  let node = set;
  for (const [depth, element] of path.entries()) {
    const isLast = depth === path.length - 1;
    let next = node[element] as MutableFieldSet | undefined;
    if (next === undefined) {
      next = {};
      node[element] = next;
      if (isLast) leaves.add(next);
    } else if (isLast || leaves.delete(next)) {
      // A member stays one when something comes to stand below it.
      next[SELF] = EMPTY_SET;
    }
    node = next;
  }
}

function ordered(set: MutableFieldSet): FieldSet {
  for (const element in set) {
    const node = set[element] as MutableFieldSet;
    if (element !== SELF) set[element] = tidy(ordered(node));
  }
  return sortElements(set);
}

/** A member with nothing below it is written as an empty object. */
function tidy(node: FieldSet): FieldSet {
  if (node[SELF] === undefined) return node;
  for (const element in node) if (element !== SELF) return node;
  return EMPTY_SET;
}

function compare(schema: MergeSchema, pair: Pair, walk: Walk): void {
  const { before, after } = pair;
  if (before === after) return;
  const left = formOf(schema, before);
  const right = formOf(schema, after);
  let isLeaf: boolean;
  if (after === undefined) isLeaf = compareAs(schema, pair, { form: left, walk });
  else {
    if (before !== undefined && left !== right) compareAs(schema, pair, { form: left, walk });
    isLeaf = compareAs(schema, pair, { form: right, walk });
  }
  if (isLeaf) return;
  if (before === undefined) insert(walk.added, walk);
  else if (after === undefined) insert(walk.removed, walk);
}

/** Compares two values taken in one form; true when they were compared as a whole. */
function compareAs(
  schema: MergeSchema,
  pair: Pair,
  { form, walk }: { form: Form; walk: Walk },
): boolean {
  switch (settle(schema, form)) {
    case 'map':
      return compareMaps(schema.map as MapSchema, pair, walk);
    case 'list':
      return compareLists(schema.list as ListSchema, pair, walk);
    default:
      return compareScalars(schema, pair, walk);
  }
}

function compareScalars(schema: MergeSchema, pair: Pair, walk: Walk): boolean {
  const scalar = schema.scalar ?? 'untyped';
  const before = scalarProblem(scalar, pair.before);
  const after = scalarProblem(scalar, pair.after);
  if (before !== undefined && after !== undefined) {
    report(walk, `lhs: ${before}`);
    report(walk, `rhs: ${after}`);
    return false;
  }
  compareLeaf(pair, walk);
  return true;
}

function report({ problems, path }: Walk, message: string): void {
  problems.push({ path: pathText(path), message });
}

function compareLeaf({ before, after }: Pair, walk: Walk): void {
  if (before === undefined) insert(walk.added, walk);
  else if (after === undefined) insert(walk.removed, walk);
  else if (!sameValue(before, after)) insert(walk.modified, walk);
}

function compareMaps(map: MapSchema, pair: Pair, walk: Walk): boolean {
  const before = isMap(pair.before) ? pair.before : {};
  const after = isMap(pair.after) ? pair.after : {};
  if (map.atomic || (hasNoMember(before) && hasNoMember(after))) {
    compareLeaf(pair, walk);
    return true;
  }
  for (const name in after) {
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    if (old !== after[name])
      compareMember(map, name, { pair: { before: old, after: after[name] }, walk });
  }
  for (const name in before) {
    if (Object.hasOwn(after, name)) continue;
    compareMember(map, name, { pair: { before: before[name], after: undefined }, walk });
  }
  return false;
}

function hasNoMember(map: object): boolean {
  for (const _ in map) return false;
  return true;
}

function compareMember(
  map: MapSchema,
  name: string,
  { pair, walk }: { pair: Pair; walk: Walk },
): void {
  const schema = memberSchema(map, name);
  walk.path.push(fieldElement(name));
  if (schema === undefined) report(walk, 'field not declared in schema');
  else compare(schema, pair, walk);
  walk.path.pop();
}

function compareLists(list: ListSchema, pair: Pair, walk: Walk): boolean {
  const before = Array.isArray(pair.before) ? pair.before : [];
  const after = Array.isArray(pair.after) ? pair.after : [];
  if (list.atomic || (before.length === 0 && after.length === 0)) {
    compareLeaf(pair, walk);
    return true;
  }
  // Most lists of an object that changes do not: telling items apart is the costly part.
  if (sameValue(before, after)) return false;
  const old = itemsByElement(list, before, walk);
  const next = itemsByElement(list, after, walk);
  for (const element of new Set([...old.keys(), ...next.keys()])) {
    compareItems(list, element, {
      before: old.get(element) ?? [],
      after: next.get(element) ?? [],
      walk,
    });
  }
  return false;
}

function itemsByElement(
  list: ListSchema,
  items: readonly unknown[],
  walk: Walk,
): Map<PathElement, unknown[]> {
  const found = new Map<PathElement, unknown[]>();
  for (const [index, item] of items.entries()) {
    try {
      const element = itemElement(list, item);
      const known = found.get(element);
      if (known === undefined) found.set(element, [item]);
      else known.push(item);
    } catch (error) {
      if (!(error instanceof ItemError)) throw error;
      report(walk, `element ${index}: ${error.message}`);
    }
  }
  return found;
}

/** Items that stand twice cannot be told apart: they are compared as a whole, under one element. */
function compareItems(
  list: ListSchema,
  element: PathElement,
  { before, after, walk }: { before: readonly unknown[]; after: readonly unknown[]; walk: Walk },
): void {
  const schema = list.items();
  walk.path.push(element);
  if (before.length <= 1 && after.length <= 1) {
    compare(schema, { before: before[0], after: after[0] }, walk);
  } else if (before.length > 1 && after.length > 1) {
    if (!sameValue(before, after)) insert(walk.modified, walk);
  } else if (before.length > 1) {
    if (after.length > 0) compare(schema, { before: undefined, after: after[0] }, walk);
    insert(walk.removed, walk);
  } else {
    if (before.length > 0) compare(schema, { before: before[0], after: undefined }, walk);
    insert(walk.added, walk);
  }
  walk.path.pop();
}
