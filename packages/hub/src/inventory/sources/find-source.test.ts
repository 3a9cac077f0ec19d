import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ClusterRegistration, ClusterRegistrationStatus } from '@flotilla/api';
import type { Secret } from '@flotilla/client';
import { findSource } from './find-source.ts';

const how = { name: 'west', includesUnregistered: true };

describe('findSource', () => {
  test('lets the registration speak that joined the cluster', () => {
    const registrations = [
      registration('older', '2025-01-01T00:00:00Z', { phase: 'Failed' }),
      registration('holder', '2026-01-01T00:00:00Z', { phase: 'Ready', registeredName: 'west' }),
    ];

    const source = findSource({ registrations, secret: secret(), hub: undefined }, how);

    assert.equal(source?.facts.source, 'registration fleet/holder');
  });

  test('believes the Secret where two registrations say that they joined it', () => {
    const joined = { phase: 'Ready' as const, registeredName: 'west' };
    const registrations = [
      registration('a', '2025-01-01T00:00:00Z', joined),
      registration('b', '2026-01-01T00:00:00Z', joined),
    ];

    const source = findSource(
      { registrations, secret: secret({ name: 'b', uid: 'uid-b' }), hub: undefined },
      how,
    );

    assert.equal(source?.facts.source, 'registration fleet/b');
  });

  test('lets a Secret speak before registrations that only want its name', () => {
    const registrations = [registration('a', '2025-01-01T00:00:00Z', { phase: 'Failed' })];
    const candidates = { registrations, secret: secret(), hub: undefined };

    assert.equal(findSource(candidates, how)?.facts.isUnmanaged, true);
    assert.equal(
      findSource(candidates, { ...how, includesUnregistered: false })?.facts.source,
      'registration fleet/a',
    );
  });

  test('takes a Secret for that of the registration which has just written it, and has not said so yet', () => {
    const registrations = [
      registration('other', '2025-01-01T00:00:00Z', { phase: 'Failed' }),
      registration('a', '2026-01-01T00:00:00Z', {}),
    ];
    const owned = secret({ name: 'a', uid: 'uid-a' });
    const left = secret({ name: 'gone', uid: 'uid-gone' });

    assert.equal(
      findSource({ registrations, secret: owned, hub: undefined }, how)?.facts.source,
      'registration fleet/a',
    );
    assert.equal(
      findSource({ registrations, secret: left, hub: undefined }, how)?.facts.isUnmanaged,
      true,
    );
  });

  test('takes a cluster that is being renamed for the one it still is', () => {
    const renaming = registration('a', '2025-01-01T00:00:00Z', {
      phase: 'Progressing',
      registeredName: 'old',
    });
    const candidates = { registrations: [renaming], secret: undefined, hub: undefined };

    assert.equal(findSource(candidates, how), undefined);
    assert.equal(findSource(candidates, { ...how, name: 'old' })?.facts.name, 'old');
  });

  test('finds nobody where there is nobody', () => {
    assert.equal(
      findSource({ registrations: [], secret: undefined, hub: undefined }, how),
      undefined,
    );
  });
});

function registration(
  name: string,
  creationTimestamp: string,
  status: ClusterRegistrationStatus,
): ClusterRegistration {
  return {
    apiVersion: 'multicluster.oam.dev/v1alpha1',
    kind: 'ClusterRegistration',
    metadata: { name, namespace: 'fleet', uid: `uid-${name}`, creationTimestamp },
    spec: { clusterName: 'west' } as ClusterRegistration['spec'],
    status,
  };
}

function secret(owner?: { name: string; uid: string }): Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 'west',
      namespace: 'vela-system',
      labels: { 'cluster.core.oam.dev/cluster-credential-type': 'ServiceAccountToken' },
      annotations:
        owner === undefined
          ? {}
          : {
              'multicluster.oam.dev/owner': `fleet/${owner.name}`,
              'multicluster.oam.dev/owner-uid': owner.uid,
            },
    },
  };
}
