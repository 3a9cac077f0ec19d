import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Pod } from './pod-types.ts';
import { changeRefusal, container, created, type Fields, pod, updated } from './samples.cases.ts';

describe('status of pods', () => {
  for (const { title, status, errors } of [
    {
      title: 'names, generations and the class of service are checked',
      status: {
        qosClass: 'Guaranteed',
        observedGeneration: -1,
        conditions: [{ type: 'Ready', status: 'True', observedGeneration: -1 }],
      },
      errors: [
        'status.conditions[0].observedGeneration: Invalid value: -1: must be a non-negative integer',
        'status.observedGeneration: Invalid value: -1: must be a non-negative integer',
        'status.qosClass: Invalid value: "Guaranteed": field is immutable',
      ],
    },
    {
      title: 'two addresses are of two families',
      status: { podIPs: [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }] },
      errors: [
        'status.podIPs: Invalid value: [{"IP":"10.0.0.1"},{"IP":"10.0.0.2"}]: may specify no more than one IP for each IP family',
      ],
    },
    {
      title: 'an address is an address',
      status: { podIPs: [{ ip: 'x' }] },
      errors: [
        'status.podIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      ],
    },
    {
      title: 'the first address of the host is the address of the host',
      status: { hostIP: '1.1.1.1', hostIPs: [{ ip: '1.1.1.2' }] },
      errors: ['status.hostIPs[0].ip: Invalid value: "1.1.1.2": must be equal to `hostIP`'],
    },
  ]) {
    test(title, () => {
      assert.deepEqual(refused(pod(), status), errors);
    });
  }

  test('a container that ended does not run again unless the pod restarts it', () => {
    const ended = statuses({ terminated: { exitCode: 0 } });
    const source = pod({ restartPolicy: 'Never', initContainers: [container({ name: 'i' })] });

    const errors = refused(source, statuses({ running: {} }), ended);

    assert.deepEqual(errors, [
      'status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state',
      'status.initContainerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state',
    ]);
    assert.deepEqual(refused(pod(), statuses({ running: {} }), ended), []);
  });

  test('generations that an old kubelet leaves out are kept', () => {
    const old = created(pod()) as Pod;
    old.status.observedGeneration = 3;
    old.status.conditions = [{ type: 'Ready', status: 'False', observedGeneration: 2 }];

    const next = updated(
      old,
      { status: { conditions: [{ type: 'Ready', status: 'True' }] } },
      'status',
    ) as Pod;

    assert.equal(next.status.observedGeneration, 3);
    assert.equal(next.status.conditions?.[0]?.observedGeneration, 2);
    assert.equal(next.status.qosClass, 'BestEffort');
  });

  test('podIP is the one to believe, and podIPs fills it', () => {
    const old = created(pod()) as Pod;

    const contradicted = updated(
      old,
      { status: { podIP: '10.0.0.9', podIPs: [{ ip: '10.0.0.1' }] } },
      'status',
    ) as Pod;
    const single = updated(old, { status: { podIPs: [{ ip: '10.0.0.1' }] } }, 'status') as Pod;

    assert.deepEqual(contradicted.status.podIPs, [{ ip: '10.0.0.9' }]);
    assert.equal(single.status.podIP, '10.0.0.1');
  });
});

function refused(source: ReturnType<typeof pod>, status: Fields, before: Fields = {}): string[] {
  const made = created(source) as Pod;
  const old = { ...made, status: { ...made.status, ...before } };
  return changeRefusal(
    old,
    updated(old, { status: { ...made.status, ...status } }, 'status'),
    'status',
  );
}

function statuses(state: Fields): Fields {
  const one = { image: '', imageID: '', ready: false, restartCount: 0, state };
  return {
    containerStatuses: [{ name: 'c', ...one }],
    initContainerStatuses: [{ name: 'i', ...one }],
  };
}
