import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeProperty, unescapeProperty } from './escaping.ts';
import { type CelSchema, celTypeOfSchema, maxCardinality } from './schema-type.ts';
import { run } from './testing/run.ts';
import { formatType } from './types.ts';

const STRING: CelSchema = { type: 'string' };
const object = (properties: Record<string, CelSchema>): CelSchema => ({
  type: 'object',
  properties,
});

test('properties that are no identifiers are escaped, and back', () => {
  const table: readonly (readonly [string, string | undefined])[] = [
    ['plain', 'plain'],
    ['namespace', '__namespace__'],
    ['a-b.c/d', 'a__dash__b__dot__c__slash__d'],
    ['a__b', 'a__underscores__b'],
    ['_x_', '_x_'],
    ['1st', undefined],
    ['', undefined],
    ['ünicode', undefined],
    ['a b', undefined],
  ];
  for (const [name, escaped] of table) {
    assert.equal(escapeProperty(name), escaped, name);
    if (escaped !== undefined) assert.equal(unescapeProperty(escaped), name);
  }
  assert.equal(unescapeProperty('__nonsense__'), undefined);
  assert.equal(unescapeProperty('a__if__'), undefined);
});

test('a schema gives its data a type', () => {
  const table: readonly (readonly [CelSchema, string | undefined])[] = [
    [{ type: 'integer' }, 'int'],
    [{ type: 'number' }, 'double'],
    [{ type: 'boolean' }, 'bool'],
    [{ type: 'string', format: 'date-time' }, 'timestamp'],
    [{ type: 'string', format: 'date' }, 'timestamp'],
    [{ type: 'string', format: 'duration' }, 'duration'],
    [{ type: 'string', format: 'byte' }, 'bytes'],
    [{ 'x-kubernetes-int-or-string': true }, 'dyn'],
    [{ type: 'array', items: STRING }, 'list(string)'],
    [{ type: 'object', additionalProperties: STRING }, 'map(string, string)'],
    [object({}), 'object'],
    [{ 'x-kubernetes-preserve-unknown-fields': true }, undefined],
    [{ type: 'array', items: { 'x-kubernetes-preserve-unknown-fields': true } }, undefined],
  ];
  for (const [schema, type] of table) {
    const declared = celTypeOfSchema(schema);
    assert.equal(declared && formatType(declared.type), type, JSON.stringify(schema));
  }
});

test('a whole resource has its name and kind, and nothing else of its metadata', () => {
  const declared = celTypeOfSchema(object({ spec: object({}) }), { root: true });

  assert.deepEqual([...(declared?.fields?.keys() ?? [])].toSorted(), [
    'apiVersion',
    'kind',
    'metadata',
    'spec',
  ]);
  assert.deepEqual(
    [...(declared?.fields?.get('metadata')?.fields?.keys() ?? [])],
    ['name', 'generateName'],
  );
});

test('bounds of a schema bound its data', () => {
  const bound = (schema: CelSchema) => celTypeOfSchema(schema)?.maxElements;

  assert.equal(bound({ type: 'string', maxLength: 10 }), 40);
  assert.equal(bound({ type: 'string', enum: ['a', 'bbb'] }), 3);
  assert.equal(bound(STRING), 3_145_726);
  assert.equal(bound({ type: 'array', items: STRING, maxItems: 5 }), 5);
  assert.equal(bound({ type: 'array', items: STRING }), 1_048_575);
  assert.equal(bound({ type: 'object', additionalProperties: STRING }), 393_215);
  const required = { ...object({ name: STRING }), required: ['name'] };
  assert.equal(maxCardinality(celTypeOfSchema(required) ?? assert.fail()), 241_979);
});

const rich = object({
  'with-dash': STRING,
  namespace: STRING,
  count: { type: 'integer' },
  ratio: { type: 'number' },
  maybe: { type: 'string', nullable: true },
  either: { 'x-kubernetes-int-or-string': true },
  when: { type: 'string', format: 'date-time' },
  long: { type: 'string', format: 'duration' },
  raw: { type: 'string', format: 'byte' },
  set: { type: 'array', items: STRING, 'x-kubernetes-list-type': 'set' },
  list: { type: 'array', items: STRING },
  elements: {
    type: 'array',
    items: object({ name: STRING, value: { type: 'integer' } }),
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
  },
  open: {
    ...object({ known: STRING }),
    'x-kubernetes-preserve-unknown-fields': true,
  },
});

const self = {
  'with-dash': 'd',
  namespace: 'n',
  count: 3,
  ratio: 2,
  maybe: null,
  either: '50%',
  when: '2020-01-02T03:04:05Z',
  long: '1d',
  raw: 'aGk=',
  set: ['a', 'b'],
  list: ['a', 'b'],
  elements: [
    { name: 'x', value: 1 },
    { name: 'y', value: 2 },
  ],
  open: { known: 'k', unknown: 1 },
};

test('data is read by its schema', () => {
  const table: readonly (readonly [string, string])[] = [
    ['self.with__dash__dash', '"d"'],
    ['self.__namespace__ + self.namespace', '"nn"'],
    ['self.count', '3'],
    ['self.ratio', 'double(2)'],
    ['has(self.maybe)', 'false'],
    ['self.maybe', 'error: no such key: maybe'],
    ["type(self.either) == string && self.either == '50%'", 'true'],
    ['self.when.getFullYear()', '2020'],
    ["self.long == duration('24h')", 'true'],
    ["self.raw == b'hi'", 'true'],
    ['self.open.known', '"k"'],
    ['self == self', 'true'],
  ];
  for (const [expr, shown] of table) {
    assert.equal(run({ expr, schema: rich, self }).shown, shown, expr);
  }
});

test('lists are compared and joined as their list type says', () => {
  const table: readonly (readonly [string, string])[] = [
    ["self.set == ['b', 'a']", 'true'],
    ["self.list == ['b', 'a']", 'false'],
    ["self.set + ['b', 'c']", '["a", "b", "c"]'],
    ["self.list + ['b', 'c']", '["a", "b", "b", "c"]'],
    ['self.elements + self.elements == self.elements', 'true'],
    ['[self.elements[1], self.elements[0]] == self.elements', 'false'],
    ['self.elements == [self.elements[1], self.elements[0]]', 'true'],
  ];
  for (const [expr, shown] of table) {
    assert.equal(run({ expr, schema: rich, self }).shown, shown, expr);
  }
});

test('estimates grow with what a schema leaves open', () => {
  const all = 'self.list.all(x, x.size() > 0)';
  const bounded = object({ list: { type: 'array', items: STRING, maxItems: 10 } });

  assert.equal(run({ expr: all, schema: bounded, self }).max, 63n);
  assert.equal(run({ expr: all, schema: rich, self }).max, 6_291_453n);
});
