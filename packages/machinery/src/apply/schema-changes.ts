import {
  EMPTY_SET,
  type FieldSet,
  isEmptySet,
  type MutableFieldSet,
  SELF,
  withSelf,
} from './field-set.ts';
import { type MergeSchema, memberSchema, settle } from './merge-schema.ts';

/**
 * A set made under an older schema, as it reads under this one: where a list or map has become one value as a whole,
 * whoever owned parts of it now owns it.
 */
export function reconcileSet(schema: MergeSchema, set: FieldSet): FieldSet {
  return reconcileBelow(schema, set);
}

function reconcileBelow(schema: MergeSchema, set: FieldSet): FieldSet {
  let out: MutableFieldSet | undefined;
  for (const element in set) {
    if (element === SELF) continue;
    const node = set[element] as FieldSet;
    const inside = innerSchema(schema, element);
    const next = inside === undefined ? node : reconcileNode(inside, node);
    if (next === node) continue;
    out ??= { ...set };
    out[element] = next;
  }
  return (out ?? set) as FieldSet;
}

function reconcileNode(schema: MergeSchema, node: FieldSet): FieldSet {
  const isWhole = isEmptySet(node);
  const form = settle(schema, 'any');
  if (form === 'map') {
    if (schema.map?.isDeduced === true) return node;
    if (schema.map?.atomic === true) return isWhole ? node : EMPTY_SET;
  } else if (form === 'list') {
    if (schema.list?.atomic === true) return isWhole ? node : EMPTY_SET;
  } else {
    return node;
  }
  return isWhole ? node : reconcileBelow(schema, node);
}

function innerSchema(schema: MergeSchema, element: string): MergeSchema | undefined {
  const form = settle(schema, 'any');
  if (form === 'map') {
    if (schema.map === undefined || schema.map.isDeduced) return undefined;
    return element.startsWith('f:')
      ? memberSchema(schema.map, element.slice(2))
      : schema.map.others?.();
  }
  return form === 'list' ? schema.list?.items() : undefined;
}

/**
 * The set with the declared fields that have members below them as members too: a struct is not owned by those who
 * set its fields, but goes when the last of them goes.
 */
export function withNamedFields(schema: MergeSchema | undefined, set: FieldSet): FieldSet {
  const out: MutableFieldSet = {};
  for (const element in set) {
    const node = set[element] as FieldSet;
    if (element === SELF || isEmptySet(node)) {
      out[element] = node;
      continue;
    }
    const { inner, isNamed } = stepInto(schema, element);
    const inside = withNamedFields(inner, node);
    out[element] = isNamed ? withSelf(inside) : inside;
  }
  return out as FieldSet;
}

function stepInto(
  schema: MergeSchema | undefined,
  element: string,
): { inner: MergeSchema | undefined; isNamed: boolean } {
  if (element.startsWith('f:') && schema?.map !== undefined) {
    const field = schema.map.field(element.slice(2));
    return { inner: field?.schema ?? schema.map.others?.(), isNamed: field !== undefined };
  }
  const isItem = element.startsWith('k:') && schema?.list !== undefined;
  return { inner: isItem ? schema?.list?.items() : undefined, isNamed: false };
}
