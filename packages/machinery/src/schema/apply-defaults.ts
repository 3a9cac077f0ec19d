import type { Json } from '../object.ts';
import { deepCopy } from '../values/deep-copy.ts';
import { setOwn } from '../values/own-key.ts';
import type { SchemaNode } from './node.ts';

/** Fills in the defaults of the schema, in place; defaults given by an outer default get theirs, too. */
export function applyDefaults(value: unknown, node: SchemaNode | undefined): void {
  if (node === undefined || !node.below.defaults) return;
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) defaultItems(value, node);
  else defaultMembers(value as Json, node);
}

function defaultItems(list: unknown[], { items }: SchemaNode): void {
  if (items === undefined || !items.below.defaults) return;
  for (let index = 0; index < list.length; index++) {
    if (list[index] === null && !items.nullable && items.default !== undefined) {
      list[index] = deepCopy(items.default);
    }
    applyDefaults(list[index], items);
  }
}

function defaultMembers(members: Json, node: SchemaNode): void {
  if (node.properties !== undefined) {
    for (const [key, property] of node.properties) {
      if (property.default === undefined) continue;
      const isMissing = !Object.hasOwn(members, key);
      if (isMissing || (members[key] === null && !property.nullable)) {
        setOwn(members, key, deepCopy(property.default));
      }
    }
  }
  const additional = node.additional?.node;
  for (const key of Object.keys(members)) {
    const property = node.properties?.get(key);
    if (property !== undefined) {
      applyDefaults(members[key], property);
    } else if (additional !== undefined) {
      if (members[key] === null && !additional.nullable && additional.default !== undefined) {
        setOwn(members, key, deepCopy(additional.default));
      }
      applyDefaults(members[key], additional);
    }
  }
}
