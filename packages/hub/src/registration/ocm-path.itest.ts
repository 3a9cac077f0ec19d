import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually } from '@flotilla/testkit';
import { installKind } from './applications/testing/vela-hub.ts';
import { type ManagedCluster, ManagedClusters } from './ocm/kinds.ts';
import { registration, says } from './testing/builders.ts';
import { startOddMember, welcoming } from './testing/odd-member.ts';
import { startHub, type TestHub } from './testing/world.ts';

describe('engine ocm', () => {
  test('says that a hub without Open Cluster Management cannot', async () => {
    await using hub = await startHub();
    await using member = await startOddMember(welcoming('admin'));
    hub.start();
    await hub.putMember('one', member);
    await hub.register(registration('one', { engine: 'ocm' }));
    const failed = await hub.until('one', 'Failed');
    assert.equal(says(failed, 'ClusterRegistered'), 'False EngineNotSupported');
    await hub.remove('one');
    await eventually(() => hub.isGone('one'));
  });

  test('waits for the agent, then is as the agent says, and leaves with its ManagedCluster', async () => {
    await using hub = await startHub();
    await using member = await startOddMember(welcoming('admin'));
    await installOcm(hub);
    hub.start();
    await hub.putMember('one', member);
    await hub.register(registration('one', { engine: 'ocm', labels: { env: 'prod' } }));
    const waiting = await hub.until('one', (each) => says(each, 'ClusterRegistered') !== 'none');
    assert.match(says(waiting, 'ClusterRegistered'), /^False /);
    const made = await eventually(() => hub.client.get(ManagedClusters, { name: 'one' }));
    assert.equal(made.spec?.hubAcceptsClient, true);

    await report(hub, { available: 'True' });
    hub.clock.leap(30_000);
    const ready = await hub.until('one', 'Ready');
    assert.equal(says(ready, 'ClusterRegistered'), 'True ManagedClusterAccepted');
    assert.equal(says(ready, 'APIServerReachable'), 'True ConnectionSuccessful');
    assert.equal(await hub.hasSecret('one'), false);

    await report(hub, { available: 'Unknown' });
    hub.clock.leap(6 * 60_000);
    const degraded = await hub.until('one', 'Degraded');
    assert.equal(says(degraded, 'APIServerReachable'), 'False Timeout');

    await hub.remove('one');
    await eventually(() => hub.isGone('one'));
    const { items } = await hub.client.list(ManagedClusters);
    assert.deepEqual(items, []);
  });
});

async function installOcm(hub: TestHub): Promise<void> {
  const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  await installKind(hub.client, ManagedClusters, { spec: anything, status: anything });
}

/** What Open Cluster Management writes when the agent has joined. */
async function report(hub: TestHub, { available }: { available: string }): Promise<void> {
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  const condition = (type: string, status: string) => ({
    type,
    status,
    reason: 'X',
    message: 'x',
    lastTransitionTime,
  });
  const conditions = [
    condition('HubAcceptedManagedCluster', 'True'),
    condition('ManagedClusterJoined', 'True'),
    condition('ManagedClusterConditionAvailable', available),
  ];
  const body = { status: { conditions } };
  await hub.client.patch<ManagedCluster>(
    ManagedClusters,
    { name: 'one' },
    { type: 'merge', subresource: 'status', body },
  );
}
