import { encodeJson, parseJson } from '@flotilla/machinery';
import { decodeStored, isServable } from '../objects/stored.ts';
import type { ResourceDef } from '../resources/resource.ts';
import type { Entry } from '../storage/store.ts';

const OPEN_BRACE = '{'.charCodeAt(0);
const COMMA = ','.charCodeAt(0);

/**
 * The stored bytes of many objects as the inside of a JSON array.
 *
 * Stored bytes begin with `{"kind":…,"apiVersion":…,`; items of a built-in list do not, so everything
 * up to the last comma of that is left out and the comma's place taken by the brace.
 */
export function joinItems(def: ResourceDef, entries: readonly Entry[]): Buffer {
  const skip = def.builtIn ? def.typeMetaBytes.length - 1 : 0;
  let size = Math.max(0, entries.length - 1);
  const items = entries.map((entry) => {
    const value = isServable(def, entry) ? entry.value : def.encode(decodeStored(def, entry.value));
    const item = startsWithTypeMeta(def, value) ? value : rewritten(def, value);
    size += item.length - skip;
    return item;
  });
  const out = Buffer.allocUnsafe(size);
  let offset = 0;
  for (const item of items) {
    if (offset > 0) {
      out[offset] = COMMA;
      offset += 1;
    }
    out.set(skip === 0 ? item : item.subarray(skip), offset);
    out[offset] = OPEN_BRACE;
    offset += item.length - skip;
  }
  return out;
}

function startsWithTypeMeta(def: ResourceDef, value: Buffer): boolean {
  if (!def.builtIn) return true;
  const { typeMetaBytes } = def;
  return value.compare(typeMetaBytes, 0, typeMetaBytes.length, 0, typeMetaBytes.length) === 0;
}

/** Data written by other hands may have another order of fields. */
function rewritten(def: ResourceDef, value: Buffer): Buffer {
  const {
    kind: _kind,
    apiVersion: _apiVersion,
    ...rest
  } = parseJson(value).value as Record<string, unknown>;
  return Buffer.from(encodeJson({ kind: def.kind, apiVersion: def.apiVersion, ...rest }));
}
