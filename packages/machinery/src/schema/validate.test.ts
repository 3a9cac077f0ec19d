import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compileSchema } from './compile-schema.ts';
import { changeErrorsOf, errorsOf, objectOf, specOf } from './testing.cases.ts';
import type { JsonSchemaProps } from './types.ts';

type Row = readonly [JsonSchemaProps, unknown, readonly string[]];

/** Texts of the real server, where a field `x` has the schema and the value of the row. */
const rows: readonly Row[] = [
  [
    { type: 'string' },
    1,
    ['spec.x: Invalid value: "integer": spec.x in body must be of type string: "integer"'],
  ],
  [
    { type: 'integer' },
    1.5,
    ['spec.x: Invalid value: "number": spec.x in body must be of type integer: "number"'],
  ],
  [{ type: 'number' }, 1, []],
  [{ type: 'integer' }, 2n ** 60n, []],
  [
    { type: 'array', items: { type: 'string' } },
    [null],
    ['spec.x[0]: Invalid value: "null": spec.x[0] in body must be of type string: "null"'],
  ],
  [
    { type: 'string', format: 'date-time' },
    5,
    ['spec.x: Invalid value: "int64": spec.x in body must be of type date-time: "int64"'],
  ],
  [
    { type: 'string', format: 'ipv4' },
    'x',
    ['spec.x: Invalid value: "x": spec.x in body must be of type ipv4: "x"'],
  ],
  [{ type: 'string', format: 'no-such' }, 'x', []],
  [
    { type: 'string', enum: ['a', 'b'] },
    'c',
    ['spec.x: Unsupported value: "c": supported values: "a", "b"'],
  ],
  [
    { type: 'integer', enum: [1, 2] },
    3,
    ['spec.x: Unsupported value: 3: supported values: "1", "2"'],
  ],
  [{ type: 'string', maxLength: 2 }, 'ééé', ['spec.x: Too long: may not be more than 2 bytes']],
  [{ type: 'string', maxLength: 2 }, '😀😀', []],
  [
    { type: 'string', minLength: 2 },
    '😀',
    ['spec.x: Invalid value: "😀": spec.x in body should be at least 2 chars long'],
  ],
  [
    { type: 'string', pattern: '^a' },
    'b',
    ['spec.x: Invalid value: "b": spec.x in body should match \'^a\''],
  ],
  [
    { type: 'integer', minimum: 2 },
    1,
    ['spec.x: Invalid value: 1: spec.x in body should be greater than or equal to 2'],
  ],
  [{ type: 'integer', minimum: 2.5 }, 2, []],
  [
    { type: 'number', maximum: 5, exclusiveMaximum: true },
    5,
    ['spec.x: Invalid value: 5: spec.x in body should be less than 5'],
  ],
  [
    { type: 'number', minimum: 0.00001 },
    0.000001,
    ['spec.x: Invalid value: 1e-06: spec.x in body should be greater than or equal to 1e-05'],
  ],
  [
    { type: 'integer', multipleOf: 3 },
    4,
    ['spec.x: Invalid value: 4: spec.x in body should be a multiple of 3'],
  ],
  [
    { type: 'array', maxItems: 1, items: { type: 'string' } },
    ['a', 'b'],
    ['spec.x: Too many: 2: must have at most 1 item'],
  ],
  [
    { type: 'array', minItems: 1, items: { type: 'string' } },
    [],
    ['spec.x: Invalid value: 0: spec.x in body should have at least 1 items'],
  ],
  [{ type: 'object', required: ['a'] }, {}, ['spec.x.a: Required value']],
  [
    { type: 'object', additionalProperties: { type: 'string' }, maxProperties: 0 },
    { a: 'b' },
    ['spec.x: Too many: 1: must have at most 0 items'],
  ],
  [
    { type: 'object', additionalProperties: false },
    { a: 'b' },
    ['spec.x: Invalid value: "a": spec.x.a in body is a forbidden property'],
  ],
  [
    { 'x-kubernetes-int-or-string': true },
    true,
    ['spec.x: Invalid value: "boolean": spec.x in body must be of type integer,string: "boolean"'],
  ],
  [
    { type: 'string', not: { enum: ['x'] } },
    'x',
    ['<nil>: Invalid value: "": "spec.x" must not validate the schema (not)'],
  ],
  [
    { type: 'string', anyOf: [{ minLength: 3 }, { pattern: '^x' }] },
    'ab',
    [
      '<nil>: Invalid value: "": "spec.x" must validate at least one schema (anyOf)',
      'spec.x: Invalid value: "ab": spec.x in body should be at least 3 chars long',
    ],
  ],
  [
    { type: 'integer', oneOf: [{ minimum: 5 }, { multipleOf: 2 }] },
    6,
    [
      '<nil>: Invalid value: "": "spec.x" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ],
  ],
  [
    { type: 'string', allOf: [{ minLength: 2 }, { pattern: '^a' }] },
    'b',
    [
      'spec.x: Invalid value: "b": spec.x in body should be at least 2 chars long',
      'spec.x: Invalid value: "b": spec.x in body should match \'^a\'',
      '<nil>: Invalid value: "": "spec.x" must validate all the schemas (allOf). None validated',
    ],
  ],
  [
    { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    ['a', 'b', 'a', 'a'],
    ['spec.x[2]: Duplicate value: "a"'],
  ],
];

describe('validate', () => {
  for (const [schema, value, errors] of rows) {
    test(`answers like the real server to ${String(value)} where ${Object.keys(schema).join(', ')} is asked`, () => {
      assert.deepEqual(errorsOf(specOf({ x: schema }), { x: value }), errors);
    });
  }

  test('names the keys that items of a map list share', () => {
    const schema = specOf({
      l: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['port', 'protocol'],
        items: {
          type: 'object',
          properties: { port: { type: 'integer' }, protocol: { type: 'string' } },
        },
      },
    });

    const errors = errorsOf(schema, {
      l: [
        { port: 80, protocol: 'TCP' },
        { protocol: 'TCP', port: 80 },
      ],
    });

    assert.deepEqual(errors, ['spec.l[1]: Duplicate value: {"port":80,"protocol":"TCP"}']);
  });

  test('demands type and sound metadata of embedded resources', () => {
    const schema = specOf({
      e: {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      },
    });

    assert.deepEqual(errorsOf(schema, { e: {} }), [
      'spec.e.apiVersion: Required value',
      'spec.e.kind: Required value',
    ]);
    assert.deepEqual(errorsOf(schema, { e: { apiVersion: 'a/b/c', kind: 'Pod' } }), [
      'spec.e.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
    ]);
  });

  test('checks the fields that scale reads', () => {
    const schema = compileSchema({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true });
    const scale = { specReplicasPath: '.spec.r', statusReplicasPath: '.status.r' };

    const [error] = schema.validate(objectOf({ r: 'x' }), { scale });

    assert.equal(error?.field, '.spec.r');
    assert.equal(
      error?.message,
      'Invalid value: 0: .spec.r accessor error: x is of the type string, expected int64',
    );
  });
});

describe('validateUpdate', () => {
  const short = specOf({
    a: { type: 'string', maxLength: 2 },
    b: { type: 'string' },
    m: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
      items: {
        type: 'object',
        properties: { k: { type: 'string' }, v: { type: 'string', maxLength: 2 } },
      },
    },
    l: { type: 'array', items: { type: 'string', maxLength: 2 } },
  });

  test('forgives what was wrong before and did not change', () => {
    assert.deepEqual(changeErrorsOf(short, { a: 'long', b: 'x' }, { a: 'long', b: 'y' }), []);
  });

  test('refuses what becomes wrong', () => {
    assert.deepEqual(changeErrorsOf(short, { a: 'longer' }, { a: 'long' }), [
      'spec.a: Too long: may not be more than 2 bytes',
    ]);
  });

  test('finds items of map lists by their keys, wherever they stand', () => {
    const old = { m: [{ k: 'one', v: 'long' }] };

    assert.deepEqual(
      changeErrorsOf(short, { m: [{ k: 'two' }, { k: 'one', v: 'long' }] }, old),
      [],
    );
    assert.deepEqual(changeErrorsOf(short, { m: [{ k: 'two', v: 'long' }] }, old), [
      'spec.m[0].v: Too long: may not be more than 2 bytes',
    ]);
  });

  test('looks at all items of other lists once one of them changes', () => {
    assert.deepEqual(changeErrorsOf(short, { l: ['long', 'x'] }, { l: ['long', 'x'] }), []);
    assert.deepEqual(changeErrorsOf(short, { l: ['long', 'y'] }, { l: ['long', 'x'] }), [
      'spec.l[0]: Too long: may not be more than 2 bytes',
    ]);
  });
});

describe('validateStatusUpdate', () => {
  test('validates the status alone, with paths that messages shorten', () => {
    const schema = compileSchema({
      type: 'object',
      properties: {
        spec: { type: 'object', properties: { a: { type: 'string' } } },
        status: { type: 'object', properties: { n: { type: 'integer' } } },
      },
    });

    const errors = schema.validateStatusUpdate(
      { ...objectOf({ a: 1 }), status: { n: 'x' } },
      objectOf({ a: 1 }),
    );

    assert.deepEqual(
      errors.map(({ field, message }) => `${field}: ${message}`),
      ['status.n: Invalid value: "string": n in body must be of type integer: "string"'],
    );
  });
});
