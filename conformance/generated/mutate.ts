// Objects changed so that a server may refuse them.
import type { Seeded } from '../../packages/machinery/src/testing/seeded.ts';

// biome-ignore lint/suspicious/noExplicitAny: any JSON value is changed at any place
type Json = any;

type Place = readonly (string | number)[];

/** A copy of an object with one thing about it changed; what, is said by `how`. */
export function mutate(object: Json, random: Seeded): { how: string; object: Json } {
  const copy = structuredClone(object);
  const places = placesIn(copy).filter(
    ([first, second]) =>
      first !== 'apiVersion' && first !== 'kind' && !(first === 'metadata' && second !== 'labels'),
  );
  if (places.length === 0) return { how: 'as it is', object: copy };
  const place = random.pick(places);
  const parent = place.slice(0, -1).reduce<Json>((value, part) => value[part], copy);
  const last = place.at(-1) ?? '';
  const value = parent[last];
  const how = random.pick(HOW);
  switch (how) {
    case 'drop':
      if (Array.isArray(parent)) parent.splice(Number(last), 1);
      else delete parent[last];
      break;
    case 'null':
      parent[last] = null;
      break;
    case 'double':
      if (Array.isArray(parent)) parent.push(structuredClone(value));
      else parent[last] = [value, value];
      break;
    case 'unknown':
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) value.unheardOf = 1;
      else if (!Array.isArray(parent)) parent[`${last}Unheard`] = value;
      break;
    case 'long':
      parent[last] = typeof value === 'string' ? value.repeat(40).padEnd(70, 'y') : 'y'.repeat(300);
      break;
    case 'type':
      parent[last] = random.pick<Json>([7, 'text', true, [], {}, [1], { a: 1 }, -1.5, '']);
      break;
    case 'empty':
      parent[last] = emptyLike(value);
      break;
    default:
      parent[last] = typeof value === 'number' ? random.pick([0, -1, 2 ** 31, 1e12]) : `${value} !`;
  }
  return { how: `${how} ${place.join('.')}`, object: copy };
}

const HOW = ['drop', 'null', 'double', 'unknown', 'long', 'type', 'empty', 'other'] as const;

function emptyLike(value: Json): Json {
  if (Array.isArray(value)) return [];
  return { object: {}, string: '', number: 0, boolean: false }[typeof value as 'object'];
}

function placesIn(value: Json, place: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries<Json>(value).flatMap(([key, child]) => {
    const at = [...place, Array.isArray(value) ? Number(key) : key];
    return [at, ...placesIn(child, at)];
  });
}
