import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatFieldError } from '../../field-errors.ts';
import { specOf } from '../testing.cases.ts';
import type { JsonSchemaProps, ValidationRule } from '../types.ts';
import { type DefinitionOptions, validateDefinition } from './validate-definition.ts';

const ROOT = 'spec.validation.openAPIV3Schema';
const X = `${ROOT}.properties[spec].properties[x]`;

/** Schemas of one field `x`, and what the real server says about them. */
const rows: readonly (readonly [JsonSchemaProps, readonly string[]])[] = [
  [{ type: 'string' }, []],
  [
    { type: 'text' },
    [
      `${X}.type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string"`,
    ],
  ],
  [{ type: 'string', $ref: '#/x' }, [`${X}.$ref: Forbidden: $ref is not supported`]],
  [
    { type: 'string', $schema: 'x' },
    [`${ROOT}: Invalid value: "": OpenAPIV3Schema 'schema' is not supported`],
  ],
  [
    { type: 'array', uniqueItems: true, items: { type: 'string' } },
    [
      `${X}.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic`,
    ],
  ],
  [
    { type: 'string', pattern: '(' },
    [
      `${X}.pattern: Invalid value: "(": must be a valid regular expression, but isn't: error parsing regexp: missing closing ): \`(\``,
    ],
  ],
  [
    { type: 'string', default: 1 },
    [`${X}.default: Invalid value: "integer":  in body must be of type string: "integer"`],
  ],
  [
    { type: 'object', default: { b: 1 }, properties: { a: { type: 'string' } } },
    [`${X}.default: Invalid value: {"b":1}: must not have unknown fields`],
  ],
  [
    { type: 'string', 'x-kubernetes-list-type': 'set' },
    [`${X}.type: Invalid value: "string": must be array if x-kubernetes-list-type is specified`],
  ],
  [
    { type: 'array', 'x-kubernetes-list-type': 'map', items: { type: 'object' } },
    [
      `${X}.x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map`,
    ],
  ],
  [
    {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
      items: { type: 'object', properties: { k: { type: 'string' } } },
    },
    [
      `${X}.items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property`,
    ],
  ],
];

describe('validateDefinition', () => {
  for (const [schema, errors] of rows) {
    test(`answers like the real server to ${Object.keys(schema).join(', ')}`, () => {
      assert.deepEqual(problemsOf(specOf({ x: schema })), errors);
    });
  }

  test('restricts the root where status is a subresource', () => {
    const [error = ''] = problemsOf({ type: 'object', minProperties: 1 }, { hasStatus: true });

    assert.ok(error.startsWith(`${ROOT}: Invalid value: {"ID":"","Schema":"","Ref":null,`));
    assert.ok(
      error.endsWith(
        'fields are allowed at the root of the schema if the status subresource is enabled',
      ),
    );
  });

  test('forbids defaults in the metadata of the object itself', () => {
    const schema: JsonSchemaProps = {
      type: 'object',
      properties: { metadata: { type: 'object', default: {} } },
    };

    assert.deepEqual(problemsOf(schema), [
      `${ROOT}.properties[metadata].default: Forbidden: must not be set in top-level metadata`,
    ]);
  });
});

describe('rules of a definition', () => {
  const refusal = (rule: ValidationRule, schema: JsonSchemaProps = { type: 'integer' }) =>
    problemsOf(specOf({ x: { ...schema, 'x-kubernetes-validations': [rule] } }));
  const at = `${X}.x-kubernetes-validations[0]`;

  test('must have a text, and one line of message', () => {
    assert.deepEqual(refusal({ rule: ' ' }), [`${at}.rule: Required value: rule is not specified`]);
    assert.deepEqual(refusal({ rule: 'true', message: 'a\nb' }), [
      `${at}.message: Invalid value: "a\\nb": must not contain line breaks`,
    ]);
  });

  test('must compile to a bool', () => {
    assert.deepEqual(refusal({ rule: 'self' }), [
      `${at}.rule: Invalid value: {"Rule":"self","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: cel expression must evaluate to a bool`,
    ]);
    assert.match(
      refusal({ rule: 'nope' })[0] ?? '',
      /compilation failed: ERROR: <input>:1:1: undeclared reference to 'nope'/,
    );
  });

  test('must not compare what cannot be told to be the same', () => {
    const errors = problemsOf(
      specOf({
        l: {
          type: 'array',
          items: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >= oldSelf' }] },
        },
      }),
    );

    assert.deepEqual(errors, [
      `${ROOT}.properties[spec].properties[l].items.x-kubernetes-validations[0].rule: Invalid value: "self >= oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within ${ROOT}.properties[spec].properties[l]`,
    ]);
  });

  test('must not be too expensive, unless they were before', () => {
    const schema = specOf({
      x: {
        type: 'array',
        items: { type: 'string' },
        'x-kubernetes-validations': [{ rule: 'self.all(a, self.all(b, a == b))' }],
      },
    });
    const advice =
      'exceeds budget by factor of more than 100x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';

    assert.deepEqual(problemsOf(schema), [
      `${at}.rule: Forbidden: estimated rule cost ${advice}`,
      `${at}.rule: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema`,
      `${ROOT}: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema ${advice}`,
    ]);
    assert.equal(problemsOf(schema, { isUnchanged: true }).length, 2);
  });

  test('are run on defaults', () => {
    assert.deepEqual(
      refusal({ rule: 'self > 1', message: 'more' }, { type: 'integer', default: 1 }),
      [`${X}.default: Invalid value: "integer": more`],
    );
  });
});

function problemsOf(schema: JsonSchemaProps, options: Partial<DefinitionOptions> = {}): string[] {
  return validateDefinition(schema, { path: 'spec.validation', hasStatus: false, ...options }).map(
    formatFieldError,
  );
}
