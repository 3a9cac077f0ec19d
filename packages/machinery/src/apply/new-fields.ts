import { EMPTY_SET, type FieldSet, type MutableFieldSet, SELF, sortElements } from './field-set.ts';
import { itemElement } from './list-items.ts';
import {
  formOf,
  type ListSchema,
  type MapSchema,
  type MergeSchema,
  memberSchema,
  settle,
} from './merge-schema.ts';
import { fieldElement } from './path-element.ts';
import { TypedError } from './typed-error.ts';
import { isMap, sameValue } from './values.ts';

/**
 * The fields a new object sets: what comparing it with the empty object of its kind finds added or modified, in one
 * pass and without a comparison. Creates are the most frequent writes, and every one of them needs this.
 */
export function newFields(schema: MergeSchema, empty: unknown, value: unknown): FieldSet {
  return changed(schema, empty, value) ?? EMPTY_SET;
}

/** What stands for a value where the empty object has none: all of it. */
function added(schema: MergeSchema, value: unknown): FieldSet {
  switch (settle(schema, formOf(schema, value))) {
    case 'map':
      return schema.map?.atomic === false && isMap(value)
        ? mapNode(schema.map, value, undefined)
        : EMPTY_SET;
    case 'list':
      return schema.list?.atomic === false && Array.isArray(value)
        ? listNode(schema.list, value, true)
        : EMPTY_SET;
    default:
      return EMPTY_SET;
  }
}

/** What stands for a value where the empty object has one too; undefined when it is the same. */
function changed(schema: MergeSchema, empty: unknown, value: unknown): FieldSet | undefined {
  if (empty === value) return undefined;
  const form = settle(schema, formOf(schema, value));
  if (form === 'map' && schema.map?.atomic === false && isMap(value)) {
    const node = mapNode(schema.map, value, isMap(empty) ? empty : NOTHING);
    return hasKeys(node) ? node : undefined;
  }
  if (form === 'list' && schema.list?.atomic === false && Array.isArray(value)) {
    return value.length > 0 ? listNode(schema.list, value, false) : undefined;
  }
  return sameValue(empty, value) ? undefined : EMPTY_SET;
}

const NOTHING: Readonly<Record<string, unknown>> = {};

function hasKeys(node: object): boolean {
  for (const _ in node) return true;
  return false;
}

/** The members of a map; without an empty object to compare with, the map itself is new as well. */
function mapNode(
  map: MapSchema,
  value: Readonly<Record<string, unknown>>,
  empty: Readonly<Record<string, unknown>> | undefined,
): FieldSet {
  const out: MutableFieldSet = {};
  const names = Object.keys(value).sort();
  if (empty === undefined && names.length > 0) out[SELF] = EMPTY_SET;
  for (const name of names) {
    const schema = memberSchema(map, name);
    if (schema === undefined) throw undeclared(name);
    const known = empty !== undefined && Object.hasOwn(empty, name);
    const node = known ? changed(schema, empty[name], value[name]) : added(schema, value[name]);
    if (node !== undefined) out[fieldElement(name)] = node;
  }
  return out as FieldSet;
}

function undeclared(name: string): TypedError {
  return new TypedError([{ path: `.${name}`, message: 'field not declared in schema' }]);
}

function listNode(list: ListSchema, value: readonly unknown[], isNew: boolean): FieldSet {
  const out: MutableFieldSet = {};
  if (isNew && value.length > 0) out[SELF] = EMPTY_SET;
  const schema = list.items();
  for (const item of value) {
    const element = itemElement(list, item);
    // An item that stands twice is one item as a whole.
    out[element] = out[element] === undefined ? added(schema, item) : EMPTY_SET;
  }
  return sortElements(out);
}
