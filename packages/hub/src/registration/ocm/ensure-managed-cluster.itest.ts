import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Client } from '@flotilla/client';
import { forbiddenError, isNotFound } from '@flotilla/machinery';
import { calm } from '../applications/testing/vela-hub.ts';
import { ManagedClusters } from './kinds.ts';
import { joinManagedCluster } from './ocm-engine.ts';
import {
  bootstrapKubeconfig,
  clusterOf,
  startMember,
  startOcmHub,
  wanting,
} from './testing/ocm-fleet.ts';

describe('the ManagedCluster of a member that joins', () => {
  test('keeps its hands off what belongs to others, on the hub and on the member', async () => {
    await using hub = await startOcmHub();
    await using member = await startMember({ operator: true });
    const ends = { hub: hub.client, member: member.client };
    const other = wanting(hub, { owner: { namespace: 'team', name: 'mine', uid: 'uid-9' } });
    await joinManagedCluster({ ...ends, member: undefined }, other, calm);
    const conflict = await joinManagedCluster(ends, wanting(hub), calm);
    assert.deepEqual(
      [conflict.reason, conflict.message],
      ['NameConflict', 'ManagedCluster "west" belongs to registration team/mine'],
    );
    await assert.rejects(bootstrapKubeconfig(member.client), isNotFound);

    const foreign = {
      apiVersion: 'cluster.open-cluster-management.io/v1',
      kind: 'ManagedCluster',
      spec: { hubAcceptsClient: true },
    };
    const metadata = { name: 'north' };
    await hub.client.create(ManagedClusters, { ...foreign, metadata });
    const north = wanting(hub, { name: 'north' });
    assert.equal((await joinManagedCluster(ends, north, calm)).reason, 'NotAdoptable');
    assert.deepEqual((await clusterOf(hub.client, 'north')).annotations, {});
    const adopted = await joinManagedCluster(
      { ...ends, member: undefined },
      { ...north, adopts: true },
      calm,
    );
    assert.equal(adopted.reason, 'AwaitingAcceptance');

    const unaccepted = { ...foreign, spec: { hubAcceptsClient: false } };
    await hub.client.create(ManagedClusters, { ...unaccepted, metadata: { name: 'south' } });
    await joinManagedCluster({ ...ends, member: undefined }, wanting(hub, { name: 'south' }), calm);
    assert.equal((await clusterOf(hub.client, 'south')).spec?.hubAcceptsClient, true);
  });

  test('goes on with what a registration of the same name left behind', async () => {
    await using hub = await startOcmHub();
    await using member = await startMember({ operator: true });
    const ends = { hub: hub.client, member: member.client };
    await joinManagedCluster(ends, wanting(hub), calm);
    const first = await bootstrapKubeconfig(member.client);
    const again = wanting(hub, { owner: { namespace: 'fleet', name: 'west', uid: 'uid-2' } });

    assert.equal((await joinManagedCluster(ends, again, calm)).reason, 'AwaitingAcceptance');

    const { annotations } = await clusterOf(hub.client);
    assert.equal(annotations['multicluster.oam.dev/owner-uid'], 'uid-2');
    assert.notEqual(await bootstrapKubeconfig(member.client), first);
  });

  test('respects a denial on the hub', async () => {
    await using hub = await startOcmHub();
    const ends = { hub: hub.client, member: undefined };
    await joinManagedCluster(ends, wanting(hub), calm);
    const deny = { type: 'merge', body: { spec: { hubAcceptsClient: false } } } as const;
    await hub.client.patch(ManagedClusters, { name: 'west' }, deny);

    const progress = await joinManagedCluster(ends, wanting(hub), calm);

    assert.equal(progress.reason, 'AwaitingAcceptance');
    assert.match(progress.message, /was denied on the hub/);
    assert.equal((await clusterOf(hub.client)).spec?.hubAcceptsClient, false);
  });

  test('says which right is missing where it may create but not accept', async () => {
    await using hub = await startOcmHub();
    const accept = { group: ManagedClusters.group, resource: 'managedclusters/accept' };
    const refuse = () =>
      forbiddenError(accept, 'west', 'user cannot update the HubAcceptsClient field');
    const limited: Client = {
      ...hub.client,
      create: (kind, object, options) => {
        const { hubAcceptsClient } = (object['spec'] ?? {}) as { hubAcceptsClient?: boolean };
        if (hubAcceptsClient === true) throw refuse();
        return hub.client.create(kind, object, options);
      },
      patch: (kind, key, patch) => {
        if (kind.plural === 'managedclusters') throw refuse();
        return hub.client.patch(kind, key, patch);
      },
    };
    const ends = { hub: limited, member: undefined };

    for (const round of ['created', 'found']) {
      const progress = await joinManagedCluster(ends, wanting(hub), calm);

      assert.equal(progress.reason, 'AwaitingAcceptance', round);
      assert.match(progress.message, /update on managedclusters\/accept/, round);
      assert.equal((await clusterOf(hub.client)).spec?.hubAcceptsClient, false);
    }
    const yes = { type: 'merge', body: { spec: { hubAcceptsClient: true } } } as const;
    await hub.client.patch(ManagedClusters, { name: 'west' }, yes);
    const after = await joinManagedCluster({ ...ends, hub: hub.client }, wanting(hub), calm);
    assert.match(after.message, /waits for Open Cluster Management on the hub/);
  });

  test('keeps labels as the registration has them, and those of others too', async () => {
    await using hub = await startOcmHub();
    const ends = { hub: hub.client, member: undefined };
    await joinManagedCluster(ends, wanting(hub, { labels: { env: 'prod', tier: 'gold' } }), calm);
    const body = { metadata: { labels: { env: 'edited', theirs: 'stays' } } };
    await hub.client.patch(ManagedClusters, { name: 'west' }, { type: 'merge', body });

    await joinManagedCluster(ends, wanting(hub, { labels: { env: 'dev' } }), calm);

    assert.deepEqual((await clusterOf(hub.client)).labels, { env: 'dev', theirs: 'stays' });
  });

  test('waits for a ManagedCluster of that name to be gone before it joins anew', async () => {
    await using hub = await startOcmHub();
    const ends = { hub: hub.client, member: undefined };
    await joinManagedCluster(ends, wanting(hub), calm);
    const body = { metadata: { finalizers: ['example.com/stuck'] } };
    await hub.client.patch(ManagedClusters, { name: 'west' }, { type: 'merge', body });
    await hub.client.delete(ManagedClusters, { name: 'west' });

    const progress = await joinManagedCluster(ends, wanting(hub), calm);

    assert.equal(progress.reason, 'HubNotReady');
    assert.match(progress.message, /is being deleted/);
  });
});
