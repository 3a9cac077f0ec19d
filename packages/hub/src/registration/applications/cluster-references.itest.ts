import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pack } from '../resource-trackers/compression.ts';
import { type ResourceTracker, ResourceTrackers } from '../resource-trackers/kinds.ts';
import { clusterReferences } from './cluster-references.ts';
import {
  application,
  calm,
  createApplications,
  startHub,
  startVelaHub,
  tracker,
} from './testing/vela-hub.ts';

const west = { kind: 'Deployment', name: 'web', cluster: 'west' };
const east = { kind: 'Deployment', name: 'web', cluster: 'east' };

describe('clusterReferences', () => {
  test('REG-57 names Applications and ResourceTrackers that name the cluster, and no others', async () => {
    await using hub = await startVelaHub();
    const { client } = hub;
    await createApplications(
      client,
      application('named', { clusters: ['east', 'west'] }),
      application('other', { clusters: ['western'] }),
      application('selecting', { clusterLabelSelector: {} }),
      application('broken', { clusters: 'west' }),
    );
    for (const one of [
      tracker('plain', { managedResources: [east, west] }),
      tracker('packed', { compression: { type: 'zstd', data: pack('zstd', [west]) } }),
      tracker('other', { compression: { type: 'gzip', data: pack('gzip', [east]) } }),
    ]) {
      await client.create(ResourceTrackers, one as ResourceTracker);
    }

    assert.deepEqual(await clusterReferences(client, 'west', calm), [
      'application default/named',
      'resourcetracker packed',
      'resourcetracker plain',
    ]);
    assert.deepEqual(await clusterReferences(client, 'north', calm), []);
  });

  test('names ten and counts the rest', async () => {
    await using hub = await startVelaHub();
    const { client } = hub;
    const names = Array.from({ length: 13 }, (_, index) => `web-${index}`);
    await createApplications(
      client,
      ...names.map((name) => application(name, { clusters: ['west'] })),
    );

    const references = await clusterReferences(client, 'west', calm);

    assert.equal(references.length, 11);
    assert.equal(references.at(-1), 'and 3 more');
  });

  test('counts a tracker that cannot be read, as nobody knows what it names', async () => {
    await using hub = await startVelaHub();
    const bad = tracker('bad', { compression: { type: 'zstd', data: 'AAAA' } });
    await hub.client.create(ResourceTrackers, bad as ResourceTracker);

    assert.deepEqual(await clusterReferences(hub.client, 'west', calm), [
      'resourcetracker bad (which cannot be read)',
    ]);
  });

  test('finds nothing where KubeVela is not, and says when it may not look', async () => {
    await using bare = await startHub();
    assert.deepEqual(await clusterReferences(bare.client, 'west', calm), []);

    await using hub = await startVelaHub();
    const nobody = hub.connect(hub.server.accessAs('nobody', ['system:authenticated']));
    await assert.rejects(clusterReferences(nobody, 'west', calm), /forbidden/);
  });
});
