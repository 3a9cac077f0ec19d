import { ParseError } from '../parse-error.ts';
import {
  EMPTY_SET,
  type FieldSet,
  isEmptySet,
  isMember,
  type MutableFieldSet,
  SELF,
  sortElements,
  withSelf,
} from './field-set.ts';
import { parseElement } from './path-element.ts';
import { isMap } from './values.ts';

/** Deepest set that is read: the objects whose fields these are cannot be deeper. */
const MAX_DEPTH = 1000;

/**
 * Reads FieldsV1 that came from outside: elements in canonical form and order, unknown kinds of elements left out.
 * Throws ParseError when it is no set of fields.
 */
export function parseFieldsV1(fields: unknown): FieldSet {
  if (fields === null || fields === undefined) return EMPTY_SET;
  const { node } = read(fields, 0);
  return node;
}

/** The set below an element, and whether the element itself is a member. */
interface Read {
  readonly node: FieldSet;
  readonly self: boolean;
}

function read(fields: unknown, depth: number): Read {
  if (!isMap(fields)) throw new ParseError('ReadMapCB: expect { or n');
  if (depth > MAX_DEPTH) throw new ParseError('exceeded max depth');
  const out: MutableFieldSet = {};
  let self = false;
  for (const [key, value] of Object.entries(fields)) {
    if (key === SELF) {
      self = true;
      continue;
    }
    const element = parseElement(key);
    if (element === undefined) continue;
    const inside = value === null ? { node: EMPTY_SET, self: false } : read(value, depth + 1);
    const isAlone = isEmptySet(inside.node);
    const node = inside.self || isAlone ? withSelf(inside.node) : inside.node;
    const known = out[element] as FieldSet | undefined;
    out[element] = isAlone && known !== undefined ? withSelf(known) : keepSelf(node, known);
  }
  return { node: sortElements(out), self };
}

/** An element that stands twice keeps the later members below it, and is a member if either was. */
function keepSelf(node: FieldSet, known: FieldSet | undefined): FieldSet {
  return known !== undefined && isMember(known) ? withSelf(node) : node;
}
