import { GoNumber, goTypeName, plainValue } from '../go/values.ts';
import { decodeUtf8Lossy, encodeUtf8 } from '../json/utf8.ts';
import { isJsonObject } from '../values/json-kind.ts';

/** `index x 1 "a"` is x[1]["a"]. */
export function indexValue(item: unknown, at: readonly unknown[]): unknown {
  if (item === null || item === undefined) throw new TypeError('index of untyped nil');
  let found: unknown = item;
  for (const key of at) {
    if (found === null || found === undefined) throw new TypeError('index of nil pointer');
    found = memberOf(found, key ?? undefined);
  }
  return found;
}

function memberOf(item: unknown, key: unknown): unknown {
  if (Array.isArray(item) || typeof item === 'string') {
    const list: readonly unknown[] = typeof item === 'string' ? bytesOf(item) : item;
    const index = indexOf(key, list.length);
    if (index < list.length) return list[index];
    const what = typeof item === 'string' ? 'string' : 'slice';
    throw new TypeError(`reflect: ${what} index out of range`);
  }
  if (!isJsonObject(item) || item instanceof GoNumber) {
    throw new TypeError(`can't index item of type ${goTypeName(item)}`);
  }
  if (key === undefined) throw new TypeError('value is nil; should be of type string');
  if (typeof key !== 'string') {
    throw new TypeError(`value has type ${goTypeName(key)}; should be string`);
  }
  return Object.hasOwn(item, key) ? item[key] : null;
}

/** `slice x 1 2` is x[1:2]. */
export function sliceValue(item: unknown, at: readonly unknown[]): unknown {
  if (item === null || item === undefined) throw new TypeError('slice of untyped nil');
  if (at.length > 3) throw new TypeError(`too many slice indexes: ${at.length}`);
  if (typeof item === 'string' && at.length === 3) {
    throw new TypeError('cannot 3-index slice a string');
  }
  if (typeof item !== 'string' && !Array.isArray(item)) {
    throw new TypeError(`can't slice item of type ${goTypeName(item)}`);
  }
  const bytes = typeof item === 'string' ? encodeUtf8(item) : undefined;
  const length = bytes?.length ?? item.length;
  const [start = 0, end = length, limit = end] = at.map((key) => indexOf(key ?? undefined, length));
  if (start > end) throw new TypeError(`invalid slice index: ${start} > ${end}`);
  if (end > limit) throw new TypeError(`invalid slice index: ${end} > ${limit}`);
  return bytes === undefined ? item.slice(start, end) : decodeUtf8Lossy(bytes.subarray(start, end));
}

/** kubectl's own function: whether there is something at the end of a path. */
export function exists(item: unknown, at: readonly unknown[]): boolean {
  let found: unknown = item;
  for (const key of at) {
    if (Array.isArray(found) || typeof found === 'string') {
      const list: readonly unknown[] = typeof found === 'string' ? bytesOf(found) : found;
      const index = plainValue(key);
      if (typeof index !== 'number' || !Number.isInteger(index)) return false;
      if (index < 0 || index >= list.length) return false;
      found = list[index];
    } else if (isJsonObject(found) && !(found instanceof GoNumber)) {
      if (typeof key !== 'string') return false;
      found = Object.hasOwn(found, key) ? found[key] : null;
    } else {
      return false;
    }
  }
  return found !== null && found !== undefined;
}

function indexOf(key: unknown, capacity: number): number {
  if (key === undefined) throw new TypeError('cannot index slice/array with nil');
  const index = plainValue(key);
  const isInteger = !(key instanceof GoNumber && key.type === 'float64') && Number.isInteger(index);
  if (typeof index === 'bigint') throw new TypeError(`index out of range: ${index}`);
  if (typeof index !== 'number' || !isInteger) {
    throw new TypeError(`cannot index slice/array with type ${goTypeName(key)}`);
  }
  if (index < 0 || index > capacity) throw new TypeError(`index out of range: ${index}`);
  return index;
}

function bytesOf(text: string): GoNumber[] {
  return [...encodeUtf8(text)].map((byte) => new GoNumber('uint8', byte));
}
