import { goQuote } from '../go/quote.ts';
import type { ListSchema } from './merge-schema.ts';
import { keyElement, type PathElement, valueElement } from './path-element.ts';
import { TypedError } from './typed-error.ts';
import { isMap } from './values.ts';

/** An item of a list has no place in a path; the message is upstream's. */
export class ItemError extends TypedError {
  constructor(message: string) {
    super([{ path: '', message }]);
    this.name = 'ItemError';
  }
}

/** The step from a list to one of its items. Throws ItemError when the item cannot be told from others. */
export function itemElement(list: ListSchema, item: unknown): PathElement {
  if (list.atomic) throw new ItemError('invalid indexing of non-associative list');
  return list.keys.length > 0 ? keyedElement(list, item) : setElement(item);
}

function keyedElement(list: ListSchema, item: unknown): PathElement {
  if (item === null || item === undefined) {
    throw new ItemError('associative list with keys may not have a null element');
  }
  if (!isMap(item)) {
    throw new ItemError('associative list with keys may not have non-map elements');
  }
  const fields: Record<string, unknown> = {};
  let found = false;
  for (const name of list.keys) {
    const value = Object.hasOwn(item, name) ? item[name] : keyDefault(list, name);
    if (value === undefined) continue;
    fields[name] = value;
    found = true;
  }
  if (!found) {
    const keys = list.keys.map(goQuote).join(' ');
    throw new ItemError(
      `associative list with keys has an element that omits all key fields [${keys}] (and doesn't have default values for any key fields)`,
    );
  }
  return keyElement(fields);
}

function keyDefault(list: ListSchema, name: string): unknown {
  const { map } = list.items();
  if (map === undefined) {
    throw new ItemError(
      `couldn't find default value for ${name}: associative list may not have non-map types`,
    );
  }
  return map.field(name)?.default;
}

function setElement(item: unknown): PathElement {
  if (isMap(item)) {
    throw new ItemError("associative list without keys has an element that's a map type");
  }
  if (Array.isArray(item)) {
    throw new ItemError('not supported: associative list with lists as elements');
  }
  if (item === null || item === undefined) {
    throw new ItemError("associative list without keys has an element that's an explicit null");
  }
  return valueElement(item);
}
