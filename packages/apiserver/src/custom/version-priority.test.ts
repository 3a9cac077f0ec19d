import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareVersions } from './version-priority.ts';

test('versions sort as clients prefer them', () => {
  const versions = [
    'foo1',
    'v1alpha1',
    'v10',
    'v1beta1',
    'v2',
    'v1beta2',
    'foo10',
    'v1',
    'v2beta1',
  ];

  assert.deepEqual(versions.sort(compareVersions), [
    'v10',
    'v2',
    'v1',
    'v2beta1',
    'v1beta2',
    'v1beta1',
    'v1alpha1',
    'foo1',
    'foo10',
  ]);
});
