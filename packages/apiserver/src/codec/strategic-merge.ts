import { badRequest, deepCopy, type Json, setOwn } from '@flotilla/machinery';
import type { GoType, StructType } from './go-type.ts';
import { badArgType, badFormat, badPatchType } from './patch-errors.ts';
import { listRule, objectRule, type PatchRule } from './patch-schema.ts';
import {
  checkOrder,
  isListOfObjects,
  type MergedList,
  mergeList,
  orderList,
} from './strategic-list.ts';

const MARKER = '$patch';
const RETAIN_KEYS = '$retainKeys';
const SET_ORDER = '$setElementOrder';
const DELETE_FROM = '$deleteFromPrimitiveList';
/** Merging goes down a patch by recursion; no object of the API is nested like this. */
const MAX_DEPTH = 1000;

/**
 * Applies a strategic merge patch: objects merge, lists merge by the key their type declares, null deletes, and the
 * directives `$patch`, `$retainKeys`, `$setElementOrder/…` and `$deleteFromPrimitiveList/…` do what kubectl expects of
 * them. Neither argument is changed. Throws StatusError with upstream's code and text.
 */
export function strategicMergePatch(type: StructType, original: Json, patch: Json): Json {
  if (isDeeper(patch, MAX_DEPTH)) throw badRequest('exceeded max depth');
  return mergeObject(deepCopy(original), deepCopy(patch), type);
}

/** Whether a value is nested deeper than that; it keeps its own stack, as the value may be too deep for ours. */
function isDeeper(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= limit; depth += 1) {
    level = level.flatMap((item) =>
      typeof item === 'object' && item !== null ? Object.values(item) : [],
    );
    if (level.length === 0) return false;
  }
  return true;
}

/** Merges a patch into an object; both are ours to change. */
export function mergeObject(original: Json, patch: Json, place: GoType): Json {
  if (Object.hasOwn(patch, MARKER)) return applyMarker(patch);
  retainKeys(original, patch);
  orderLists(original, patch, place);
  for (const [given, value] of Object.entries(patch)) {
    const isDeleteList = given.startsWith(DELETE_FROM);
    const key = isDeleteList ? suffix(given, DELETE_FROM) : given;
    if (value === null) {
      delete original[key];
    } else if (!Object.hasOwn(original, key) || !sameKind(original[key], value)) {
      if (!isDeleteList) put(original, key, value);
    } else {
      setOwn(original, key, mergeValue(original, { key, value, isDeleteList, place }));
    }
  }
  return original;
}

interface Change {
  readonly key: string;
  readonly value: unknown;
  readonly isDeleteList: boolean;
  readonly place: GoType;
}

function mergeValue(original: Json, { key, value, isDeleteList, place }: Change): unknown {
  const current = original[key];
  if (Array.isArray(value)) {
    const rule = listRule(place, key);
    if (rule.strategy !== 'merge' && !isDeleteList) return value;
    return mergeList(current as unknown[], value, { rule, isDeleteList, mergeObject }).items;
  }
  if (isObject(value)) {
    const rule = objectRule(place, key);
    return rule.strategy === 'replace' ? value : mergeObject(current as Json, value, rule.type);
  }
  return value;
}

function applyMarker(patch: Json): Json {
  const directive = patch[MARKER];
  if (directive === 'delete') return {};
  if (directive !== 'replace') throw badPatchType(directive, patch);
  delete patch[MARKER];
  return patch;
}

/** `$retainKeys` lists every field that may stay; the patch itself may name no other. */
function retainKeys(original: Json, patch: Json): void {
  if (!Object.hasOwn(patch, RETAIN_KEYS)) return;
  const list = patch[RETAIN_KEYS];
  delete patch[RETAIN_KEYS];
  if (!Array.isArray(list)) throw badFormat.retainKeys();
  const kept = new Set<unknown>(list);
  for (const [key, value] of Object.entries(patch)) {
    const isDirective = key.startsWith(DELETE_FROM) || key.startsWith(SET_ORDER);
    if (value !== null && !isDirective && !kept.has(key)) throw badFormat.retainKeys();
  }
  for (const key of Object.keys(original)) if (!kept.has(key)) delete original[key];
}

/** Merges every list that comes with a `$setElementOrder/…`, and takes both out of the patch. */
function orderLists(original: Json, patch: Json, place: GoType): void {
  for (const directive of Object.keys(patch)) {
    if (!directive.startsWith(SET_ORDER)) continue;
    const order = asList(patch[directive]);
    delete patch[directive];
    const key = suffix(directive, SET_ORDER);
    const current = Object.hasOwn(original, key) ? asList(original[key]) : undefined;
    const given = Object.hasOwn(patch, key) ? asList(patch[key]) : undefined;
    const rule = listRule(place, key);
    checkOrder(given ?? [], order, rule.mergeKey);
    if (current === undefined && given === undefined) continue;
    const { items, server } = mergeOrdered(current, given, rule);
    original[key] = orderList(items, {
      mergeKey: rule.mergeKey,
      patchOrder: order,
      serverOrder: server,
      isObjects: isListOfObjects([current ?? [], given ?? []]),
    });
    delete patch[key];
  }
}

function mergeOrdered(
  current: unknown[] | undefined,
  given: unknown[] | undefined,
  rule: PatchRule,
): MergedList {
  if (given === undefined) return { items: current ?? [], server: current ?? [] };
  if (current === undefined) {
    return { items: withoutDirectives(given) as unknown[], server: [] };
  }
  if (rule.strategy !== 'merge') return { items: given, server: current };
  return mergeList(current, given, { rule, isDeleteList: false, mergeObject });
}

function put(original: Json, key: string, value: unknown): void {
  discardNulls(value);
  const kept = withoutDirectives(value);
  if (kept === undefined) delete original[key];
  else setOwn(original, key, kept);
}

/** A null inside something new deletes nothing, so it says nothing. */
function discardNulls(value: unknown): void {
  if (Array.isArray(value)) value.forEach(discardNulls);
  else if (isObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      if (member === null) delete value[key];
      else discardNulls(member);
    }
  }
}

/** Drops objects that carry a `$patch` directive; undefined when the value itself is one. */
function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutDirectives).filter((item) => item !== undefined);
  }
  if (!isObject(value)) return value;
  if (Object.hasOwn(value, MARKER)) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const kept = withoutDirectives(member);
    if (kept === undefined) delete value[key];
    else setOwn(value, key, kept);
  }
  return value;
}

function suffix(directive: string, prefix: string): string {
  const slash = directive.indexOf('/');
  if (slash !== prefix.length) {
    throw prefix === SET_ORDER ? badFormat.setElementOrder() : badFormat.primitiveList();
  }
  return directive.slice(slash + 1);
}

function asList(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw badArgType('list', value);
  return value;
}

function sameKind(a: unknown, b: unknown): boolean {
  return Array.isArray(a) === Array.isArray(b) && isObject(a) === isObject(b);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
