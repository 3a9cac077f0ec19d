import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KubeObject } from '@flotilla/machinery';
import { ManualClock } from '@flotilla/machinery/testing';
import { eventually } from '@flotilla/testkit';
import {
  ControllerRevisions,
  type CronJob,
  CronJobs,
  type DaemonSet,
  DaemonSets,
  EndpointSlices,
  type Job,
  Jobs,
  Pods,
  type Service,
  Services,
  type StatefulSet,
  StatefulSets,
} from './kinds.ts';
import { findCondition, isReady } from './pod-facts.ts';
import { type Simulated, startSimulated, template } from './testing/simulated.ts';

describe('a StatefulSet on a simulated cluster', () => {
  test('gets its pods one after the other, by their ordinals', async () => {
    const clock = new ManualClock();
    await using sim = await startSimulated({ clock });
    await sim.client.create(StatefulSets, statefulSet('db', 2, { 'start-seconds': '10' }));

    await sim.until(Pods, 'db-0', ({ status }) => status?.startTime !== undefined);
    assert.equal((await names(sim)).length, 1);
    await clock.advance(10_000);
    await sim.until(Pods, 'db-0', isReady);
    const second = await sim.until(Pods, 'db-1', ({ status }) => status?.startTime !== undefined);
    assert.equal(second.spec.hostname, 'db-1');
    assert.equal(second.metadata.labels?.['apps.kubernetes.io/pod-index'], '1');
    await clock.advance(11_000);

    const set = await sim.until(
      StatefulSets,
      'db',
      ({ status }) => status?.availableReplicas === 2,
    );
    const { currentRevision, updateRevision, readyReplicas } = set.status ?? {};
    assert.equal(currentRevision, updateRevision);
    assert.equal(readyReplicas, 2);
  });

  test('replaces its pods from the last to the first, and keeps the old template', async () => {
    await using sim = await startSimulated();
    await sim.client.create(StatefulSets, statefulSet('db', 2));
    const first = await sim.until(StatefulSets, 'db', isRolledOut);

    await setImage(sim, 'db');
    const second = await sim.until(
      StatefulSets,
      'db',
      (set) => set.metadata.generation !== first.metadata.generation && isRolledOut(set),
    );

    assert.notEqual(second.status?.currentRevision, first.status?.currentRevision);
    const { items } = await sim.client.list(ControllerRevisions, { namespace: 'default' });
    assert.deepEqual(new Set(items.map(({ revision }) => revision)), new Set([1, 2]));
    const pod = await sim.client.get(Pods, { namespace: 'default', name: 'db-0' });
    assert.equal(pod.spec.containers[0]?.image, 'registry.invalid/app:2');
  });
});

describe('a DaemonSet on a simulated cluster', () => {
  test('has one pod on every node, and replaces them one by one', async () => {
    await using sim = await startSimulated({ nodes: 3 });
    await sim.client.create(DaemonSets, {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'agent', namespace: 'default' },
      spec: { selector: { matchLabels: { app: 'agent' } }, template: template('agent') },
    } as DaemonSet);
    const isDone = ({ status, metadata }: DaemonSet): boolean =>
      status?.observedGeneration === metadata.generation &&
      status?.updatedNumberScheduled === 3 &&
      status?.numberAvailable === 3;
    const first = await sim.until(DaemonSets, 'agent', isDone);
    assert.equal(first.status?.desiredNumberScheduled, 3);
    const { items } = await sim.client.list(Pods, { namespace: 'default' });
    assert.equal(items.length, 3);
    assert.equal(new Set(items.map(({ spec }) => spec.nodeName)).size, 3);

    const body = imagePatch;
    const key = { namespace: 'default', name: 'agent' };
    await sim.client.patch(DaemonSets, key, { type: 'json', body });

    await sim.until(
      DaemonSets,
      'agent',
      (set) => (set.metadata.generation ?? 0) > 1 && isDone(set),
    );
  });
});

describe('a Job on a simulated cluster', () => {
  test('runs its pods to completion and says so', async () => {
    await using sim = await startSimulated();
    await sim.client.create(
      Jobs,
      job('once', { completions: 3, parallelism: 2 }, { 'run-seconds': '0' }),
    );

    const done = await sim.until(
      Jobs,
      'once',
      (each) => findCondition(each, 'Complete') !== undefined,
    );

    assert.equal(done.status?.succeeded, 3);
    assert.equal(done.status?.active, undefined);
    assert.deepEqual(
      done.status?.conditions?.map(({ type, reason, message }) => [type, reason, message]),
      ['SuccessCriteriaMet', 'Complete'].map((type) => [
        type,
        'CompletionsReached',
        'Reached expected number of succeeded pods',
      ]),
    );
    const pods = await eventually(
      async () => (await sim.client.list(Pods, { namespace: 'default' })).items,
      (items) => items.every(({ metadata }) => (metadata.finalizers ?? []).length === 0),
    );
    assert.deepEqual(
      pods.map(({ status }) => status?.phase),
      ['Succeeded', 'Succeeded', 'Succeeded'],
    );
  });

  test('gives each index of an indexed one a pod', async () => {
    await using sim = await startSimulated();
    const spec = { completions: 3, parallelism: 3, completionMode: 'Indexed' };
    await sim.client.create(Jobs, job('each', spec, { 'run-seconds': '0' }));

    const done = await sim.until(
      Jobs,
      'each',
      (one) => findCondition(one, 'Complete') !== undefined,
    );

    assert.equal(done.status?.completedIndexes, '0-2');
    assert.deepEqual((await names(sim)).map((name) => name.replace(/-[^-]+$/, '')).sort(), [
      'each-0',
      'each-1',
      'each-2',
    ]);
  });

  test('tries again with growing pauses, and fails at its limit', async () => {
    const clock = new ManualClock();
    await using sim = await startSimulated({ clock });
    const annotations = { 'run-seconds': '0', 'exit-code': '1' };
    await sim.client.create(Jobs, job('sad', { backoffLimit: 1 }, annotations));
    await sim.until(Jobs, 'sad', ({ status }) => status?.failed === 1);
    assert.equal((await names(sim)).length, 1);

    await clock.advance(11_000);

    const failed = await sim.until(
      Jobs,
      'sad',
      (each) => findCondition(each, 'Failed') !== undefined,
    );
    assert.equal(failed.status?.failed, 2);
    assert.equal(findCondition(failed, 'Failed')?.reason, 'BackoffLimitExceeded');
  });

  test('waits while it is suspended', async () => {
    await using sim = await startSimulated();
    await sim.client.create(Jobs, job('later', { suspend: true }, { 'run-seconds': '0' }));
    const held = await sim.until(
      Jobs,
      'later',
      (each) => findCondition(each, 'Suspended') !== undefined,
    );
    assert.equal(held.status?.startTime, undefined);
    assert.deepEqual(await names(sim), []);

    const key = { namespace: 'default', name: 'later' };
    await sim.client.patch(Jobs, key, { type: 'merge', body: { spec: { suspend: false } } });

    await sim.until(Jobs, 'later', (each) => findCondition(each, 'Complete') !== undefined);
  });

  test('is deleted when its time to live is over', async () => {
    await using sim = await startSimulated();
    await sim.client.create(
      Jobs,
      job('brief', { ttlSecondsAfterFinished: 0 }, { 'run-seconds': '0' }),
    );

    await eventually(
      async () => (await sim.client.list(Jobs, { namespace: 'default' })).items.length === 0,
    );
    await eventually(async () => (await names(sim)).length === 0);
  });
});

test('a CronJob makes a Job when its minute comes', async () => {
  const clock = new ManualClock(Date.now());
  await using sim = await startSimulated({ clock });
  await sim.client.create(CronJobs, {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'tick', namespace: 'default' },
    spec: {
      schedule: '* * * * *',
      jobTemplate: { spec: job('tick', {}, { 'run-seconds': '0' }).spec },
    },
  } as unknown as CronJob);
  await eventually(async () => {
    await clock.advance(20_000);
    return (await sim.client.list(Jobs, { namespace: 'default' })).items.length > 0;
  });

  const cron = await sim.until(
    CronJobs,
    'tick',
    ({ status }) => status?.lastSuccessfulTime !== undefined,
  );

  const { items } = await sim.client.list(Jobs, { namespace: 'default' });
  const minute = Math.floor(Date.parse(cron.status?.lastScheduleTime ?? '') / 60_000);
  assert.ok(items.some(({ metadata }) => metadata.name === `tick-${minute}`));
});

test('a Service has the addresses of its ready pods in an EndpointSlice', async () => {
  await using sim = await startSimulated();
  await sim.client.create(StatefulSets, statefulSet('db', 1));
  await sim.until(StatefulSets, 'db', isRolledOut);
  await sim.client.create(Services, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'db', namespace: 'default' },
    spec: { selector: { app: 'db' }, ports: [{ port: 80, targetPort: 8080 }] },
  } as Service);
  const slice = async () =>
    (await sim.client.list(EndpointSlices, { namespace: 'default' })).items.find(
      ({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === 'db',
    );
  type Endpoint = { addresses: string[]; conditions: { ready: boolean } };
  const endpoints = (found: KubeObject | undefined): Endpoint[] =>
    (found?.['endpoints'] ?? []) as Endpoint[];

  const full = await eventually(slice, (found) => endpoints(found)[0]?.conditions.ready === true);
  assert.deepEqual(endpoints(full)[0]?.addresses, ['10.244.0.2']);
  assert.deepEqual(full?.['ports'], [{ name: '', port: 8080, protocol: 'TCP' }]);
  const body = { metadata: { annotations: { 'simulator.flotilla.dev/unready': 'true' } } };
  await sim.client.patch(Pods, { namespace: 'default', name: 'db-0' }, { type: 'merge', body });
  await eventually(slice, (found) => endpoints(found)[0]?.conditions.ready === false);
});

const imagePatch = [
  {
    op: 'replace',
    path: '/spec/template/spec/containers/0/image',
    value: 'registry.invalid/app:2',
  },
];

function isRolledOut({ status, spec, metadata }: StatefulSet): boolean {
  return (
    status?.observedGeneration === metadata.generation &&
    status?.currentRevision === status?.updateRevision &&
    status?.updatedReplicas === spec.replicas &&
    status?.availableReplicas === spec.replicas
  );
}

async function setImage(sim: Simulated, name: string): Promise<void> {
  const key = { namespace: 'default', name };
  await sim.client.patch(StatefulSets, key, { type: 'json', body: imagePatch });
}

async function names(sim: Simulated): Promise<string[]> {
  const { items } = await sim.client.list(Pods, { namespace: 'default' });
  return items.map(({ metadata }) => metadata.name ?? '');
}

function statefulSet(
  name: string,
  replicas: number,
  annotations: Record<string, string> = {},
): StatefulSet {
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name, namespace: 'default' },
    spec: {
      replicas,
      serviceName: name,
      selector: { matchLabels: { app: name } },
      template: template(name, annotations),
    },
  };
}

function job(name: string, spec: Partial<Job['spec']>, annotations: Record<string, string>): Job {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace: 'default' },
    spec: { ...spec, template: template(name, annotations, { restartPolicy: 'Never' }) },
  };
}
