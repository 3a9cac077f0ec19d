import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Kubeconfig } from '@flotilla/client';
import { withMembers } from './export-config.ts';
import { sortFleet } from './fleet.ts';

const kubeconfig: Kubeconfig = {
  currentContext: 'hub',
  clusters: new Map([
    [
      'hub',
      {
        server: 'https://hub:6443/',
        'certificate-authority-data': Buffer.from('CA'),
        origin: '/x',
      },
    ],
    ['other', { server: 'https://other' }],
  ]),
  users: new Map([['me', { token: 't', origin: '/x' }]]),
  contexts: new Map([['hub', { cluster: 'hub', user: 'me', origin: '/x' }]]),
  files: [],
  missing: [],
};
const [, west] = sortFleet(
  [],
  [
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name: 'west',
        labels: { 'cluster.core.oam.dev/cluster-credential-type': 'X509Certificate' },
      },
    },
  ],
  [],
);
const members = west === undefined ? [] : [west];

describe('the exported kubeconfig', () => {
  test('has the hub as local and every member behind its gateway', () => {
    assert.deepEqual(withMembers(kubeconfig, members), {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name: 'local',
          cluster: { server: 'https://hub:6443/', 'certificate-authority-data': btoa('CA') },
        },
        { name: 'other', cluster: { server: 'https://other' } },
        {
          name: 'west',
          cluster: {
            server:
              'https://hub:6443/apis/cluster.core.oam.dev/v1alpha1/clustergateways/west/proxy',
            'certificate-authority-data': btoa('CA'),
          },
        },
      ],
      users: [{ name: 'me', user: { token: 't' } }],
      contexts: [{ name: 'hub', context: { cluster: 'local', user: 'me' } }],
      'current-context': 'hub',
    });
  });

  test('needs a context, and a cluster behind it', () => {
    assert.throws(
      () => withMembers({ ...kubeconfig, currentContext: '' }, members),
      /no current context/,
    );
    assert.throws(
      () => withMembers({ ...kubeconfig, clusters: new Map() }, members),
      /leads to no cluster/,
    );
  });
});
