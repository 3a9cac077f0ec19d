import { EMPTY_SET, type FieldSet, type MutableFieldSet, SELF, sortElements } from './field-set.ts';
import { itemElement } from './list-items.ts';
import {
  formOf,
  type ListSchema,
  type MapSchema,
  type MergeSchema,
  settle,
} from './merge-schema.ts';
import { fieldElement } from './path-element.ts';
import { isMap } from './values.ts';

/** The fields a value sets: what whoever applies it comes to own. */
export function fieldSetOf(schema: MergeSchema, value: unknown): FieldSet {
  return nodeOf(schema, value, false) ?? EMPTY_SET;
}

/** What stands for a value in the set of its parent; undefined when it sets nothing. */
function nodeOf(schema: MergeSchema, value: unknown, isOwned: boolean): FieldSet | undefined {
  switch (settle(schema, formOf(schema, value))) {
    case 'map':
      return schema.map?.atomic === false ? mapNode(schema.map, value, isOwned) : EMPTY_SET;
    case 'list':
      return schema.list?.atomic === false ? listNode(schema.list, value, isOwned) : EMPTY_SET;
    default:
      return EMPTY_SET;
  }
}

function mapNode(map: MapSchema, value: unknown, isOwned: boolean): FieldSet | undefined {
  const out = new NodeBuilder(isOwned);
  if (isMap(value)) {
    for (const name of Object.keys(value).sort()) {
      const member = value[name];
      const field = map.field(name);
      const schema = field?.schema ?? map.others?.();
      if (schema === undefined) continue;
      const owned = field === undefined || member === null || isEmptyMap(member);
      out.add(fieldElement(name), nodeOf(schema, member, owned));
    }
  }
  return out.node();
}

function isEmptyMap(value: unknown): boolean {
  if (!isMap(value)) return false;
  for (const _ in value) return false;
  return true;
}

function listNode(list: ListSchema, value: unknown, isOwned: boolean): FieldSet | undefined {
  const out = new NodeBuilder(isOwned);
  if (Array.isArray(value)) {
    const schema = list.items();
    const seen = new Set<string>();
    for (const item of value) {
      const element = itemElement(list, item);
      // An item that stands twice is owned as a whole: nothing inside it can be told apart.
      out.add(element, seen.has(element) ? EMPTY_SET : nodeOf(schema, item, true));
      seen.add(element);
    }
  }
  return out.node();
}

/** Puts a node together; `.` comes first, and only where something else follows. */
class NodeBuilder {
  private readonly isOwned: boolean;
  private out: MutableFieldSet | undefined;

  constructor(isOwned: boolean) {
    this.isOwned = isOwned;
  }

  add(element: string, node: FieldSet | undefined): void {
    if (node === undefined) return;
    this.out ??= this.isOwned ? { [SELF]: EMPTY_SET } : {};
    this.out[element] = node;
  }

  node(): FieldSet | undefined {
    if (this.out !== undefined) return sortElements(this.out);
    return this.isOwned ? EMPTY_SET : undefined;
  }
}
