import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatFieldError } from '../field-errors.ts';
import { anyJson, type Seeded, seeded } from '../testing/seeded.ts';
import { compileSchema } from './compile-schema.ts';
import { validateDefinition } from './define/validate-definition.ts';
import { errorsOf, specOf } from './testing.cases.ts';
import type { JsonSchemaProps } from './types.ts';

test('equal schemas share one compiled form, different ones do not', () => {
  const one = compileSchema(specOf({ a: { type: 'string' } }));

  assert.equal(compileSchema(specOf({ a: { type: 'string' } })), one);
  assert.notEqual(compileSchema(specOf({ a: { type: 'integer' } })), one);
});

test('what keeps a schema from being structural is told in the order of its text', () => {
  const { problems } = compileSchema({
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: { b: {}, a: { type: 'array' } },
        anyOf: [{ type: 'object', properties: { c: {} } }],
      },
    },
  });

  assert.deepEqual(problems.map(formatFieldError), [
    'properties[spec].anyOf[0].type: Forbidden: must be empty to be structural',
    'properties[spec].properties[a].items: Required value: must be specified',
    'properties[spec].properties[b].type: Required value: must not be empty for specified object fields',
  ]);
});

test('a schema nested too deep is refused and does nothing', () => {
  let schema: JsonSchemaProps = { type: 'string' };
  for (let depth = 0; depth < 20_000; depth++)
    schema = { type: 'object', properties: { a: schema } };

  const compiled = compileSchema(schema);

  assert.deepEqual(compiled.problems.map(formatFieldError), [
    '<nil>: Invalid value: "": must not be nested deeper than 400 levels',
  ]);
  assert.deepEqual(compiled.prune({ a: 1 }), { unknown: [] });
});

test('alternatives inside of alternatives cost no more than their number', () => {
  let schema: JsonSchemaProps = { minLength: 5 };
  for (let depth = 0; depth < 60; depth++) schema = { anyOf: [schema, { minLength: 6 }] };

  const errors = errorsOf(specOf({ a: { type: 'string', ...schema } }), { a: 'x' });

  assert.equal(errors.length, 2);
});

test('a pattern that would run forever elsewhere does not', () => {
  const schema = specOf({ a: { type: 'string', pattern: '^(a+)+$' } });

  assert.equal(errorsOf(schema, { a: `${'a'.repeat(50_000)}!` }).length, 1);
});

test('no schema and no value makes the compiler throw', () => {
  const random = seeded(20_260);
  for (let round = 0; round < 400; round++) {
    const schema = anySchema(random, 3);
    const compiled = compileSchema(schema);
    validateDefinition(schema, { path: 'spec.validation', hasStatus: round % 2 === 0 });
    const object = { kind: 'K', a: anyJson(random), b: anyJson(random), metadata: anyJson(random) };
    compiled.prune(object);
    compiled.defaults(object);
    compiled.validate(object);
    compiled.validateUpdate(object, { a: anyJson(random), b: object.b });
    compiled.validateStatusUpdate({ ...object, status: anyJson(random) }, object);
  }
});

const members: readonly ((random: Seeded, depth: number) => JsonSchemaProps)[] = [
  (random) => ({ type: random.pick(['object', 'array', 'string', 'integer', 'number', 'odd']) }),
  (random) => ({ maxLength: random.pick<number | bigint>([0, 3, 2n ** 62n]) }),
  (random) => ({ minimum: random.pick<number | bigint>([0, -1.5, 2n ** 62n, 1e300]) }),
  (random) => ({ multipleOf: random.pick([0, -1, 0.5, 3]) }),
  (random) => ({ pattern: random.pick(['a', '(', '^é$', '[']) }),
  (random) => ({ format: random.pick(['date', 'ipv6', 'email', 'uri', 'odd']) }),
  (random) => ({ enum: [anyJson(random)] }),
  (random) => ({ default: anyJson(random) }),
  (random) => ({ required: [random.pick(['a', '__proto__', 'constructor'])] }),
  () => ({ nullable: true }),
  () => ({ 'x-kubernetes-preserve-unknown-fields': true }),
  () => ({ 'x-kubernetes-embedded-resource': true }),
  () => ({ 'x-kubernetes-int-or-string': true }),
  (random) => ({ 'x-kubernetes-list-type': random.pick(['set', 'map', 'odd']) }),
  () => ({ 'x-kubernetes-list-map-keys': ['a', '__proto__'] }),
  (random, depth) => ({ items: anySchema(random, depth) }),
  (random, depth) => ({ additionalProperties: anySchema(random, depth) }),
  (random, depth) => ({ properties: { a: anySchema(random, depth), b: anySchema(random, depth) } }),
  (random, depth) => ({ anyOf: [anySchema(random, depth), anySchema(random, depth)] }),
  (random, depth) => ({ oneOf: [anySchema(random, depth)], not: anySchema(random, depth) }),
];

function anySchema(random: Seeded, depth: number): JsonSchemaProps {
  const usable = depth === 0 ? members.slice(0, -5) : members;
  return Object.assign({}, ...random.some(5, () => random.pick(usable)(random, depth - 1)));
}
