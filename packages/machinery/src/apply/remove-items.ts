import { setOwn } from '../values/own-key.ts';
import { below, type FieldSet, isEmptySet, isMember } from './field-set.ts';
import { itemElement } from './list-items.ts';
import {
  ATOMIC,
  formOf,
  type ListSchema,
  type MapSchema,
  type MergeSchema,
  memberSchema,
  settle,
} from './merge-schema.ts';
import { fieldElement } from './path-element.ts';
import { isMap } from './values.ts';

/** The value without the fields of a set. What is taken as a whole goes as a whole; what is emptied goes too. */
export function removeItems(schema: MergeSchema, value: unknown, items: FieldSet): unknown {
  return prune(schema, value, items) ?? null;
}

function prune(schema: MergeSchema, value: unknown, items: FieldSet): unknown {
  switch (settle(schema, formOf(schema, value))) {
    case 'map':
      return isMap(value) ? pruneMap(schema.map as MapSchema, value, items) : undefined;
    case 'list':
      return Array.isArray(value) ? pruneList(schema.list as ListSchema, value, items) : undefined;
    default:
      return value;
  }
}

function pruneMap(
  map: MapSchema,
  value: Readonly<Record<string, unknown>>,
  items: FieldSet,
): unknown {
  if (map.atomic) return undefined;
  const out: Record<string, unknown> = {};
  let isEmpty = true;
  for (const [name, member] of Object.entries(value)) {
    const schema = memberSchema(map, name) ?? ATOMIC;
    const kept = keep(schema, member, { items, element: fieldElement(name) });
    if (kept === undefined) continue;
    setOwn(out, name, kept);
    isEmpty = false;
  }
  return isEmpty ? undefined : out;
}

function pruneList(list: ListSchema, value: readonly unknown[], items: FieldSet): unknown {
  if (list.atomic) return undefined;
  const schema = list.items();
  const out = value
    .map((item) => keep(schema, item, { items, element: itemElement(list, item) }))
    .filter((item) => item !== undefined);
  return out.length > 0 ? out : undefined;
}

/** What is left of a member or item; undefined when it goes. What is emptied stays as null, as upstream has it. */
function keep(
  schema: MergeSchema,
  value: unknown,
  { items, element }: { items: FieldSet; element: string },
): unknown {
  if (isMember(items[element])) return undefined;
  const inside = below(items, element);
  return isEmptySet(inside) ? value : (prune(schema, value, inside) ?? null);
}
