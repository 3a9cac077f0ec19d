import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kindTester, NOW } from '../core/kind-tester.cases.ts';

const claims = kindTester('resource.k8s.io/v1/ResourceClaim');
const spec = { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c' } }] } };

test('a request that does not say how many devices wants exactly one', () => {
  const stored = {
    devices: {
      requests: [
        { name: 'r', exactly: { deviceClassName: 'c', allocationMode: 'ExactCount', count: 1 } },
      ],
    },
  };
  assert.deepEqual(claims.create({ spec })['spec'], stored);
  const template = kindTester('resource.k8s.io/v1/ResourceClaimTemplate').create({
    spec: { spec },
  });
  assert.deepEqual((template['spec'] as { spec: unknown }).spec, stored);
});

test('a claim shows how far it has got', () => {
  const states: readonly (readonly [object, boolean, string])[] = [
    [{}, false, 'pending'],
    [{ allocation: {} }, false, 'allocated'],
    [{ allocation: {}, reservedFor: [{}] }, false, 'allocated,reserved'],
    [{}, true, 'deleted'],
    [{ allocation: {} }, true, 'deleted,allocated'],
  ];
  for (const [status, deleted, state] of states) {
    const object = { ...claims.create({ spec }), status };
    if (deleted) object.metadata.deletionTimestamp = NOW;
    assert.deepEqual(claims.behaviour.cells?.(object, { now: new Date(NOW) }), ['x', state, '0s']);
  }
});

test('other device kinds show their names, and slices where their devices are', () => {
  kindTester('resource.k8s.io/v1/DeviceClass').shows([[{ spec: {} }, ['x', '0s']]]);
  kindTester('resource.k8s.io/v1/ResourceSlice').shows([
    [{ spec: { driver: 'd', nodeName: 'n', pool: { name: 'p' } } }, ['x', 'n', 'd', 'p', '0s']],
  ]);
});
