// Objects made from a schema.
import type { Seeded } from '../../packages/machinery/src/testing/seeded.ts';
import type { Json } from '../api.ts';

const STRINGS = [
  'a',
  'web',
  'example.com',
  '10s',
  '1h',
  'https://example.com',
  'v1',
  '10',
  '1Gi',
  '',
];
const DEEPEST = 9;

/** A value that a schema may accept: required fields always, others by chance. */
export function anyOf(schema: Json, random: Seeded, depth = 0): Json {
  if (schema === undefined || schema === true) return random.pick(STRINGS);
  if (schema.enum !== undefined) return random.pick(schema.enum);
  if (schema['x-kubernetes-int-or-string'] === true) return random.pick<Json>([1, '10%', 8080]);
  switch (schema.type) {
    case 'object':
      return objectOf(schema, random, depth);
    case 'array':
      return listOf(schema, random, depth);
    case 'integer':
      return numberOf(schema, random, [0, 1, 3, 80, 443, 65_536, -1]);
    case 'number':
      return numberOf(schema, random, [0, 1, 1.5, -2.25]);
    case 'boolean':
      return random.below(2) === 0;
    case 'string':
      return textOf(schema, random);
    default:
      return { a: 'b' };
  }
}

function objectOf(schema: Json, random: Seeded, depth: number): Json {
  const required = new Set<string>(schema.required ?? []);
  const share = depth < 2 ? 2 : depth + 1;
  const out: Json = {};
  for (const [name, child] of Object.entries<Json>(schema.properties ?? {})) {
    const isWanted = required.has(name) || (depth < DEEPEST && random.below(share) === 0);
    if (isWanted) out[name] = anyOf(child, random, depth + 1);
  }
  const values = schema.additionalProperties;
  if (values !== undefined && values !== false) {
    for (const key of random.some(2, () => random.pick(['key', 'example.com/key', 'other']))) {
      out[key] = anyOf(values, random, depth + 1);
    }
  }
  return out;
}

function listOf(schema: Json, random: Seeded, depth: number): Json[] {
  const least = schema.minItems ?? 0;
  const length = Math.min(least + random.below(3), schema.maxItems ?? 3);
  return Array.from({ length: depth < DEEPEST ? length : least }, () =>
    anyOf(schema.items, random, depth + 1),
  );
}

function numberOf(schema: Json, random: Seeded, usual: readonly number[]): number {
  const bounds = [schema.minimum, schema.maximum].filter((bound) => bound !== undefined);
  return random.pick(bounds.length > 0 && random.below(3) > 0 ? bounds : usual);
}

function textOf(schema: Json, random: Seeded): string {
  if (schema.format === 'date-time') return '2026-01-02T03:04:05Z';
  if (schema.format === 'byte') return 'YQ==';
  const text = random.pick(STRINGS);
  return text.padEnd(schema.minLength ?? 0, 'x').slice(0, schema.maxLength);
}
