import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CustomResourceDefinition } from '@flotilla/client';
import { isNewer, servedVersions } from './compare-crds.ts';

describe('isNewer', () => {
  test('holds for a CRD with more fields or versions, wherever they are', () => {
    assert.ok(isNewer(crd(['a', 'b']), crd(['a'])));
    assert.ok(isNewer(crd(['a'], ['v1', 'v2']), crd(['a'])));
    assert.ok(isNewer(nested({ a: {}, b: {} }), nested({ a: {} })));
  });

  test('does not for the same, for less, or for something else', () => {
    assert.ok(!isNewer(crd(['a']), crd(['a'])));
    assert.ok(!isNewer(crd(['a']), crd(['a', 'b'])));
    assert.ok(!isNewer(crd(['b', 'c']), crd(['a'])));
  });
});

test('servedVersions leaves out those that are only stored', () => {
  const found = crd(['a'], ['v1', 'v2']);
  for (const version of found.spec?.versions ?? []) version.served = version.name === 'v2';

  assert.deepEqual(servedVersions(found), ['v2']);
});

function crd(fields: readonly string[], versions = ['v1']): CustomResourceDefinition {
  return withSchema(
    { type: 'object', properties: Object.fromEntries(fields.map((name) => [name, {}])) },
    versions,
  );
}

/** The fields below a list below a map. */
function nested(properties: object): CustomResourceDefinition {
  const additionalProperties = { type: 'array', items: { type: 'object', properties } };
  return withSchema({ type: 'object', properties: { map: { additionalProperties } } }, ['v1']);
}

function withSchema(
  openAPIV3Schema: object,
  versions: readonly string[],
): CustomResourceDefinition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: versions.map((name) => ({
        name,
        served: true,
        storage: name === 'v1',
        schema: { openAPIV3Schema },
      })),
    },
  };
}
