import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FoundProfile } from './merge-profiles.ts';
import { mergeProfiles } from './merge-profiles.ts';
import type { ProfileRecord } from './profile-record.ts';

interface Draft extends Partial<Omit<ProfileRecord, 'offers'>> {
  readonly name: string;
  readonly servers?: readonly string[];
  readonly hub?: string;
}

function profile({ servers = [], hub = 'hub', ...draft }: Draft): FoundProfile {
  return {
    hub,
    record: {
      namespace: 'fleet',
      manager: 'm',
      displayName: '',
      clusterName: draft.name,
      labels: {},
      properties: {},
      version: '',
      health: 'unknown',
      offers: servers.map((server, at) => ({ name: `way-${at}`, server, extensions: {} })),
      ...draft,
    },
  };
}

const named = (...drafts: Draft[]) =>
  mergeProfiles(drafts.map(profile)).map(({ name, aliases }) => [name, ...aliases]);

describe('profiles', () => {
  test('MC-2 of one cluster in several namespaces are one cluster', () => {
    const clusters = mergeProfiles([
      profile({ namespace: 'a', name: 'west', labels: { x: '1', y: 'a' } }),
      profile({
        namespace: 'b',
        name: 'west',
        labels: { y: 'b', z: '3' },
        servers: ['https://w'],
        version: 'v1',
        health: 'healthy',
        displayName: 'West',
      }),
      profile({ namespace: 'c', name: 'west', servers: ['https://W:443/'] }),
    ]);

    assert.equal(clusters.length, 1);
    const [west] = clusters;
    assert.equal(west?.name, 'west');
    assert.deepEqual(west?.aliases, ['a/west', 'b/west', 'c/west', 'West']);
    assert.deepEqual(west?.labels, { x: '1', y: 'a', z: '3' });
    assert.deepEqual(
      west?.offers.map(({ server }) => server),
      ['https://w'],
    );
    assert.equal(west?.version, 'v1');
    assert.equal(west?.health, 'healthy');
    assert.equal(west?.profile?.namespace, 'a');
  });

  test('of one cluster are found by what OCM calls it, or by their member id', () => {
    const label = { 'multicluster.x-k8s.io/inventory-member-id': 'id-1' };

    assert.deepEqual(
      named(
        { namespace: 'a', name: 'x', clusterName: 'west' },
        { namespace: 'b', name: 'y', clusterName: 'west' },
      ),
      [['x', 'a/x', 'west', 'y', 'b/y']],
    );
    assert.deepEqual(
      named(
        { namespace: 'a', name: 'x', manager: 'm1', labels: label },
        { namespace: 'b', name: 'x', manager: 'm2', labels: label },
      ),
      [['x', 'a/x', 'b/x']],
    );
  });

  test('MC-3 of one name that lead to different servers, or have different managers, are told apart by their namespaces', () => {
    assert.deepEqual(
      named(
        { namespace: 'a', name: 'edge', manager: 'm1', servers: ['https://1'] },
        { namespace: 'b', name: 'edge', manager: 'm2', servers: ['https://2'] },
        { namespace: 'b', name: 'west' },
      ),
      [
        ['a/edge', 'edge'],
        ['b/edge', 'edge'],
        ['west', 'b/west'],
      ],
    );
    assert.deepEqual(
      named(
        { namespace: 'a', name: 'edge', servers: ['https://1'] },
        { namespace: 'b', name: 'edge', servers: ['https://2'] },
        { namespace: 'c', name: 'edge' },
      ).map(([name]) => name),
      ['a/edge', 'b/edge', 'c/edge'],
    );
  });

  test('that share one of their servers are one cluster, in whatever order they come', () => {
    const drafts = [
      { namespace: 'a', name: 'x', servers: ['https://1'] },
      { namespace: 'b', name: 'x', servers: ['https://2'] },
      { namespace: 'c', name: 'x', servers: ['https://2', 'https://1'] },
    ];
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [0, 2, 1],
    ]) {
      assert.equal(named(...order.map((at) => drafts[at] as Draft)).length, 1, String(order));
    }
  });

  test('that lead nowhere are told apart by what their clusters call themselves', () => {
    const id = (value: string) => ({ properties: { 'id.k8s.io': value } });

    assert.deepEqual(
      named({ hub: 'h1', name: 'edge', ...id('1') }, { hub: 'h2', name: 'edge', ...id('2') }).map(
        ([name]) => name,
      ),
      ['h1/fleet/edge', 'h2/fleet/edge'],
    );
    assert.equal(
      named(
        { namespace: 'a', name: 'edge', ...id('1') },
        { namespace: 'b', name: 'edge', servers: ['https://1'], ...id('1') },
      ).length,
      1,
    );
  });

  test('of several hubs are merged by identity, the first hub’s first; names that still clash have the hub in them', () => {
    assert.deepEqual(
      named(
        { hub: 'h1', name: 'same', servers: ['https://s'], version: 'v1' },
        { hub: 'h2', name: 'same', servers: ['https://s'], version: 'v2' },
        { hub: 'h1', name: 'edge', servers: ['https://1'] },
        { hub: 'h2', name: 'edge', servers: ['https://2'] },
      ),
      [
        ['h1/fleet/edge', 'edge', 'fleet/edge'],
        ['h2/fleet/edge', 'edge', 'fleet/edge'],
        ['same', 'fleet/same'],
      ],
    );
  });

  test('have the clusterset of their namespace unless they say another', () => {
    const key = 'multicluster.x-k8s.io/clusterset';
    const [a, b] = mergeProfiles([
      { ...profile({ name: 'a' }), clusterset: 'of-namespace' },
      { ...profile({ name: 'b', labels: { [key]: 'own' } }), clusterset: 'of-namespace' },
    ]);

    assert.equal(a?.labels[key], 'of-namespace');
    assert.equal(b?.labels[key], 'own');
  });
});
