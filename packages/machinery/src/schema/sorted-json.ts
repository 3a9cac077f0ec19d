import { encodeJson } from '../json/encode-json.ts';
import { setOwn } from '../values/own-key.ts';

/** The value with the keys of all objects in order, as Go writes maps. */
export function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort()) {
    setOwn(result, key, sorted((value as Record<string, unknown>)[key]));
  }
  return result;
}

/** JSON text that equal values share, whatever the order of their keys. */
export function sortedJson(value: unknown): string {
  return encodeJson(sorted(value));
}
