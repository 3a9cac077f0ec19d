import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Client } from '@flotilla/client';
import { rfc3339Micro, systemClock } from '@flotilla/machinery';
import { ManualClock } from '@flotilla/machinery/testing';
import { eventually } from '@flotilla/testkit';
import {
  type Deployment,
  Deployments,
  type Lease,
  Leases,
  Nodes,
  Pods,
  ReplicaSets,
} from './kinds.ts';
import { findCondition, isReady } from './pod-facts.ts';
import { startSimulator } from './start-simulator.ts';
import { deployment, startSimulated } from './testing/simulated.ts';

const web = { namespace: 'default', name: 'web' };

test('an idle simulator writes nothing but signs of life, however many pods there are', async () => {
  // Also when the clock is set back by months between two runs.
  const clock = new ManualClock('2020-01-01T00:00:00Z');
  const writes: string[] = [];
  await using sim = await startSimulated();
  await sim.client.create(Deployments, deployment('web', 20) as Deployment);
  await sim.until(
    Deployments,
    'web',
    (each) => findCondition(each, 'Progressing')?.reason === 'NewReplicaSetAvailable',
  );
  await sim.simulator[Symbol.asyncDispose]();
  const counted = counting(sim.client, writes);
  await using _second = await startSimulator({ client: counted, clock, random: () => 0.5 });
  await eventually(() => writes.length >= 2 && clock.waiting > 0);
  await clock.advance(1000);
  const resting = clock.waiting;
  writes.length = 0;

  for (let minute = 0; minute < 10; minute++) {
    await clock.advance(60_000);
    // What it asked for comes over a socket.
    await eventually(() => writes.filter((each) => each === 'patch leases').length > minute);
    await eventually(() => clock.waiting >= resting);
  }

  assert.deepEqual(new Set(writes), new Set(['patch leases', 'replace nodes']));
  assert.ok(writes.length <= 35, writes.join(', '));
});

describe('a simulator', () => {
  test('goes on where one that was killed left off, without making anything twice', async () => {
    await using sim = await startSimulated();
    await sim.client.create(Deployments, deployment('web', 3) as Deployment);
    await sim.until(ReplicaSets, (await onlySet(sim.client)) ?? '', Boolean);
    await sim.simulator[Symbol.asyncDispose]();
    const body = { spec: { replicas: 5 } };
    await sim.client.patch(Deployments, web, { type: 'merge', body });

    await using _second = await startSimulator({
      client: sim.client,
      clock: systemClock,
      random: () => 0.5,
    });

    await sim.until(Deployments, 'web', ({ status }) => status?.availableReplicas === 5);
    const { items } = await sim.client.list(Pods, { namespace: 'default' });
    assert.equal(items.length, 5);
    assert.equal(new Set(items.map(({ status }) => status?.podIP)).size, 5);
  });

  test('leaves workloads to a kube-controller-manager and pods to a kube-scheduler while they lead', async () => {
    const clock = new ManualClock(Date.now());
    await using sim = await startSimulated({ clock });
    const hold = (name: string): Promise<Lease> =>
      sim.client.create(Leases, {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name, namespace: 'kube-system' },
        spec: {
          holderIdentity: 'other',
          leaseDurationSeconds: 15,
          renewTime: rfc3339Micro(new Date(clock.now())),
        },
      });
    await hold('kube-controller-manager');
    await hold('kube-scheduler');
    // The simulator hears of Leases before it hears of what comes after them; one more look makes sure.
    await eventually(async () => clock.waiting > 2);
    await sim.client.create(Deployments, deployment('web', 1) as Deployment);
    await clock.advance(5000);
    assert.deepEqual((await sim.client.list(ReplicaSets, { namespace: 'default' })).items, []);

    await clock.advance(16_000);

    const done = await sim.until(
      Deployments,
      'web',
      ({ status }) => status?.availableReplicas === 1,
    );
    assert.equal(done.status?.replicas, 1);
  });

  test('brings back a node that was deleted', async () => {
    const clock = new ManualClock();
    await using sim = await startSimulated({ clock });
    await sim.client.delete(Nodes, { name: 'node-0' });

    await eventually(async () => {
      await clock.advance(20_000);
      const { items } = await sim.client.list(Nodes);
      return items.some((node) => findCondition(node, 'Ready')?.status === 'True');
    });
  });

  test('lets its nodes be ready and untainted, with a kubelet to ask', async () => {
    await using sim = await startSimulated({
      nodeLabels: { 'topology.kubernetes.io/region': 'eu-west' },
    });

    const node = await sim.client.get(Nodes, { name: 'node-0' });

    assert.equal(findCondition(node, 'Ready')?.reason, 'KubeletReady');
    assert.deepEqual(node.spec?.taints ?? [], []);
    assert.equal(node.metadata.labels?.['topology.kubernetes.io/region'], 'eu-west');
    assert.deepEqual(node.status?.['daemonEndpoints'], {
      kubeletEndpoint: { Port: sim.simulator.kubeletPort },
    });
    const lease = await sim.client.get(Leases, { namespace: 'kube-node-lease', name: 'node-0' });
    assert.equal(lease.spec?.holderIdentity, 'node-0');
  });

  test('survives a server that stops and comes back', async () => {
    await using sim = await startSimulated();
    await sim.client.create(Deployments, deployment('web', 1) as Deployment);
    await sim.until(Deployments, 'web', ({ status }) => status?.availableReplicas === 1);
    await sim.server.stop();
    await sim.server.start();

    const body = { spec: { replicas: 2 } };
    await eventually(() => sim.client.patch(Deployments, web, { type: 'merge', body }), Boolean, {
      tolerates: () => true,
      withinMs: 60_000,
    });

    await sim.until(Deployments, 'web', ({ status }) => status?.availableReplicas === 2);
    const { items } = await sim.client.list(Pods, { namespace: 'default' });
    assert.ok(items.every(isReady));
  });
});

async function onlySet(client: Client): Promise<string | undefined> {
  const found = await eventually(
    async () => (await client.list(ReplicaSets, { namespace: 'default' })).items,
    (items) => items.length > 0,
  );
  return found[0]?.metadata.name;
}

/** A client that notes what it writes once the server has taken it. */
function counting(client: Client, writes: string[]): Client {
  const note =
    <A extends [{ plural: string }, ...unknown[]], R>(
      verb: string,
      send: (...args: A) => Promise<R>,
    ) =>
    async (...args: A): Promise<R> => {
      const answer = await send(...args);
      writes.push(`${verb} ${args[0].plural}`);
      return answer;
    };
  return {
    ...client,
    create: note('create', client.create) as Client['create'],
    replace: note('replace', client.replace) as Client['replace'],
    patch: note('patch', client.patch) as Client['patch'],
    delete: note('delete', client.delete) as Client['delete'],
  };
}
