import type { Seeded } from '../../packages/machinery/src/testing/seeded.ts';

/** A schema under construction. */
export type Draft = Record<string, unknown>;

const names = ['a', 'b', 'c', 'd-e', 'status', 'spec'];
export const texts = [
  ...[
    '',
    'x',
    'abc',
    'é😀',
    'a-b',
    '2020-01-02',
    '2020-01-02T03:04:05Z',
    '10.0.0.1',
    'foo@bar.com',
  ],
  ...['http://x/y', '1h30m', '5 days', 'aGVsbG8=', '::1', 'example.com', '10.0.0.0/8', '10%'],
];
const formats = [
  ...['date', 'date-time', 'ipv4', 'ipv6', 'email', 'uri', 'duration', 'byte', 'uuid', 'hostname'],
  ...['cidr', 'int64', 'double', 'odd', 'mac', 'password', 'k8s-short-name'],
];
const types = ['object', 'array', 'string', 'integer', 'number', 'boolean'];

/** The schema of a whole object, structural unless noted, with some of everything. */
export function randomSchema(random: Seeded): Draft {
  return place(random, { depth: 3, isRoot: true });
}

function place(random: Seeded, { depth, isRoot }: { depth: number; isRoot: boolean }): Draft {
  const schema: Draft = {};
  const kind = isRoot ? 1 : random.below(100) / 100;
  const usable = depth > 0 ? types : types.slice(2);
  if (kind < 0.06) schema['x-kubernetes-int-or-string'] = true;
  else if (kind < 0.1) schema['x-kubernetes-preserve-unknown-fields'] = true;
  else schema['type'] = isRoot ? 'object' : random.pick(usable);
  addLimits(random, schema, schema['type']);
  if (schema['type'] === 'object') addMembers(random, schema, { depth, isRoot });
  if (schema['type'] === 'array') addItems(random, schema, depth);
  if (!isRoot && random.below(100) < 10) schema['nullable'] = true;
  if (!isRoot && random.below(100) < 15) schema['default'] = randomValue(random, schema, 2);
  if (schema['default'] === null) delete schema['default'];
  if (depth > 0 && random.below(100) < 15) {
    const parts = [nested(random, schema, 2), nested(random, schema, 2)];
    schema[random.pick(['anyOf', 'allOf', 'oneOf'])] = parts;
  }
  if (random.below(100) < 5) schema['not'] = nested(random, schema, 1);
  return schema;
}

function addLimits(random: Seeded, schema: Draft, type: unknown): void {
  const sometimes = (percent: number, name: string, make: () => unknown) => {
    if (random.below(100) < percent) schema[name] = make();
  };
  if (type === 'string' || type === undefined) {
    sometimes(15, 'minLength', () => random.below(4));
    sometimes(15, 'maxLength', () => random.below(5));
    sometimes(12, 'pattern', () => random.pick(['^a', '^[a-z]+$', 'x|y', '[0-9]{1,3}']));
    sometimes(20, 'format', () => random.pick(formats));
    sometimes(10, 'enum', () => [random.pick(texts), random.pick(texts)]);
  }
  if (type === 'integer' || type === 'number' || type === undefined) {
    sometimes(15, 'minimum', () => random.pick([0, 1, -5, 2.5]));
    sometimes(15, 'maximum', () => random.pick([0, 5, 7.5]));
    sometimes(8, 'exclusiveMinimum', () => true);
    sometimes(8, 'exclusiveMaximum', () => true);
    sometimes(10, 'multipleOf', () => random.pick([2, 0.5, 3]));
    sometimes(8, 'enum', () => [random.pick([0, 1, 2.5]), 7]);
  }
  if (type === 'array' || type === undefined) {
    sometimes(10, 'minItems', () => random.below(3));
    sometimes(10, 'maxItems', () => random.below(4));
  }
  if (type === 'object' || type === undefined) {
    sometimes(10, 'minProperties', () => random.below(3));
    sometimes(10, 'maxProperties', () => random.below(4));
    sometimes(15, 'required', () => [random.pick(names)]);
  }
}

function addMembers(
  random: Seeded,
  schema: Draft,
  { depth, isRoot }: { depth: number; isRoot: boolean },
): void {
  const below = () => place(random, { depth: depth - 1, isRoot: false });
  if (random.below(100) < 8) schema['x-kubernetes-preserve-unknown-fields'] = true;
  if (!isRoot && random.below(100) < 20) {
    schema['additionalProperties'] = random.below(100) < 20 ? random.below(2) === 0 : below();
    return;
  }
  const properties = random.some(4, () => [random.pick(names), below()] as const);
  if (properties.length > 0) schema['properties'] = Object.fromEntries(properties);
}

function addItems(random: Seeded, schema: Draft, depth: number): void {
  const items = place(random, { depth: depth - 1, isRoot: false });
  schema['items'] = items;
  const keys = Object.keys(items['properties'] ?? {});
  if (random.below(100) < 15) schema['x-kubernetes-list-type'] = 'set';
  else if (random.below(100) < 30 && keys.length > 0) {
    schema['x-kubernetes-list-type'] = 'map';
    schema['x-kubernetes-list-map-keys'] = keys.slice(0, 1 + random.below(2));
  }
}

/** What anyOf and the like may say about a place that `spine` describes. */
function nested(random: Seeded, spine: Draft, depth: number): Draft {
  const schema: Draft = {};
  addLimits(random, schema, random.below(100) < 70 ? spine['type'] : undefined);
  const properties = Object.entries((spine['properties'] ?? {}) as Record<string, Draft>)
    .filter(() => depth > 0 && random.below(2) === 0)
    .map(([name, property]) => [name, nested(random, property, depth - 1)] as const);
  if (properties.length > 0) schema['properties'] = Object.fromEntries(properties);
  if (depth > 0 && random.below(100) < 15) {
    const parts = [nested(random, spine, depth - 1), nested(random, spine, depth - 1)];
    schema[random.pick(['anyOf', 'allOf', 'oneOf'])] = parts;
  }
  return schema;
}

/** A value that mostly fits the schema. */
export function randomValue(random: Seeded, schema: Draft | undefined, depth: number): unknown {
  const scalar = () => random.pick<unknown>([0, 1, -1, 10, 2.5, true, null, ...texts]);
  const chance = random.below(100);
  if (depth <= 0 || chance < 10) return random.pick<unknown>([scalar(), {}, []]);
  switch (schema?.['type']) {
    case 'object':
      return randomMembers(random, schema, depth);
    case 'array':
      return random.some(4, () => randomValue(random, schema['items'] as Draft, depth - 1));
    case 'string':
      return random.pick(texts);
    case 'integer':
      return random.pick([0, 1, -3, 7, 1000]);
    case 'number':
      return random.pick([0, 1.5, -2.25, 10]);
    case 'boolean':
      return chance < 50;
    default:
      return random.pick<unknown>([scalar(), { a: scalar(), b: { c: scalar() } }, [scalar()]]);
  }
}

function randomMembers(random: Seeded, schema: Draft, depth: number): Draft {
  const object: Draft = {};
  for (const [name, property] of Object.entries((schema['properties'] ?? {}) as object)) {
    if (random.below(100) < 75) object[name] = randomValue(random, property as Draft, depth - 1);
  }
  const { additionalProperties } = schema as { additionalProperties?: unknown };
  const more =
    typeof additionalProperties === 'object' ? (additionalProperties as Draft) : undefined;
  if (more === undefined && random.below(100) < 80) return object;
  for (const name of random.some(2, () => random.pick(names))) {
    object[name] ??= randomValue(random, more, depth - 1);
  }
  return object;
}

/** The value with something changed here and there. */
export function changed(random: Seeded, value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => (random.below(100) < 80 ? item : changed(random, item)));
    return random.below(100) < 15 ? items.reverse() : items;
  }
  if (typeof value !== 'object' || value === null) {
    return random.below(2) === 0 ? value : random.pick<unknown>([0, 1, null, ...texts]);
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(() => random.below(100) < 92)
      .map(([key, member]) => [key, random.below(100) < 55 ? member : changed(random, member)]),
  );
}
