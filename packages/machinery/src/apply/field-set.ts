import { compareElements } from './path-element.ts';

/**
 * A set of fields in the very form FieldsV1 has in JSON: `{"f:spec":{"f:replicas":{}}}`. A key is a path element; it is
 * itself a member when its value is empty or has the key `.`, and has members below it when its value has other keys.
 * Keys stand in upstream's order. Sets are never changed once made, so that they may share parts.
 */
export interface FieldSet {
  readonly [element: string]: FieldSet;
}

/** A set under construction. */
export interface MutableFieldSet {
  [element: string]: MutableFieldSet | FieldSet;
}

/** The empty set, and as a value in a set: a member with nothing below it. */
export const EMPTY_SET: FieldSet = Object.freeze({});

/** The key that says that the element itself is a member, where others stand below it. */
export const SELF = '.';

/** Whether a set has no members. */
export function isEmptySet(set: FieldSet): boolean {
  for (const _ in set) return false;
  return true;
}

/** Whether the element with this value is itself a member. */
export function isMember(node: FieldSet | undefined): boolean {
  return node !== undefined && (node[SELF] !== undefined || isEmptySet(node));
}

/** Whether the path is a member; parents of members are not. */
export function hasPath(set: FieldSet, path: readonly string[]): boolean {
  let node: FieldSet | undefined = set;
  for (const element of path) node = node?.[element];
  return path.length > 0 && isMember(node);
}

/** What stands below an element, without the element itself. */
export function below(set: FieldSet, element: string): FieldSet {
  const node = set[element];
  return node === undefined ? EMPTY_SET : children(node);
}

/** The set of these paths. */
export function setOf(...paths: readonly (readonly string[])[]): FieldSet {
  return paths.reduce<FieldSet>((set, path) => union(set, single(path)), EMPTY_SET);
}

function single(path: readonly string[]): FieldSet {
  return path.reduceRight<FieldSet>((node, element) => ({ [element]: node }), EMPTY_SET);
}

/** Every path of the set: at each level members first, then what stands below them, as upstream lists them. */
export function pathsOf(set: FieldSet): string[][] {
  const paths: string[][] = [];
  collect(set, [], paths);
  return paths;
}

function collect(set: FieldSet, prefix: readonly string[], paths: string[][]): void {
  const elements = Object.keys(set).filter((element) => element !== SELF);
  for (const element of elements) {
    if (isMember(set[element])) paths.push([...prefix, element]);
  }
  for (const element of elements) {
    collect(set[element] ?? EMPTY_SET, [...prefix, element], paths);
  }
}

/** What is in either set. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmptySet(b)) return a;
  if (isEmptySet(a)) return b;
  const joined: MutableFieldSet = {};
  let changed = false;
  for (const element in a) {
    const left = a[element] as FieldSet;
    const right = b[element];
    const node = right === undefined ? left : joinNodes(left, right);
    if (node !== left) changed = true;
    joined[element] = node;
  }
  let isAhead = false;
  for (const element in b) {
    if (a[element] !== undefined) continue;
    joined[element] = b[element] as FieldSet;
    isAhead = true;
  }
  if (isAhead) return sortElements(joined);
  return changed ? joined : a;
}

function joinNodes(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || (isEmptySet(a) && isEmptySet(b))) return a;
  // An empty value is a member without anything below it, which is not the same as an empty set.
  if (isEmptySet(a)) return withSelf(b);
  if (isEmptySet(b)) return withSelf(a);
  return union(a, b);
}

/** Makes the element with this value a member too. */
export function withSelf(node: FieldSet): FieldSet {
  return node[SELF] !== undefined || isEmptySet(node) ? node : { [SELF]: EMPTY_SET, ...node };
}

function children(node: FieldSet): FieldSet {
  if (node[SELF] === undefined) return node;
  const { [SELF]: _self, ...rest } = node;
  return rest;
}

/** Brings the keys of a set that was put together into upstream's order. */
export function sortElements(set: MutableFieldSet): FieldSet {
  const elements = Object.keys(set);
  const sorted = sortedElements(elements);
  if (sorted === elements) return set as FieldSet;
  const out: MutableFieldSet = {};
  for (const element of sorted) out[element] = set[element] as FieldSet;
  return out as FieldSet;
}

function sortedElements(elements: string[]): string[] {
  for (let i = 1; i < elements.length; i += 1) {
    if (compareElements(elements[i - 1] as string, elements[i] as string) > 0) {
      return elements.slice().sort(compareElements);
    }
  }
  return elements;
}

/** What is in both sets. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  const common: MutableFieldSet = {};
  for (const element in a) {
    const right = b[element];
    if (right === undefined || element === SELF) continue;
    const left = a[element] as FieldSet;
    const inside = intersection(left, right);
    const self = isMember(left) && isMember(right);
    if (self) common[element] = withSelf(inside);
    else if (!isEmptySet(inside)) common[element] = inside;
  }
  return common as FieldSet;
}

/** What is in the first set and not in the second; members below a path that is taken away stay. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, false);
}

/** What is in the first set and not in the second, nor below anything in the second. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, true);
}

function subtract(a: FieldSet, b: FieldSet, deeply: boolean): FieldSet {
  let touched = false;
  for (const element in b) {
    if (element !== SELF && a[element] !== undefined) {
      touched = true;
      break;
    }
  }
  if (!touched) return a;
  const left: MutableFieldSet = {};
  for (const element in a) {
    const node = a[element] as FieldSet;
    const taken = element === SELF ? undefined : b[element];
    const kept = taken === undefined ? node : subtractNode(node, taken, deeply);
    if (kept !== undefined) left[element] = kept;
  }
  return left as FieldSet;
}

function subtractNode(node: FieldSet, taken: FieldSet, deeply: boolean): FieldSet | undefined {
  const self = isMember(node) && !isMember(taken);
  if (deeply && isMember(taken)) return undefined;
  const rest = subtract(children(node), children(taken), deeply);
  if (isEmptySet(rest)) return self ? EMPTY_SET : undefined;
  return self ? withSelf(rest) : rest;
}

/** Members that have no members below them. */
export function leaves(set: FieldSet): FieldSet {
  const out: MutableFieldSet = {};
  for (const element in set) {
    if (element === SELF) continue;
    out[element] = leaves(set[element] as FieldSet);
  }
  return out as FieldSet;
}

/** How many members a set has. */
export function sizeOf(set: FieldSet): number {
  let size = 0;
  for (const element in set) {
    if (element === SELF) continue;
    const node = set[element] as FieldSet;
    size += (isMember(node) ? 1 : 0) + sizeOf(node);
  }
  return size;
}

/** Whether two sets have the same members. */
export function sameSet(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  let left = 0;
  for (const element in a) {
    const right = b[element];
    if (right === undefined || !sameSet(a[element] as FieldSet, right)) return false;
    left += 1;
  }
  for (const _ in b) left -= 1;
  return left === 0;
}
