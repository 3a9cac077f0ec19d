import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compileSchema } from './compile-schema.ts';
import { objectOf, specOf } from './testing.cases.ts';
import type { JsonSchemaProps, PruneOptions } from './types.ts';

describe('prune', () => {
  test('drops what the schema does not know and names it', () => {
    const schema = specOf({
      o: { type: 'object', properties: { a: { type: 'string' } } },
      l: { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } },
      m: { type: 'object', additionalProperties: { type: 'object' } },
    });

    const { unknown, spec } = pruned(schema, {
      x: 1,
      o: { a: 'kept', b: 1 },
      l: [{ a: 'kept' }, { b: 1 }],
      m: { k: { lost: 1 } },
    });

    assert.deepEqual(unknown, ['spec.l[1].b', 'spec.m.k.lost', 'spec.o.b', 'spec.x']);
    assert.deepEqual(spec, { o: { a: 'kept' }, l: [{ a: 'kept' }, {}], m: { k: {} } });
  });

  test('keeps everything below preserve-unknown-fields, but for what is described there', () => {
    const schema = specOf({
      p: {
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
        properties: { k: { type: 'object', properties: { a: { type: 'string' } } } },
      },
    });

    const { unknown, spec } = pruned(schema, { p: { any: { thing: 1 }, k: { a: 'x', b: 1 } } });

    assert.deepEqual(unknown, ['spec.p.k.b']);
    assert.deepEqual(spec, { p: { any: { thing: 1 }, k: { a: 'x' } } });
  });

  test('empties objects below additionalProperties that is only true, as the real server does', () => {
    const schema = specOf({ t: { type: 'object', additionalProperties: true } });

    assert.deepEqual(pruned(schema, { t: { o: { lost: 1 }, s: 'kept' } }).spec, {
      t: { o: {}, s: 'kept' },
    });
  });

  test('drops nulls that are neither allowed nor defaulted', () => {
    const schema = specOf({
      a: { type: 'string' },
      b: { type: 'string', nullable: true },
      c: { type: 'string', default: 'x' },
    });

    assert.deepEqual(pruned(schema, { a: null, b: null, c: null }).spec, { b: null, c: null });
  });

  test('reads the metadata of embedded resources, and refuses what does not fit', () => {
    const schema = specOf({
      e: {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      },
    });
    const readMetadata: NonNullable<PruneOptions['readMetadata']> = (metadata) =>
      typeof metadata === 'object'
        ? { metadata: { name: 'x' }, unknown: ['odd'] }
        : { problem: 'no' };

    const read = pruned(schema, { e: { metadata: { name: 'x', odd: 1 } } }, { readMetadata });
    const refused = pruned(schema, { e: { metadata: 1 } }, { readMetadata });

    assert.deepEqual(read.unknown, ['spec.e.metadata.odd']);
    assert.deepEqual(read.spec, { e: { metadata: { name: 'x' } } });
    assert.deepEqual(refused.problem, {
      type: 'FieldValueInvalid',
      field: 'spec.e.metadata',
      message: 'Invalid value: 1: no',
    });
  });

  test('takes keys that every JavaScript object seems to have for what they are', () => {
    const spec = JSON.parse('{"constructor":1,"__proto__":{"a":1},"toString":"x"}') as unknown;

    const { unknown } = pruned(specOf({ a: { type: 'string' } }), spec);

    assert.deepEqual(unknown, ['spec.__proto__', 'spec.constructor', 'spec.toString']);
  });
});

describe('defaults', () => {
  test('fill in what is missing, also inside of defaults and of items', () => {
    const schema: JsonSchemaProps = {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          default: {},
          properties: {
            a: { type: 'string', default: 'x' },
            o: { type: 'object', properties: { b: { type: 'integer', default: 1 } } },
            d: {
              type: 'object',
              default: { c: 'y' },
              properties: { c: { type: 'string' }, e: { type: 'boolean', default: false } },
            },
            l: {
              type: 'array',
              items: { type: 'object', properties: { k: { type: 'string', default: 'z' } } },
            },
          },
        },
      },
    };

    const none: Record<string, unknown> = { kind: 'Widget' };
    compileSchema(schema).defaults(none);
    const some = objectOf({ o: {}, l: [{}] });
    compileSchema(schema).defaults(some);

    assert.deepEqual(none['spec'], { a: 'x', d: { c: 'y', e: false } });
    assert.deepEqual(some['spec'], {
      a: 'x',
      d: { c: 'y', e: false },
      o: { b: 1 },
      l: [{ k: 'z' }],
    });
  });

  test('stand in for nulls that are not allowed', () => {
    const schema = specOf({
      a: { type: 'string', default: 'x' },
      b: { type: 'string', default: 'x', nullable: true },
      l: { type: 'array', items: { type: 'string', default: 'w' } },
    });
    const object = objectOf({ a: null, b: null, l: [null] });

    compileSchema(schema).defaults(object);

    assert.deepEqual(object['spec'], { a: 'x', b: null, l: ['w'] });
  });

  test('are copied, so that objects do not share them', () => {
    const schema = compileSchema(specOf({ o: { type: 'object', default: { a: 1 } } }));
    const [one, two] = [objectOf({}), objectOf({})];

    schema.defaults(one);
    (one['spec'] as { o: { a: number } }).o.a = 2;
    schema.defaults(two);

    assert.deepEqual(two['spec'], { o: { a: 1 } });
  });
});

function pruned(schema: JsonSchemaProps, spec: unknown, options?: PruneOptions) {
  const object = objectOf(spec);
  const { unknown, problem } = compileSchema(schema).prune(object, options);
  return { unknown, problem, spec: object['spec'] };
}
