import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KubeObject } from '@flotilla/machinery';
import {
  app,
  behaviourOf,
  changeRefusal,
  container,
  created,
  type Fields,
  job,
  jobTemplate,
  now,
  object,
  template,
  uid,
  updated,
} from './samples.cases.ts';

const stsRefusal =
  "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

describe('updates of workloads', () => {
  for (const { title, source, spec, errors } of [
    {
      title: 'the selector of a Deployment is for life',
      source: app('Deployment'),
      spec: { selector: { matchLabels: { x: 'y' } } },
      errors: [
        'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`',
        'spec.selector: Invalid value: {"matchLabels":{"x":"y"}}: field is immutable',
      ],
    },
    {
      title: 'the selector of a DaemonSet is for life',
      source: app('DaemonSet'),
      spec: { selector: { matchLabels: { x: 'y' } } },
      errors: [
        'spec.selector: Invalid value: {"matchLabels":{"x":"y"}}: field is immutable',
        'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`',
      ],
    },
    {
      title: 'a StatefulSet may be scaled',
      source: app('StatefulSet'),
      spec: { replicas: 3, minReadySeconds: 5 },
      errors: [],
    },
    {
      title: 'most of a StatefulSet is for life',
      source: app('StatefulSet'),
      spec: { serviceName: 'other' },
      errors: [stsRefusal],
    },
    {
      title: 'the completions of a job are for life',
      source: job(),
      spec: { completions: 2 },
      errors: ['spec.completions: Invalid value: 2: field is immutable'],
    },
    {
      title: 'an Indexed job may be scaled in both numbers',
      source: job({ completionMode: 'Indexed', completions: 2, parallelism: 2 }),
      spec: { completions: 3, parallelism: 3 },
      errors: [],
    },
    {
      title: 'an Indexed job may not be scaled in one',
      source: job({ completionMode: 'Indexed', completions: 2, parallelism: 2 }),
      spec: { completions: 3 },
      errors: [
        'spec.completions: Invalid value: 3: can only be modified in tandem with spec.parallelism',
      ],
    },
    {
      title: 'policies of a job are shown as their internal type',
      source: job(),
      spec: {
        managedBy: 'a.b/c',
        podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'X' }] }] },
      },
      errors: [
        'spec.podReplacementPolicy: Unsupported value: "TerminatingOrFailed": supported values: "Failed"',
        'spec.podFailurePolicy: Invalid value: {"Rules":[{"Action":"Ignore","OnExitCodes":null,"OnPodConditions":[{"Type":"X","Status":"True"}]}]}: field is immutable',
        'spec.managedBy: Invalid value: "a.b/c": field is immutable',
      ],
    },
  ]) {
    test(title, () => {
      assert.deepEqual(refused(source, spec), errors);
    });
  }

  test('the template of a job is for life and shown whole', () => {
    const [error = ''] = refused(job(), {
      template: withLabels(jobTemplate({ containers: [container({ image: 'x' })] })),
    });

    assert.match(error, /^spec\.template: Invalid value: \{"labels":\{/);
    assert.match(
      error,
      /"Spec":\{"Volumes":null,"InitContainers":null,"Containers":\[\{"Name":"c","Image":"x",/,
    );
    assert.match(error, /: field is immutable$/);
  });

  test('a suspended job that never ran may still be told where to run', () => {
    const elsewhere = { template: withLabels(jobTemplate({ nodeSelector: { a: 'b' } })) };

    assert.deepEqual(refused(job({ suspend: true }), elsewhere), []);
    assert.equal(refused(job(), elsewhere).length, 1);
  });

  test('a Deployment counts changes of its annotations', () => {
    const old = created(app('Deployment'));

    const next = updated(old, { metadata: { ...old.metadata, annotations: { a: 'b' } } });

    assert.equal(next.metadata.generation, 2);
  });

  test('a DaemonSet counts the changes of its template', () => {
    const key = 'deprecated.daemonset.template.generation';
    const old = created(app('DaemonSet'));
    const spec = old['spec'] as Fields;

    const same = updated(old, { spec: { ...spec, minReadySeconds: 5 } });
    const changed = updated(old, { spec: { ...spec, template: template({ hostPID: true }) } });

    assert.equal(old.metadata.annotations?.[key], '1');
    assert.equal(same.metadata.annotations?.[key], '1');
    assert.equal(changed.metadata.annotations?.[key], '2');
  });

  test('the data of a ControllerRevision is for life', () => {
    const old = created(object('apps/v1', 'ControllerRevision', { revision: 1, data: { a: 1 } }));
    old.metadata.uid = uid;

    const errors = changeRefusal(old, updated(old, { data: { a: 2 } }));

    assert.deepEqual(errors, ['data: Invalid value: {"a":2}: field is immutable']);
  });

  test('counts of a status fit each other', () => {
    const old = created(app('Deployment'));
    const status = { replicas: 1, readyReplicas: 2, availableReplicas: 3, updatedReplicas: -1 };

    const errors = changeRefusal(old, updated(old, { status }, 'status'), 'status');

    assert.deepEqual(errors, [
      'status.updatedReplicas: Invalid value: -1: must be greater than or equal to 0',
      'status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas',
      'status.availableReplicas: Invalid value: 3: cannot be greater than status.replicas',
      'status.availableReplicas: Invalid value: 3: cannot be greater than readyReplicas',
    ]);
  });
});

describe('rows of workloads', () => {
  for (const { source, status, row } of [
    {
      source: app('Deployment', { replicas: 3 }),
      status: { readyReplicas: 2, updatedReplicas: 1, availableReplicas: 2 },
      row: ['x', '2/3', 1, 2, '24h', 'c', 'nginx:1', 'app=a'],
    },
    {
      source: app('ReplicaSet', { replicas: 3 }),
      status: { replicas: 2, readyReplicas: 1 },
      row: ['x', 3, 2, 1, '24h', 'c', 'nginx:1', 'app=a'],
    },
    {
      source: app('StatefulSet', { replicas: 3 }),
      status: { readyReplicas: 1 },
      row: ['x', '1/3', '24h', 'c', 'nginx:1'],
    },
    {
      source: app('DaemonSet', { template: template({ nodeSelector: { b: 'c', a: 'b' } }) }),
      status: { desiredNumberScheduled: 5, currentNumberScheduled: 4, numberReady: 3 },
      row: ['x', 5, 4, 3, 0, 0, 'a=b,b=c', '24h', 'c', 'nginx:1', 'app=a'],
    },
    {
      source: job({ parallelism: 3 }),
      status: { succeeded: 1, startTime: '2026-01-02T03:03:05Z' },
      row: [
        'x',
        'Running',
        '1/1 of 3',
        '60s',
        '24h',
        'c',
        'nginx:1',
        `batch.kubernetes.io/controller-uid=${uid}`,
      ],
    },
    {
      source: object('batch/v1', 'CronJob', {
        spec: { schedule: '@daily', jobTemplate: { spec: { template: jobTemplate() } } },
      }),
      status: { lastScheduleTime: '2026-01-02T03:00:05Z', active: [{}] },
      row: ['x', '@daily', '<none>', 'False', 1, '4m', '24h', 'c', 'nginx:1', '<none>'],
    },
  ]) {
    test(`a ${source.kind} prints one cell per column`, () => {
      const made = created(source);
      made['status'] = status;
      made.metadata.creationTimestamp = '2026-01-01T03:04:05Z';

      assert.deepEqual(behaviourOf(made).cells?.(made, { now }), row);
    });
  }

  test('a ControllerRevision names its controller', () => {
    const owner = {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      name: 'web',
      uid,
      controller: true,
    };
    const made = created(
      object('apps/v1', 'ControllerRevision', {
        revision: 7,
        metadata: { ownerReferences: [owner] },
      }),
    );

    assert.deepEqual(behaviourOf(made).cells?.(made, { now }), [
      'x',
      'statefulset.apps/web',
      7,
      '<unknown>',
    ]);
  });
});

function refused(source: KubeObject, spec: Fields): string[] {
  const old = created(source);
  return changeRefusal(old, updated(old, { spec: { ...(old['spec'] as Fields), ...spec } }));
}

function withLabels(source: Fields): Fields {
  const labels = {
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': 'x',
    'controller-uid': uid,
    'job-name': 'x',
  };
  return { ...source, metadata: { labels } };
}
