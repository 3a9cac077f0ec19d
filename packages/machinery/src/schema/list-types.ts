import type { FieldError } from '../field-error.ts';
import { duplicate, invalid } from '../field-errors.ts';
import { at, child, keyed } from '../field-path.ts';
import type { Json } from '../object.ts';
import { isJsonObject } from '../values/json-kind.ts';
import type { SchemaNode } from './node.ts';
import { sorted, sortedJson } from './sorted-json.ts';

/** Errors of lists that are sets or maps: the second occurrence of each item or key. */
export function validateListTypes(value: unknown, node: SchemaNode, path = ''): FieldError[] {
  const errors: FieldError[] = [];
  if (node.below.listTypes) visit(value, node, { path, errors });
  return errors;
}

interface Walk {
  readonly path: string;
  readonly errors: FieldError[];
}

function visit(value: unknown, node: SchemaNode, walk: Walk): void {
  if (typeof value !== 'object' || value === null) return;
  const { errors } = walk;
  if (Array.isArray(value)) {
    if (node.listType === 'set') checkSet(value, walk);
    else if (node.listType === 'map') checkMap(value, node, walk);
    const { items } = node;
    if (items === undefined || !items.below.listTypes) return;
    for (let index = 0; index < value.length; index++) {
      visit(value[index], items, { path: at(walk.path, index), errors });
    }
    return;
  }
  const additional = node.additional?.node;
  for (const key of Object.keys(value)) {
    const member = (value as Json)[key];
    if (typeof member !== 'object' || member === null) continue;
    if (additional?.below.listTypes === true) {
      visit(member, additional, { path: keyed(walk.path, key), errors });
    }
    const property = node.properties?.get(key);
    if (property?.below.listTypes === true) {
      visit(member, property, { path: child(walk.path, key), errors });
    }
  }
}

function checkSet(list: readonly unknown[], walk: Walk): void {
  if (list.length < 2) return;
  for (const index of repeated(list.map(textOf))) {
    walk.errors.push(duplicate(at(walk.path, index), sorted(list[index])));
  }
}

function checkMap(list: readonly unknown[], node: SchemaNode, walk: Walk): void {
  const stranger = list.findIndex((item) => item !== null && !isJsonObject(item));
  if (stranger >= 0) {
    const detail = 'must be an object for an array of list-type map';
    walk.errors.push(invalid(at(walk.path, stranger), sorted(list[stranger]), detail));
    return;
  }
  if (list.length < 2) return;
  const names = node.listKeys;
  for (const index of repeated(list.map((item) => keyTextOf(item, names)))) {
    walk.errors.push(duplicate(at(walk.path, index), sorted(keyOf(list[index], names))));
  }
}

function keyOf(item: unknown, names: readonly string[]): Json {
  if (!isJsonObject(item)) return {};
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(item, name)).map((name) => [name, item[name]]),
  );
}

/** A text that items with the same keys share. */
function keyTextOf(item: unknown, names: readonly string[]): string {
  let text = '';
  for (const name of names) {
    const isThere = isJsonObject(item) && Object.hasOwn(item, name);
    text += isThere ? `${textOf(item[name])}\0` : '\0';
  }
  return text;
}

/** A text that equal values share; the first letter keeps values of different types apart. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return `s${value}`;
  return typeof value === 'object' && value !== null
    ? `j${sortedJson(value)}`
    : `v${String(value)}`;
}

/** Where a text occurs for the second time; further occurrences are not told again. */
function repeated(texts: readonly string[]): number[] {
  if (new Set(texts).size === texts.length) return [];
  const seen = new Map<string, number>();
  const found: number[] = [];
  for (const [index, text] of texts.entries()) {
    const times = (seen.get(text) ?? 0) + 1;
    seen.set(text, times);
    if (times === 2) found.push(index);
  }
  return found;
}
