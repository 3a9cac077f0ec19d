import { byteLength } from '../go/byte-length.ts';
import { goQuote } from '../go/quote.ts';
import { encodeJson } from '../json/encode-json.ts';
import { ParseError } from '../parse-error.ts';
import { deepCopy } from '../values/deep-copy.ts';
import { isJsonObject } from '../values/json-kind.ts';
import { getOwn, setOwn } from '../values/own-key.ts';
import { strictlyEqual } from './strictly-equal.ts';

/** What `copy` may add in all: it can double a document with every step. */
const MAX_COPIED_BYTES = 3 * 1024 * 1024;

type Container = Record<string, unknown> | unknown[];

/** A place in a document: a member of an object or an element of a list, there or not. */
interface Place {
  readonly container: Container;
  readonly key: string;
}

/** A document being patched in place. Errors have the words of upstream's patch library. */
export class PatchDocument {
  root: unknown;
  #copiedBytes = 0;

  constructor(root: unknown) {
    this.root = root;
  }

  add(path: string, value: unknown): void {
    const place = this.#find(path);
    if (place === undefined) {
      throw missing(`add operation does not apply: doc is missing path: "${path}"`);
    }
    within(`error in add for path: '${path}'`, () => insert(place, deepCopy(value)));
  }

  remove(path: string): void {
    const place = this.#find(path);
    if (place === undefined) {
      throw missing(`remove operation does not apply: doc is missing path: "${path}"`);
    }
    within(`error in remove for path: '${path}'`, () => removeAt(place));
  }

  replace(path: string, value: unknown): void {
    if (path === '') {
      // Anything but an object or list is ignored here, upstream too.
      if (typeof value === 'object' && value !== null) this.root = deepCopy(value);
      return;
    }
    const place = this.#find(path);
    if (place === undefined) {
      throw missing(`replace operation does not apply: doc is missing path: ${path}`);
    }
    const { container, key } = place;
    if (!Array.isArray(container)) {
      setOwn(container, key, deepCopy(value));
      return;
    }
    const index = attemptIndex(container, key);
    if (index === undefined) {
      throw missing(`replace operation does not apply: doc is missing key: ${path}`);
    }
    container[index] = deepCopy(value);
  }

  move(from: string, path: () => string): void {
    const source = this.#find(from);
    if (source === undefined) {
      throw missing(`move operation does not apply: doc is missing from path: ${from}`);
    }
    const value = within(`error in move for path: '${source.key}'`, () => {
      const found = read(source);
      removeAt(source);
      return found;
    });
    const target = path();
    const place = this.#find(target);
    if (place === undefined) {
      throw missing(`move operation does not apply: doc is missing destination path: ${target}`);
    }
    within(`error in move for path: '${target}'`, () => insert(place, value));
  }

  copy(from: string, path: () => string): void {
    const source = this.#find(from);
    if (source === undefined) {
      throw missing(`copy operation does not apply: doc is missing from path: ${from}`);
    }
    const value = within(`error in copy for from: '${from}'`, () => read(source));
    const target = path();
    const place = this.#find(target);
    if (place === undefined) {
      throw missing(`copy operation does not apply: doc is missing destination path: ${target}`);
    }
    this.#countCopied(value);
    within('error while adding value during copy', () => insert(place, deepCopy(value)));
  }

  test(path: string, expected: unknown): void {
    let actual = this.root;
    if (path !== '') {
      const place = this.#find(path);
      if (place === undefined) {
        throw missing(`test operation does not apply: is missing path: ${path}`);
      }
      actual = within(`error in test for path: '${path}'`, () => read(place)) ?? null;
    }
    if (!strictlyEqual(actual, expected)) {
      throw new ParseError(`testing value ${path} failed: test failed`);
    }
  }

  /** Where a pointer leads; undefined when something on the way is missing, null or no container. */
  #find(path: string): Place | undefined {
    const parts = path.split('/').map((part) => part.replace(/~[01]/g, unescapePart));
    if (parts.length < 2 || !isContainer(this.root)) return undefined;
    let container: Container = this.root;
    for (const part of parts.slice(1, -1)) {
      const next: unknown = Array.isArray(container)
        ? container[attemptIndex(container, part) ?? -1]
        : getOwn(container, part);
      if (!isContainer(next)) return undefined;
      container = next;
    }
    return { container, key: parts.at(-1) ?? '' };
  }

  #countCopied(value: unknown): void {
    if (value === undefined) return;
    this.#copiedBytes += byteLength(encodeJson(value));
    if (this.#copiedBytes > MAX_COPIED_BYTES) {
      throw new ParseError(
        `Unable to complete the copy, the accumulated size increase of copy is ${this.#copiedBytes}, exceeding the limit ${MAX_COPIED_BYTES}`,
      );
    }
  }
}

function unescapePart(escaped: string): string {
  return escaped === '~1' ? '/' : '~';
}

function isContainer(value: unknown): value is Container {
  return Array.isArray(value) || isJsonObject(value);
}

function read({ container, key }: Place): unknown {
  return Array.isArray(container) ? container[indexIn(container, key)] : getOwn(container, key);
}

function insert({ container, key }: Place, value: unknown): void {
  if (!Array.isArray(container)) {
    setOwn(container, key, value ?? null);
    return;
  }
  if (key === '-') {
    container.push(value ?? null);
    return;
  }
  const index = within(`value was not a proper array index: '${key}'`, () => parseIndex(key));
  // One more place than there are elements, also counted from the end.
  container.splice(boundIndex(index, container.length + 1), 0, value ?? null);
}

function removeAt({ container, key }: Place): void {
  if (Array.isArray(container)) {
    container.splice(indexIn(container, key), 1);
  } else if (Object.hasOwn(container, key)) {
    delete container[key];
  } else {
    throw missing(`Unable to remove nonexistent key: ${key}`);
  }
}

function attemptIndex(list: readonly unknown[], key: string): number | undefined {
  try {
    return indexIn(list, key);
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}

function indexIn(list: readonly unknown[], key: string): number {
  return boundIndex(parseIndex(key), list.length);
}

/** Negative indices count from the end, as upstream allows. */
function boundIndex(index: number, length: number): number {
  if (index >= length || index < -length) {
    throw new ParseError(`Unable to access invalid index: ${index}: invalid index referenced`);
  }
  return index < 0 ? index + length : index;
}

function parseIndex(key: string): number {
  if (!/^[+-]?[0-9]+$/.test(key)) {
    throw new ParseError(`strconv.Atoi: parsing ${goQuote(key)}: invalid syntax`);
  }
  const index = Number(key);
  if (Number.isSafeInteger(index)) return index;
  throw new ParseError(`strconv.Atoi: parsing ${goQuote(key)}: value out of range`);
}

function missing(text: string): ParseError {
  return new ParseError(`${text}: missing value`);
}

function within<T>(context: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof ParseError) throw new ParseError(`${context}: ${error.message}`);
    throw error;
  }
}
