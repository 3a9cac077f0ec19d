import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { behaviourOf, container, created, type Fields, now, pod } from './samples.cases.ts';

const inits = {
  initContainers: [container({ name: 'i' }), container({ name: 's', restartPolicy: 'Always' })],
};
const running = { ready: true, state: { running: {} } };

describe('rows of pods', () => {
  for (const { title, spec = {}, status = {}, metadata = {}, row } of [
    { title: 'a new pod is pending', row: '0/1 Pending 0' },
    {
      title: 'a gated pod says so',
      status: {
        conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }],
      },
      row: '0/1 SchedulingGated 0',
    },
    {
      title: 'restarts come with the time of the last one',
      status: {
        phase: 'Running',
        containerStatuses: [
          one({
            ...running,
            restartCount: 3,
            lastState: { terminated: { exitCode: 1, finishedAt: '2026-01-02T02:04:05Z' } },
          }),
        ],
      },
      row: '1/1 Running 3 (60m ago)',
    },
    {
      title: 'a waiting container tells what it waits for',
      status: {
        phase: 'Running',
        containerStatuses: [one({ state: { waiting: { reason: 'CrashLoopBackOff' } } })],
      },
      row: '0/1 CrashLoopBackOff 0',
    },
    {
      title: 'an ended container tells its exit code',
      status: {
        phase: 'Running',
        containerStatuses: [one({ state: { terminated: { exitCode: 3 } } })],
      },
      row: '0/1 ExitCode:3 0',
    },
    {
      title: 'or its signal',
      status: {
        phase: 'Running',
        containerStatuses: [one({ state: { terminated: { exitCode: 3, signal: 9 } } })],
      },
      row: '0/1 Signal:9 0',
    },
    {
      title: 'one that completed beside one that runs leaves the pod not ready',
      spec: { containers: [container(), container({ name: 'd' })] },
      status: {
        phase: 'Running',
        containerStatuses: [
          one({ state: { terminated: { exitCode: 0, reason: 'Completed' } } }),
          one({ name: 'd', ...running }),
        ],
      },
      row: '1/2 NotReady 0',
    },
    {
      title: 'the reason of the pod wins over its phase',
      status: { phase: 'Failed', reason: 'Evicted' },
      row: '0/1 Evicted 0',
    },
    {
      title: 'init containers are counted while they run',
      spec: inits,
      status: {
        initContainerStatuses: [
          one({ name: 'i', state: { waiting: { reason: 'PodInitializing' } } }),
        ],
      },
      row: '0/2 Init:0/2 0',
    },
    {
      title: 'init containers tell why they fail',
      spec: inits,
      status: {
        initContainerStatuses: [
          one({ name: 'i', restartCount: 2, state: { terminated: { exitCode: 1 } } }),
        ],
      },
      row: '0/2 Init:ExitCode:1 2',
    },
    {
      title: 'a started sidecar counts as a container',
      spec: inits,
      status: {
        phase: 'Running',
        initContainerStatuses: [
          one({ name: 'i', restartCount: 5, state: { terminated: { exitCode: 0 } } }),
          one({ name: 's', started: true, restartCount: 4, ...running }),
        ],
        containerStatuses: [one(running)],
      },
      row: '2/2 Running 4',
    },
    {
      title: 'a pod being deleted is terminating',
      metadata: { deletionTimestamp: '2026-01-02T03:04:00Z' },
      status: { phase: 'Running' },
      row: '0/1 Terminating 0',
    },
    {
      title: 'a pod lost with its node is unknown',
      metadata: { deletionTimestamp: '2026-01-02T03:04:00Z' },
      status: { phase: 'Running', reason: 'NodeLost' },
      row: '0/1 Unknown 0',
    },
  ]) {
    test(title, () => {
      const cells = rowOf({ spec, status, metadata });

      assert.equal(cells.slice(1, 4).join(' '), row);
    });
  }

  test('wide columns say where the pod runs and which gates are open', () => {
    const cells = rowOf({
      spec: { nodeName: 'n1', readinessGates: [{ conditionType: 'a' }, { conditionType: 'b' }] },
      status: { podIPs: [{ ip: '10.0.0.1' }], conditions: [{ type: 'a', status: 'True' }] },
    });

    assert.deepEqual(cells.slice(5), ['10.0.0.1', 'n1', '<none>', '1/2']);
    assert.deepEqual(rowOf({}).slice(5), ['<none>', '<none>', '<none>', '<none>']);
  });
});

function rowOf({ spec = {}, status = {}, metadata = {} }: Record<string, Fields>) {
  const object = created(pod(spec));
  object['status'] = { phase: 'Pending', ...status };
  Object.assign(object.metadata, { creationTimestamp: '2026-01-01T03:04:05Z' }, metadata);
  return behaviourOf(object).cells?.(object, { now }) ?? [];
}

function one(fields: Fields): Fields {
  return { name: 'c', image: 'x', imageID: '', ready: false, restartCount: 0, ...fields };
}
