import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Events, type KubeEvent, podLogs } from '@flotilla/client';
import { isNotFound, statusErrorOf } from '@flotilla/machinery';
import { ManualClock } from '@flotilla/machinery/testing';
import { eventually } from '@flotilla/testkit';
import { type Pod, Pods } from './kinds.ts';
import { findCondition, isReady } from './pod-facts.ts';
import { type Simulated, startSimulated, template } from './testing/simulated.ts';

const key = { namespace: 'default', name: 'p' };

describe('a pod on a simulated node', () => {
  test('runs, with the statuses a kubelet writes', async () => {
    await using sim = await startSimulated();
    await makePod(sim, {});

    const pod = await sim.until(Pods, 'p', isReady);

    assert.equal(pod.status?.phase, 'Running');
    assert.deepEqual(
      pod.status?.conditions?.map(({ type, status }) => [type, status]),
      [
        ['PodReadyToStartContainers', 'True'],
        ['Initialized', 'True'],
        ['Ready', 'True'],
        ['ContainersReady', 'True'],
        ['PodScheduled', 'True'],
      ],
    );
    const [container] = pod.status?.containerStatuses ?? [];
    assert.match(container?.containerID ?? '', /^containerd:\/\/[0-9a-f]{64}$/);
    assert.match(container?.imageID ?? '', /^registry\.invalid\/app@sha256:[0-9a-f]{64}$/);
    assert.equal(pod.status?.podIP, '10.244.0.2');
    assert.equal(pod.status?.hostIP, '127.0.0.1');
  });

  test('is slow to start where start-seconds says so', async () => {
    const clock = new ManualClock();
    await using sim = await startSimulated({ clock });
    await makePod(sim, { 'start-seconds': '30' });

    const pending = await sim.until(Pods, 'p', ({ status }) => status?.startTime !== undefined);
    assert.deepEqual(pending.status?.containerStatuses?.[0]?.state, {
      waiting: { reason: 'ContainerCreating' },
    });
    assert.equal(findCondition(pending, 'Ready')?.reason, 'ContainersNotReady');
    await clock.advance(29_000);
    assert.equal((await sim.client.get(Pods, key)).status?.phase, 'Pending');
    await clock.advance(2000);
    await sim.until(Pods, 'p', isReady);
  });

  test('crashes, is restarted at once, then after a back-off that doubles', async () => {
    const clock = new ManualClock();
    await using sim = await startSimulated({ clock });
    await makePod(sim, { 'crash-after-seconds': '5', 'exit-code': '3' });
    await sim.until(Pods, 'p', isReady);
    const restarts = (count: number, isRunning: boolean) =>
      sim.until(Pods, 'p', ({ status }) => {
        const [container] = status?.containerStatuses ?? [];
        const running = container?.state?.running !== undefined;
        return container?.restartCount === count && running === isRunning;
      });

    await clock.advance(5000);
    const again = await restarts(1, true);
    assert.equal(again.status?.containerStatuses?.[0]?.lastState?.terminated?.exitCode, 3);
    await clock.advance(5000);
    const waiting = await restarts(1, false);
    const { reason, message } = waiting.status?.containerStatuses?.[0]?.state?.waiting ?? {};
    assert.equal(reason, 'CrashLoopBackOff');
    assert.match(message ?? '', /^back-off 10s restarting failed container=main pod=p_default\(/);
    assert.equal(waiting.status?.phase, 'Running');
    await clock.advance(10_000);
    await restarts(2, true);
    await clock.advance(5000);
    const longer = await restarts(2, false);
    assert.match(
      longer.status?.containerStatuses?.[0]?.state?.waiting?.message ?? '',
      /^back-off 20s /,
    );
  });

  test('is unready while its annotation says so, and heeds a change', async () => {
    await using sim = await startSimulated();
    await makePod(sim, { unready: 'true' });
    const unready = await sim.until(Pods, 'p', ({ status }) => status?.phase === 'Running');
    assert.equal(
      findCondition(unready, 'Ready')?.message,
      'containers with unready status: [main]',
    );

    await annotate(sim, { unready: null });
    await sim.until(Pods, 'p', isReady);
    await annotate(sim, { unready: 'true' });
    await sim.until(Pods, 'p', (pod) => !isReady(pod));
  });

  test('ends when it may, with its exit code', async () => {
    await using sim = await startSimulated();
    await makePod(sim, { 'run-seconds': '0', 'exit-code': '7' }, { restartPolicy: 'Never' });

    const pod = await sim.until(Pods, 'p', ({ status }) => status?.phase === 'Failed');

    assert.equal(pod.status?.containerStatuses?.[0]?.state?.terminated?.exitCode, 7);
    assert.equal(findCondition(pod, 'Ready')?.reason, 'PodFailed');
  });

  test('is gone soon after it is deleted, and later where stop-seconds says so', async () => {
    const clock = new ManualClock(Date.now());
    await using sim = await startSimulated({ clock });
    await makePod(sim, { 'stop-seconds': '25' });
    await sim.until(Pods, 'p', isReady);

    await sim.client.delete(Pods, key);

    const stopping = await sim.client.get(Pods, key);
    assert.equal(stopping.metadata.deletionGracePeriodSeconds, 30);
    await eventually(async () => {
      await clock.advance(5000);
      try {
        await sim.client.get(Pods, key);
        return false;
      } catch (error) {
        return isNotFound(error);
      }
    });
  });

  test('has logs, also of the run before, and says where there are none', async () => {
    const clock = new ManualClock();
    await using sim = await startSimulated({ clock });
    await makePod(sim, { 'start-seconds': '5', 'crash-after-seconds': '60', 'log-lines': '2' });
    await sim.until(Pods, 'p', ({ status }) => status?.startTime !== undefined);
    await assert.rejects(read(sim, {}), (error) => {
      assert.equal(
        statusErrorOf(error)?.message,
        'container "main" in pod "p" is waiting to start: ContainerCreating',
      );
      return true;
    });
    await clock.advance(5000);
    await sim.until(Pods, 'p', isReady);

    assert.equal(await read(sim, {}), 'starting main from registry.invalid/app:1\nmain: line 2\n');
    assert.equal(await read(sim, { tailLines: 1 }), 'main: line 2\n');
    await clock.advance(60_000);
    await sim.until(Pods, 'p', ({ status }) => status?.containerStatuses?.[0]?.restartCount === 1);
    const previous = await read(sim, { previous: true });
    assert.match(previous, /line 2\nexiting with code 1\n$/);
  });

  test('has a log that can be followed to its end', async () => {
    await using sim = await startSimulated();
    await makePod(
      sim,
      { 'run-seconds': '2', 'log-every-seconds': '1' },
      { restartPolicy: 'Never' },
    );
    await sim.until(Pods, 'p', ({ status }) => status?.podIP !== undefined);

    const text = await read(sim, { follow: true });

    assert.match(text, /^starting main .*\nmain: line 2\nmain: line 3\nmain: line 4\n/);
    assert.match(text, /exiting with code 0\n$/);
  });

  test('tells of annotations that make no sense, and runs without them', async () => {
    await using sim = await startSimulated();
    await makePod(sim, { 'start-seconds': 'soon', 'log-lines': '-1' });
    await sim.until(Pods, 'p', isReady);

    const notes = await eventually(
      async () => {
        const { items } = await sim.client.list(Events, { namespace: 'default' });
        return items.filter(({ reason }: KubeEvent) => reason === 'InvalidAnnotation');
      },
      (items) => items.length > 0,
    );

    assert.match(
      notes[0]?.note ?? '',
      /^Cannot use annotation simulator\.flotilla\.dev\/start-seconds "soon": it must be a number of seconds$/,
    );
  });
});

async function makePod(
  sim: Simulated,
  annotations: Record<string, string>,
  spec: Record<string, unknown> = {},
): Promise<void> {
  const { metadata, spec: made } = template('p', annotations, spec);
  await eventually(
    () =>
      sim.client.create(Pods, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { ...key, ...metadata },
        spec: made,
      } as Pod),
    () => true,
    // The default service account comes a moment after its namespace.
    { tolerates: (error) => statusErrorOf(error)?.code === 403 },
  );
}

function annotate(sim: Simulated, changes: Record<string, string | null>): Promise<Pod> {
  const annotations = Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [`simulator.flotilla.dev/${name}`, value]),
  );
  return sim.client.patch(Pods, key, { type: 'merge', body: { metadata: { annotations } } });
}

async function read(
  sim: Simulated,
  options: { tailLines?: number; previous?: boolean; follow?: boolean },
): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await podLogs(sim.client, key, options)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
