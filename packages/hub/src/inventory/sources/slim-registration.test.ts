import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClusterRegistration } from '@flotilla/api';
import { slimRegistration } from './slim-registration.ts';

test('of a registration nothing is kept that may hold a credential', () => {
  const slim = slimRegistration({
    apiVersion: 'multicluster.oam.dev/v1alpha1',
    kind: 'ClusterRegistration',
    metadata: {
      name: 'west',
      namespace: 'fleet',
      uid: 'u',
      resourceVersion: '1',
      labels: { 'multicluster.oam.dev/vendor': 'EKS', other: 'credential' },
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': 'credential' },
      managedFields: [{ fieldsV1: 'credential' }],
    },
    spec: {
      alias: 'West',
      credentialSource: { inline: { tokenData: 'credential' } },
      labels: { env: 'prod' },
      suspend: false,
    } as unknown as ClusterRegistration['spec'],
    status: { phase: 'Ready', lastHeartbeatTime: 'now', credential: { revision: 'credential' } },
  });

  assert.ok(!JSON.stringify(slim).includes('credential'));
  assert.deepEqual(slim, {
    apiVersion: 'multicluster.oam.dev/v1alpha1',
    kind: 'ClusterRegistration',
    metadata: {
      name: 'west',
      namespace: 'fleet',
      uid: 'u',
      resourceVersion: '1',
      labels: { 'multicluster.oam.dev/vendor': 'EKS' },
      annotations: {},
    },
    spec: { alias: 'West', labels: { env: 'prod' }, suspend: false },
    status: { phase: 'Ready' },
  });
});
