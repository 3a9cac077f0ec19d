import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatFieldError } from '../../field-errors.ts';
import { compileSchema } from '../compile-schema.ts';
import { changeErrorsOf, errorsOf, objectOf, specOf } from '../testing.cases.ts';
import type { JsonSchemaProps, ValidationRule } from '../types.ts';

describe('rules', () => {
  test('that fail tell the rule, or their message', () => {
    const schema = withRules([
      { rule: 'self.a < 3' },
      { rule: 'self.a < 2', message: ' too much ' },
    ]);

    assert.deepEqual(errorsOf(schema, { a: 5 }), [
      'spec: Invalid value: "object": failed rule: self.a < 3',
      'spec: Invalid value: "object": too much',
    ]);
  });

  test('choose reason and field of their errors', () => {
    const rules = (
      [
        'FieldValueForbidden',
        'FieldValueRequired',
        'FieldValueDuplicate',
        'FieldValueInvalid',
      ] as const
    ).map((reason) => ({ rule: 'false', message: 'no', reason, fieldPath: '.a' }));

    assert.deepEqual(errorsOf(withRules(rules), { a: 1 }), [
      'spec.a: Forbidden: no',
      'spec.a: Required value: no',
      'spec.a: Duplicate value: "object"',
      'spec.a: Invalid value: "object": no',
    ]);
  });

  test('make their message by an expression, unless it cannot be shown', () => {
    const messages = [
      '"a is " + string(self.a)',
      '""',
      '"two\\nlines"',
      'string(1 / (self.a - 1))',
    ];
    const rules = messages.map((messageExpression) => ({
      rule: 'false',
      message: 'plain',
      messageExpression,
    }));

    assert.deepEqual(errorsOf(withRules(rules), { a: 1 }), [
      'spec: Invalid value: "object": a is 1',
      ...Array.from({ length: 3 }, () => 'spec: Invalid value: "object": plain'),
    ]);
  });

  test('that cannot be evaluated say why', () => {
    assert.deepEqual(errorsOf(withRules([{ rule: '10 / self.a > 1' }]), { a: 0 }), [
      'spec: Invalid value: "object": division by zero evaluating rule: 10 / self.a > 1',
    ]);
  });

  test('wait until the object has its types', () => {
    assert.deepEqual(errorsOf(withRules([{ rule: 'self.a > 1' }]), { a: 'x' }), [
      'spec.a: Invalid value: "string": spec.a in body must be of type integer: "string"',
      '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
    ]);
  });

  test('are cut off by their cost, not by time', () => {
    const schema = specOf({
      l: {
        type: 'array',
        items: { type: 'integer' },
        'x-kubernetes-validations': [
          { rule: 'self.all(x, self.all(y, x == y))' },
          { rule: 'false' },
        ],
      },
    });

    const errors = errorsOf(schema, { l: Array.from({ length: 20_000 }, () => 1) });

    assert.equal(errors.length, 1);
    assert.match(errors[0] ?? '', /^spec\.l: Invalid value: "array": .*call cost exceeds limit/);
  });

  test('share one budget per object', () => {
    const schema = specOf({
      l: {
        type: 'array',
        items: {
          type: 'array',
          items: { type: 'integer' },
          'x-kubernetes-validations': [{ rule: 'self.all(x, x == 1)' }],
        },
      },
    });
    const items = Array.from({ length: 20_000 }, () => 1);

    const errors = errorsOf(schema, { l: Array.from({ length: 200 }, () => items) });

    assert.equal(errors.length, 1);
    assert.match(
      errors[0] ?? '',
      /validation failed due to running out of cost budget, no further validation rules will be run$/,
    );
  });
});

describe('transition rules', () => {
  const upwards: readonly ValidationRule[] = [{ rule: 'self >= oldSelf', message: 'only up' }];

  test('run only when there is something to compare with', () => {
    const schema = specOf({ a: { type: 'integer', 'x-kubernetes-validations': upwards } });

    assert.deepEqual(errorsOf(schema, { a: 1 }), []);
    assert.deepEqual(changeErrorsOf(schema, { a: 1 }, {}), []);
    assert.deepEqual(changeErrorsOf(schema, { a: 1 }, { a: 2 }), [
      'spec.a: Invalid value: "integer": only up',
    ]);
  });

  test('follow items of map lists by their keys', () => {
    const schema = specOf({
      l: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
        items: {
          type: 'object',
          properties: {
            k: { type: 'string' },
            v: { type: 'integer', 'x-kubernetes-validations': upwards },
          },
        },
      },
    });
    const old = {
      l: [
        { k: 'x', v: 5 },
        { k: 'y', v: 1 },
      ],
    };

    assert.deepEqual(
      changeErrorsOf(
        schema,
        {
          l: [
            { k: 'y', v: 2 },
            { k: 'x', v: 4 },
            { k: 'z', v: 0 },
          ],
        },
        old,
      ),
      ['spec.l[1].v: Invalid value: "integer": only up'],
    );
  });

  test('with an optional old value run on new ones, too', () => {
    const rule = {
      rule: 'oldSelf.hasValue() || self == 1',
      optionalOldSelf: true,
      message: 'first 1',
    };
    const schema = specOf({ a: { type: 'integer', 'x-kubernetes-validations': [rule] } });

    assert.deepEqual(errorsOf(schema, { a: 2 }), ['spec.a: Invalid value: "integer": first 1']);
    assert.deepEqual(changeErrorsOf(schema, { a: 2 }, { a: 1 }), []);
  });
});

test('rules that fail on what did not change are warned about', () => {
  const schema = specOf({
    a: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self < 3', message: 'small' }] },
    b: { type: 'string' },
  });
  const warnings: string[] = [];

  const errors = compileSchema(schema).validateUpdate(
    objectOf({ a: 5, b: 'x' }),
    objectOf({ a: 5, b: 'y' }),
    { warn: (text) => warnings.push(text) },
  );

  assert.deepEqual(errors.map(formatFieldError), []);
  assert.deepEqual(warnings, ['spec.a: Invalid value: "integer": small']);
});

function withRules(rules: readonly ValidationRule[]): JsonSchemaProps {
  return {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: { a: { type: 'integer' } },
        'x-kubernetes-validations': rules,
      },
    },
  };
}
