import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KubeObject } from '@flotilla/machinery';
import { eventually } from '@flotilla/testkit';
import { type Deployment, Deployments, Nodes, Pods, ReplicaSets } from './kinds.ts';
import { findCondition } from './pod-facts.ts';
import { deployment, startSimulated } from './testing/simulated.ts';

const isDone = ({ status, spec, metadata }: Deployment): boolean =>
  status?.observedGeneration === metadata.generation &&
  status?.updatedReplicas === spec.replicas &&
  status?.replicas === spec.replicas &&
  status?.availableReplicas === spec.replicas;

describe('a Deployment on a simulated cluster', () => {
  test('gets its ReplicaSet and running pods, and reports as upstream does', async () => {
    await using sim = await startSimulated({ nodes: 2 });
    await sim.client.create(Deployments, deployment('web', 3) as Deployment);

    const done = await sim.until(
      Deployments,
      'web',
      (each) =>
        isDone(each) && findCondition(each, 'Progressing')?.reason === 'NewReplicaSetAvailable',
    );

    const { items: sets } = await sim.client.list(ReplicaSets, { namespace: 'default' });
    assert.equal(sets.length, 1);
    const name = sets[0]?.metadata.name ?? '';
    assert.match(name, /^web-[bcdfghjklmnpqrstvwxz2456789]{6,10}$/);
    assert.deepEqual(
      done.status?.conditions?.map(({ type, status, reason, message }) => [
        type,
        status,
        reason,
        message,
      ]),
      [
        ['Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.'],
        [
          'Progressing',
          'True',
          'NewReplicaSetAvailable',
          `ReplicaSet "${name}" has successfully progressed.`,
        ],
      ],
    );
    assert.equal(done.metadata.annotations?.['deployment.kubernetes.io/revision'], '1');
    const { items: pods } = await sim.client.list(Pods, { namespace: 'default' });
    assert.equal(pods.length, 3);
    assert.deepEqual(new Set(pods.map(({ spec }) => spec.nodeName)), new Set(['node-0', 'node-1']));
    assert.equal(new Set(pods.map(({ status }) => status?.podIP)).size, 3);
    assert.deepEqual(sim.warnings, []);
  });

  test('is rolled over without ever having too many or too few pods', async () => {
    await using sim = await startSimulated();
    await sim.client.create(Deployments, deployment('web', 4) as Deployment);
    const first = await sim.until(Deployments, 'web', isDone);
    const seen: number[] = [];
    const watching = new AbortController();
    const watched = (async () => {
      try {
        for await (const { object, type } of sim.client.watch(Deployments, {
          namespace: 'default',
          signal: watching.signal,
        })) {
          if (type !== 'BOOKMARK') seen.push(object.status?.availableReplicas ?? 0);
        }
      } catch (error) {
        if (!watching.signal.aborted) throw error;
      }
    })();

    const body = [
      {
        op: 'replace',
        path: '/spec/template/spec/containers/0/image',
        value: 'registry.invalid/app:2',
      },
    ];
    await sim.client.patch(
      Deployments,
      { namespace: 'default', name: 'web' },
      { type: 'json', body },
    );
    const second = await sim.until(
      Deployments,
      'web',
      (each) => (each.metadata.generation ?? 0) > (first.metadata.generation ?? 0) && isDone(each),
    );
    watching.abort();
    await watched;

    assert.ok(Math.min(...seen) >= 3, `available: ${seen}`);
    assert.equal(second.metadata.annotations?.['deployment.kubernetes.io/revision'], '2');
    const { items: sets } = await sim.client.list(ReplicaSets, { namespace: 'default' });
    assert.deepEqual(new Set(sets.map(({ spec }) => spec.replicas)), new Set([0, 4]));
    const { items: pods } = await sim.client.list(Pods, { namespace: 'default' });
    assert.ok(pods.every(({ spec }) => spec.containers[0]?.image === 'registry.invalid/app:2'));
  });

  test('takes its pods along when it is deleted', async () => {
    await using sim = await startSimulated();
    await sim.client.create(Deployments, deployment('web', 2) as Deployment);
    await sim.until(Deployments, 'web', isDone);

    await sim.client.delete(
      Deployments,
      { namespace: 'default', name: 'web' },
      { propagationPolicy: 'Foreground' },
    );

    await eventually(
      async () => (await sim.client.list(Deployments, { namespace: 'default' })).items.length === 0,
    );
    assert.deepEqual((await sim.client.list(Pods, { namespace: 'default' })).items, []);
  });

  test('scales, and stays as it is while it is paused', async () => {
    await using sim = await startSimulated();
    await sim.client.create(Deployments, deployment('web', 1) as Deployment);
    await sim.until(Deployments, 'web', isDone);
    const change = (spec: unknown): Promise<KubeObject> =>
      sim.client.patch(
        Deployments,
        { namespace: 'default', name: 'web' },
        { type: 'merge', body: { spec } },
      );

    await change({ replicas: 5 });
    await sim.until(Deployments, 'web', isDone);
    await change({ paused: true, template: { metadata: { annotations: { a: 'b' } } } });
    const paused = await sim.until(
      Deployments,
      'web',
      (each) => findCondition(each, 'Progressing')?.reason === 'DeploymentPaused',
    );
    assert.equal((await sim.client.list(ReplicaSets, { namespace: 'default' })).items.length, 1);
    assert.equal(findCondition(paused, 'Progressing')?.status, 'Unknown');
    await change({ paused: false });
    await sim.until(Deployments, 'web', isDone);
    assert.equal((await sim.client.list(ReplicaSets, { namespace: 'default' })).items.length, 2);
  });

  test('waits in words where no node has room for it', async () => {
    await using sim = await startSimulated();
    const greedy = deployment('web', 1) as Deployment;
    Object.assign(greedy.spec.template.spec.containers[0]!, {
      resources: { requests: { cpu: '100' } },
    });
    await sim.client.create(Deployments, greedy);

    const pod = await eventually(
      async () => (await sim.client.list(Pods, { namespace: 'default' })).items[0],
      (each) => each !== undefined && findCondition(each, 'PodScheduled') !== undefined,
    );

    const { status, reason, message } = findCondition(pod!, 'PodScheduled') ?? {};
    assert.deepEqual(
      [status, reason, message],
      ['False', 'Unschedulable', '0/1 nodes are available: 1 Insufficient cpu.'],
    );
    await sim.client.patch(
      Nodes,
      { name: 'node-0' },
      { type: 'merge', subresource: 'status', body: { status: { allocatable: { cpu: '200' } } } },
    );
    await sim.until(Deployments, 'web', isDone);
  });
});
