import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Deployment, ReplicaSet } from '../kinds.ts';
import { newSize, oldSizes, proportionalSizes, rolloutBounds } from './rollout-numbers.ts';

describe('rolloutBounds', () => {
  test('rounds surge up and unavailability down, as upstream does', () => {
    assert.deepEqual(rolloutBounds(deployment(10)), { maxSurge: 3, maxUnavailable: 2 });
    assert.deepEqual(rolloutBounds(deployment(1)), { maxSurge: 1, maxUnavailable: 0 });
  });

  test('lets one be unavailable where nothing else could move', () => {
    const stuck = deployment(3, { maxSurge: 0, maxUnavailable: '10%' });
    assert.deepEqual(rolloutBounds(stuck), { maxSurge: 0, maxUnavailable: 1 });
  });

  test('is nothing for Recreate', () => {
    const recreated = deployment(3);
    recreated.spec.strategy = { type: 'Recreate' };
    assert.deepEqual(rolloutBounds(recreated), { maxSurge: 0, maxUnavailable: 0 });
  });
});

describe('newSize', () => {
  test('grows only into the room that the surge leaves', () => {
    const old = [replicaSet('old', { replicas: 10, available: 10 })];
    assert.equal(newSize(deployment(10), { fresh: 0, all: old }), 3);
  });

  test('never grows beyond what is wanted', () => {
    assert.equal(newSize(deployment(2), { fresh: 0, all: [] }), 2);
  });
});

describe('oldSizes', () => {
  test('gives up broken pods first', () => {
    const fresh = replicaSet('new', { replicas: 3, available: 0 });
    const old = [replicaSet('old', { replicas: 10, available: 8 })];
    assert.deepEqual([...oldSizes(deployment(10), { fresh, old })], [['old', 8]]);
  });

  test('gives up as many as the new pods make up for', () => {
    const fresh = replicaSet('new', { replicas: 3, available: 3 });
    const old = [replicaSet('old', { replicas: 10, available: 10 })];
    assert.deepEqual([...oldSizes(deployment(10), { fresh, old })], [['old', 5]]);
  });

  test('gives up nothing while too few are available', () => {
    const fresh = replicaSet('new', { replicas: 3, available: 0 });
    const old = [replicaSet('old', { replicas: 8, available: 8 })];
    assert.deepEqual([...oldSizes(deployment(10), { fresh, old })], []);
  });
});

describe('proportionalSizes', () => {
  test('spreads a change over all ReplicaSets by their shares', () => {
    const sets = [
      replicaSet('old', { replicas: 8, available: 8, most: 13 }),
      replicaSet('new', { replicas: 5, available: 0, most: 13 }),
    ];
    const sizes = proportionalSizes(deployment(20), sets);
    assert.equal(
      [...sizes.values()].reduce((sum, size) => sum + size, 0),
      25,
    );
    assert.deepEqual(sizes.get('old'), 15);
  });
});

function deployment(
  replicas: number,
  rollingUpdate?: { maxSurge: number | string; maxUnavailable: number | string },
): Deployment {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas,
      selector: {},
      template: { spec: { containers: [] } },
      ...(rollingUpdate === undefined ? {} : { strategy: { rollingUpdate } }),
    },
  };
}

function replicaSet(
  name: string,
  { replicas, available, most }: { replicas: number; available: number; most?: number },
): ReplicaSet {
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name,
      annotations: { 'deployment.kubernetes.io/max-replicas': String(most ?? 0) },
    },
    spec: { replicas, selector: {}, template: { spec: { containers: [] } } },
    status: { replicas, availableReplicas: available },
  };
}
