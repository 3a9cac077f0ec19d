import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Pod } from './pod-types.ts';
import { behaviourOf, container, created, pod, updated, updateRefusal } from './samples.cases.ts';

describe('pods', () => {
  test('a gated pod says why it is not scheduled', () => {
    const { status } = created(pod({ schedulingGates: [{ name: 'g' }] })) as Pod;

    assert.deepEqual(status.conditions, [
      {
        type: 'PodScheduled',
        status: 'False',
        lastProbeTime: null,
        lastTransitionTime: '2026-01-02T03:04:05Z',
        reason: 'SchedulingGated',
        message: 'Scheduling is blocked due to non-empty scheduling gates',
      },
    ]);
  });

  test('label keys become requirements with the labels of the pod', () => {
    const constraint = {
      maxSkew: 1,
      topologyKey: 'zone',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: {},
      matchLabelKeys: ['app', 'absent'],
    };
    const { spec } = created(
      pod({ topologySpreadConstraints: [constraint] }, { labels: { app: 'a' } }),
    ) as Pod;

    assert.deepEqual(spec.topologySpreadConstraints?.[0]?.labelSelector, {
      matchExpressions: [{ key: 'app', operator: 'In', values: ['a'] }],
    });
  });

  test('an AppArmor annotation sets the field of its container', () => {
    const annotations = { 'container.apparmor.security.beta.kubernetes.io/c': 'localhost/x' };
    const { spec } = created(pod({}, { annotations })) as Pod;

    assert.deepEqual(spec.containers?.[0]?.securityContext, {
      appArmorProfile: { type: 'Localhost', localhostProfile: 'x' },
    });
  });

  for (const { title, spec, phase, asked, expected } of [
    { title: 'a running pod has its own grace period', expected: 30 },
    { title: 'the caller may ask for another', asked: 7, expected: 7 },
    { title: 'an unscheduled pod goes at once', spec: { nodeName: '' }, expected: 0 },
    { title: 'a finished pod goes at once', phase: 'Succeeded', asked: 7, expected: 0 },
    { title: 'a negative period is one second', asked: -1, expected: 1 },
  ]) {
    test(title, () => {
      const object = created(pod({ nodeName: 'n', ...spec })) as Pod;
      if (phase !== undefined) object.status.phase = phase;

      assert.equal(behaviourOf(object).gracePeriod?.(object, asked), expected);
    });
  }

  test('fields to select by have the text upstream gives them', () => {
    const object = created(pod({ nodeName: 'n', hostNetwork: true })) as Pod;
    object.status.podIPs = [{ ip: '10.0.0.1' }];

    const texts = Object.entries(behaviourOf(object).selectableFields ?? {}).map(
      ([field, text]) => `${field}=${text(object)}`,
    );

    assert.deepEqual(texts, [
      'spec.nodeName=n',
      'spec.restartPolicy=Always',
      'spec.schedulerName=default-scheduler',
      'spec.serviceAccountName=',
      'spec.hostNetwork=true',
      'status.phase=Pending',
      'status.podIP=10.0.0.1',
      'status.nominatedNodeName=',
    ]);
  });
});

describe('ephemeral containers', () => {
  const debug = { name: 'dbg', image: 'busybox', targetContainerName: 'c' };

  test('adding one leaves the rest of the pod alone', () => {
    const old = created(pod()) as Pod;
    const spec = { ...old.spec, hostname: 'x', ephemeralContainers: [debug] };

    const next = updated(old, { spec }, 'ephemeralcontainers') as Pod;

    assert.equal(next.spec.hostname, undefined);
    assert.equal(next.spec.ephemeralContainers?.[0]?.imagePullPolicy, 'Always');
    assert.equal(next.metadata.generation, 2);
  });

  test('what makes no sense in one is refused', () => {
    const bad = {
      name: 'c',
      image: ' x',
      ports: [{ containerPort: 1 }],
      resources: { limits: { cpu: '1' } },
      livenessProbe: { httpGet: { port: 1 } },
      lifecycle: { preStop: { sleep: { seconds: 1 } } },
      targetContainerName: 'zz',
      volumeMounts: [{ name: 'q', mountPath: '/x', subPath: 'y' }],
    };

    const errors = updateRefusal(
      pod(),
      { spec: { containers: [container()], ephemeralContainers: [bad] } },
      'ephemeralcontainers',
    );

    const only = 'Forbidden: cannot be set for an Ephemeral Container';
    assert.deepEqual(errors, [
      'spec.ephemeralContainers[0].volumeMounts[0].name: Not found: "q"',
      'spec.ephemeralContainers[0].image: Invalid value: " x": must not have leading or trailing whitespace',
      'spec.ephemeralContainers[0].name: Duplicate value: "c"',
      'spec.ephemeralContainers[0].targetContainerName: Not found: "zz"',
      `spec.ephemeralContainers[0].ports: ${only}`,
      `spec.ephemeralContainers[0].resources: ${only}`,
      `spec.ephemeralContainers[0].livenessProbe: ${only}`,
      `spec.ephemeralContainers[0].lifecycle: ${only}`,
      `spec.ephemeralContainers[0].volumeMounts[0].subPath: ${only}`,
    ]);
  });
});

describe('resizing', () => {
  const sized = (cpu: string, more: object = {}) => ({
    containers: [container({ resources: { requests: { cpu, memory: '1Gi' }, ...more } })],
  });

  test('only resources change, whatever else is sent', () => {
    const old = created(pod(sized('1'))) as Pod;

    const next = updated(old, { spec: { ...sized('2'), hostname: 'x' } }, 'resize') as Pod;

    assert.equal(next.spec.containers?.[0]?.resources?.requests?.['cpu'], '2');
    assert.equal(next.spec.hostname, undefined);
    assert.equal(next.metadata.generation, 2);
  });

  for (const { title, spec, errors } of [
    { title: 'more cpu is fine', spec: sized('2'), errors: [] },
    {
      title: 'the class of service stays',
      spec: sized('1', { limits: { cpu: '1', memory: '1Gi' } }),
      errors: [
        'spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing',
      ],
    },
    {
      title: 'a request is not taken away',
      spec: { containers: [container({ resources: { requests: { memory: '1Gi' } } })] },
      errors: [
        'spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed',
      ],
    },
    {
      title: 'containers stay',
      spec: { containers: [container(), container({ name: 'd' })] },
      errors: [
        'spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing',
        'spec.containers: Forbidden: containers may not be added or removed on resize',
      ],
    },
    {
      title: 'other resources stay',
      spec: {
        containers: [
          container({
            resources: { requests: { cpu: '1', memory: '1Gi', 'ephemeral-storage': '1Gi' } },
          }),
        ],
      },
      errors: ['spec: Forbidden: only cpu and memory resources are mutable'],
    },
  ]) {
    test(title, () => {
      assert.deepEqual(updateRefusal(pod(sized('1')), { spec }, 'resize'), errors);
    });
  }
});
