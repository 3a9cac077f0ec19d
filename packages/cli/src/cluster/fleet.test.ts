import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ClusterRegistration } from '@flotilla/api';
import type { Secret } from '@flotilla/client';
import { sortFleet } from './fleet.ts';
import { formatFleet } from './list.ts';

const TYPE = 'cluster.core.oam.dev/cluster-credential-type';

describe('the list of the fleet', () => {
  test('has the hub, registrations, joined clusters and ManagedClusters, in this order, newest first', () => {
    const fleet = sortFleet(
      [registration('reg-old', '2026-01-01'), registration('reg-new', '2026-02-01')],
      [secret('joined', '2026-03-01')],
      [managed('ocm', '2026-04-01')],
    );
    assert.deepEqual(
      fleet.map(({ name, source }) => [name, source]),
      [
        ['local', 'hub'],
        ['reg-new', 'registration'],
        ['reg-old', 'registration'],
        ['joined', 'secret'],
        ['ocm', 'managedcluster'],
      ],
    );
  });

  test('shows a registered cluster once, although its Secret is there too', () => {
    const owned = secret('west', '2026-01-01', {
      'multicluster.oam.dev/owner': 'vela-system/west',
      'multicluster.oam.dev/owner-uid': 'uid-west',
    });
    const fleet = sortFleet(
      [registration('west', '2026-01-01')],
      [owned],
      [managed('west', '2026-01-01')],
    );
    assert.deepEqual(
      fleet.map(({ name, source, endpoint }) => [name, source, endpoint]),
      [
        ['local', 'hub', undefined],
        ['west', 'registration', 'https://west:6443'],
      ],
    );
  });

  test('shows both the Secret of another and the registration that wants its name', () => {
    const fleet = sortFleet(
      [registration('west', '2026-01-01')],
      [secret('west', '2026-01-01')],
      [],
    );
    assert.deepEqual(
      fleet.map(({ name, source }) => [name, source]),
      [
        ['local', 'hub'],
        ['west', 'registration'],
        ['west', 'secret'],
      ],
    );
  });

  test('is a table with a row more for every further label, without the labels of the gateway', () => {
    const labelled = secret('joined', '2026-03-01');
    labelled.metadata.labels = { ...labelled.metadata.labels, region: 'west', env: 'prod' };
    const lines = formatFleet(sortFleet([], [labelled], []))
      .trimEnd()
      .split('\n');
    assert.deepEqual(
      lines.map((line) => line.trim().split(/ {2,}/)),
      [
        ['CLUSTER', 'ALIAS', 'TYPE', 'ENDPOINT', 'ACCEPTED', 'PHASE', 'SOURCE', 'LABELS'],
        ['local', 'Internal', '-', 'true', '-', 'hub'],
        [
          'joined',
          'ServiceAccountToken',
          'https://joined:6443',
          'true',
          '-',
          'secret vela-system/joined',
          'env=prod',
        ],
        ['region=west'],
      ],
    );
  });

  test('is JSON for programs', () => {
    const { clusters } = JSON.parse(
      formatFleet(sortFleet([], [secret('joined', '2026-03-01')], []), 'json'),
    );
    assert.deepEqual(clusters[1], {
      name: 'joined',
      type: 'ServiceAccountToken',
      endpoint: 'https://joined:6443',
      accepted: true,
      source: 'secret vela-system/joined',
      labels: {},
    });
  });
});

function registration(name: string, day: string): ClusterRegistration {
  return {
    apiVersion: 'multicluster.oam.dev/v1alpha1',
    kind: 'ClusterRegistration',
    metadata: {
      name,
      namespace: 'vela-system',
      uid: `uid-${name}`,
      creationTimestamp: `${day}T00:00:00Z`,
    },
    spec: { credentialSource: { existingSecret: {} } } as ClusterRegistration['spec'],
    status: { phase: 'Ready', registeredName: name },
  };
}

function secret(name: string, day: string, annotations: Record<string, string> = {}): Secret {
  const encode = (text: string) => Buffer.from(text).toString('base64');
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name,
      namespace: 'vela-system',
      labels: { [TYPE]: 'ServiceAccountToken' },
      annotations,
      creationTimestamp: `${day}T00:00:00Z`,
    },
    data: { endpoint: encode(`https://${name}:6443`), 'ca.crt': '', token: encode('tok') },
  };
}

function managed(name: string, day: string) {
  return {
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    metadata: { name, creationTimestamp: `${day}T00:00:00Z` },
    spec: { hubAcceptsClient: true },
  };
}
