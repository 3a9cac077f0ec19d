import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  defaulted,
  flag,
  integer,
  mapOf,
  object,
  oneOf,
  optional,
  rule,
  text,
} from './builders.ts';
import type { InputOf, OutputOf } from './schema.ts';

const sample = object('A sample.', {
  name: text('Its name.', { maxLength: 10, rules: [rule("self != ''", 'must not be empty')] }),
  size: defaulted(integer('Its size.', { minimum: 1 }), 3),
  colour: optional(oneOf('Its colour.', ['red', 'green'])),
  nested: defaulted(object('More.', { on: defaulted(flag('On or off.'), true) }), {}),
  labels: optional(mapOf('Its labels.', text('A value.'))),
});

describe('schema builders', () => {
  test('write the schema that a CRD has', () => {
    assert.deepEqual(sample.props, {
      description: 'A sample.',
      type: 'object',
      required: ['name'],
      properties: {
        name: {
          description: 'Its name.',
          type: 'string',
          maxLength: 10,
          'x-kubernetes-validations': [{ rule: "self != ''", message: 'must not be empty' }],
        },
        size: {
          description: 'Its size.',
          type: 'integer',
          default: 3,
          format: 'int32',
          minimum: 1,
        },
        colour: { description: 'Its colour.', type: 'string', enum: ['red', 'green'] },
        nested: {
          description: 'More.',
          type: 'object',
          default: {},
          properties: { on: { description: 'On or off.', type: 'boolean', default: true } },
        },
        labels: {
          description: 'Its labels.',
          type: 'object',
          additionalProperties: { description: 'A value.', type: 'string' },
        },
      },
    });
  });

  test('know the types of what is written and of what is stored', () => {
    const written: InputOf<typeof sample> = { name: 'a' };
    const stored: OutputOf<typeof sample> = { name: 'a', size: 3, nested: { on: true } };
    const colour: 'red' | 'green' | undefined = stored.colour;
    // @ts-expect-error: the server has filled in the size.
    const unfinished: OutputOf<typeof sample> = { name: 'a', nested: { on: true } };
    // @ts-expect-error: a name is required.
    const nameless: InputOf<typeof sample> = { size: 1 };
    // @ts-expect-error: blue is none of its colours.
    const blue: InputOf<typeof sample> = { name: 'a', colour: 'blue' };

    assert.ok([written, stored, unfinished, nameless, blue].every(Boolean));
    assert.equal(colour, undefined);
  });
});
