import { type Json, type KubeObject, setOwn } from '@flotilla/machinery';
import { sortKeys } from '../storage/keys.ts';

/** Below this depth keys keep the order they have: nobody reads that far, and the stack is finite. */
const SORTED_DEPTH = 500;

/** A custom object as it is stored and sent: the keys of every map in their order, as Go writes maps. */
export function customForm(object: KubeObject): KubeObject {
  return sorted(object, 0) as KubeObject;
}

function sorted(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > SORTED_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => sorted(item, depth + 1));
  const out: Json = {};
  for (const key of sortKeys(Object.keys(value))) {
    const member = (value as Json)[key];
    if (member !== undefined) setOwn(out, key, sorted(member, depth + 1));
  }
  return out;
}
