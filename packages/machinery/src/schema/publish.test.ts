import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definitionName, openApiListSchema, openApiSchemaV2, openApiSchemaV3 } from './publish.ts';
import type { JsonSchemaProps } from './types.ts';

const kind = { group: 'example.com', version: 'v1', kind: 'Widget' };
const schema: JsonSchemaProps = {
  type: 'object',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      description: 'What is wanted.',
      required: ['a', 'n'],
      properties: {
        a: { type: 'string', default: 'x', oneOf: [{ minLength: 1 }] },
        n: { type: 'array', nullable: true, items: { type: 'string' } },
        i: { 'x-kubernetes-int-or-string': true },
        p: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          properties: { k: { type: 'string' } },
        },
      },
    },
  },
};

test('version 3 says all that the schema says, and refers to the metadata of all kinds', () => {
  assert.deepEqual(
    openApiSchemaV3({ ...kind, schema, selectableFields: [{ jsonPath: '.spec.a' }] }),
    {
      ...schema,
      properties: {
        spec: {
          ...schema.properties?.['spec'],
          properties: {
            ...schema.properties?.['spec']?.properties,
            i: {
              'x-kubernetes-int-or-string': true,
              anyOf: [{ type: 'integer' }, { type: 'string' }],
            },
          },
        },
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: {
          allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }],
        },
      },
      'x-kubernetes-group-version-kind': [kind],
      'x-kubernetes-selectable-fields': [{ fieldPath: 'spec.a' }],
    },
  );
});

test('version 2 leaves out what it cannot say and what kubectl would misread', () => {
  const published = openApiSchemaV2({ ...kind, schema });

  assert.deepEqual(published['properties'], {
    spec: {
      type: 'object',
      description: 'What is wanted.',
      required: ['a'],
      properties: {
        a: { type: 'string' },
        n: {},
        i: { 'x-kubernetes-int-or-string': true },
        p: { 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
  });
});

test('a kind without a sound schema is published as any object', () => {
  const any = { type: 'object', 'x-kubernetes-group-version-kind': [kind] };

  assert.deepEqual(openApiSchemaV3({ ...kind, schema: undefined }), any);
  assert.deepEqual(openApiSchemaV3({ ...kind, schema: {} }), any);
  assert.deepEqual(openApiSchemaV2({ ...kind, schema, preserveUnknownFields: true }), any);
});

test('lists refer to their kind by its definition', () => {
  const name = definitionName({ ...kind, schema });
  const list = openApiListSchema({ ...kind, schema }, name, 'v3');

  assert.equal(name, 'com.example.v1.Widget');
  assert.deepEqual((list['properties'] as { items: unknown }).items, {
    type: 'array',
    items: { $ref: '#/components/schemas/com.example.v1.Widget' },
  });
  assert.deepEqual(list['x-kubernetes-group-version-kind'], [{ ...kind, kind: 'WidgetList' }]);
});
