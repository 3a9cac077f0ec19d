import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ClusterRoleBindings, ServiceAccounts } from '@flotilla/client';
import { isNotFound, isUnauthorized } from '@flotilla/machinery';
import { calm, startHub } from '../applications/testing/vela-hub.ts';
import { detachManagedCluster, type OcmLeaving } from './detach-managed-cluster.ts';
import { ManagedClusters } from './kinds.ts';
import { joinManagedCluster } from './ocm-engine.ts';
import {
  clusterOf,
  connectAgent,
  report,
  startMember,
  startOcmHub,
  wanting,
} from './testing/ocm-fleet.ts';

const deletedAt = new Date('2025-01-01T00:00:00Z');
const after = (seconds: number) => () => new Date(deletedAt.getTime() + seconds * 1000);

const leaving = (change: Partial<OcmLeaving> = {}): OcmLeaving => ({
  name: 'west',
  ownerUid: 'uid-1',
  isForced: false,
  deletedAt,
  now: after(1),
  ...change,
});

/** A hub whose ManagedCluster does not go by itself. */
async function startStuckHub() {
  const hub = await startOcmHub();
  await joinManagedCluster({ hub: hub.client, member: undefined }, wanting(hub), calm);
  const finalizers = ['cluster.open-cluster-management.io/api-resource-cleanup'];
  const body = { metadata: { finalizers } };
  await hub.client.patch(ManagedClusters, { name: 'west' }, { type: 'merge', body });
  return hub;
}

describe('detachManagedCluster', () => {
  test('deletes the ManagedCluster and all that its agent could begin with again', async () => {
    await using hub = await startOcmHub();
    await using member = await startMember({ operator: true });
    await joinManagedCluster({ hub: hub.client, member: member.client }, wanting(hub), calm);
    const agent = await connectAgent(hub, member.client);

    const departure = await detachManagedCluster(hub.client, leaving(), calm);

    assert.deepEqual([departure.state, departure.retryAfterMs], ['Gone', undefined]);
    await assert.rejects(hub.client.get(ManagedClusters, { name: 'west' }), isNotFound);
    const account = { namespace: 'open-cluster-management', name: 'flotilla-bootstrap-west' };
    await assert.rejects(hub.client.get(ServiceAccounts, account), isNotFound);
    const binding = { name: 'flotilla:ocm-bootstrap:west' };
    await assert.rejects(hub.client.get(ClusterRoleBindings, binding), isNotFound);
    await assert.rejects(agent.list(ManagedClusters), isUnauthorized);
    assert.equal((await detachManagedCluster(hub.client, leaving(), calm)).state, 'Gone');
  });

  test('says what remains, and waits ten minutes for it, not more', async () => {
    await using hub = await startStuckHub();

    const first = await detachManagedCluster(hub.client, leaving(), calm);
    assert.equal(first.state, 'Remaining');
    assert.match(first.message, /^ResourceRemaining: .*api-resource-cleanup/);
    assert.ok(first.retryAfterMs !== undefined);

    await report(hub.client, 'west', {
      Deleting: ['True', 'ResourceRemaining', 'there are 3 manifestworks'],
    });
    const later = await detachManagedCluster(hub.client, leaving({ now: after(599) }), calm);
    assert.deepEqual(
      [later.state, later.message],
      [
        'Remaining',
        'ResourceRemaining: ManagedCluster "west" is still there: there are 3 manifestworks',
      ],
    );

    const last = await detachManagedCluster(hub.client, leaving({ now: after(601) }), calm);
    assert.deepEqual([last.state, last.retryAfterMs], ['GivenUp', undefined]);
    const { finalizers } = (await hub.client.get(ManagedClusters, { name: 'west' })).metadata;
    assert.equal(finalizers?.length, 1, 'what others hold is theirs to let go');
  });

  test('waits for nothing when it is forced, nor for a clock that is far off', async () => {
    await using hub = await startStuckHub();

    const forced = await detachManagedCluster(hub.client, leaving({ isForced: true }), calm);
    assert.equal(forced.state, 'GivenUp');
    const early = await detachManagedCluster(hub.client, leaving({ now: after(-3600) }), calm);
    assert.equal(early.state, 'GivenUp');
  });

  test('never touches what belongs to another registration, or to none', async () => {
    await using hub = await startOcmHub();
    await joinManagedCluster({ hub: hub.client, member: undefined }, wanting(hub), calm);
    await hub.client.create(ManagedClusters, {
      apiVersion: 'cluster.open-cluster-management.io/v1',
      kind: 'ManagedCluster',
      metadata: { name: 'north' },
      spec: { hubAcceptsClient: true },
    });
    const before = [await clusterOf(hub.client), await clusterOf(hub.client, 'north')];

    for (const one of [leaving({ ownerUid: 'uid-2' }), leaving({ name: 'north' })]) {
      const departure = await detachManagedCluster(hub.client, one, calm);
      assert.equal(departure.state, 'Gone');
      assert.match(departure.message, /not this registration's and stays/);
    }

    assert.deepEqual([await clusterOf(hub.client), await clusterOf(hub.client, 'north')], before);
    const account = { namespace: 'open-cluster-management', name: 'flotilla-bootstrap-west' };
    await hub.client.get(ServiceAccounts, account);
  });

  test('needs no Open Cluster Management to have gone', async () => {
    await using hub = await startHub();

    assert.equal((await detachManagedCluster(hub.client, leaving(), calm)).state, 'Gone');
  });
});
