import { describe } from 'node:test';
import { app, refuses, template } from './samples.cases.ts';

// Expected texts are those of kube-apiserver 1.34 for the same objects.
describe('Deployments', () => {
  refuses([
    {
      title: 'a selector is required',
      object: app('Deployment', { selector: null }),
      errors: [
        'spec.selector: Required value',
        'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`',
      ],
    },
    {
      title: 'an empty selector is refused',
      object: app('Deployment', { selector: {} }),
      errors: ['spec.selector: Invalid value: {}: empty selector is invalid for deployment'],
    },
    {
      title: 'the selector must match the template',
      object: app('Deployment', { selector: { matchLabels: { app: 'b' } } }),
      errors: [
        'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`',
      ],
    },
    {
      title: 'a selector that makes no sense is refused',
      object: app('Deployment', {
        selector: {
          matchExpressions: [
            { key: 'a', operator: 'Foo' },
            { key: 'x', operator: 'In', values: [] },
          ],
        },
      }),
      errors: [
        'spec.selector.matchExpressions[0].operator: Invalid value: "Foo": not a valid selector operator',
        "spec.selector.matchExpressions[1].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
        'spec.selector: Invalid value: {"matchExpressions":[{"key":"a","operator":"Foo"},{"key":"x","operator":"In"}]}: invalid label selector',
      ],
    },
    {
      title: 'a template without labels is not selected',
      object: app('Deployment', { template: template({}, { labels: null }) }),
      errors: [
        'spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`',
      ],
    },
    {
      title: 'numbers are not negative',
      object: app('Deployment', {
        replicas: -1,
        minReadySeconds: -1,
        revisionHistoryLimit: -1,
        progressDeadlineSeconds: -1,
      }),
      errors: [
        'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
        'spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0',
        'spec.revisionHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
        'spec.progressDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0',
        'spec.progressDeadlineSeconds: Invalid value: -1: must be greater than minReadySeconds',
      ],
    },
    {
      title: 'the deadline is longer than it takes to be ready',
      object: app('Deployment', { minReadySeconds: 600 }),
      errors: [
        'spec.progressDeadlineSeconds: Invalid value: 600: must be greater than minReadySeconds',
      ],
    },
    {
      title: 'there are two strategies',
      object: app('Deployment', { strategy: { type: 'Foo' } }),
      errors: [
        'spec.strategy: Unsupported value: {"Type":"Foo","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"',
      ],
    },
    {
      title: 'Recreate has no parameters',
      object: app('Deployment', { strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } }),
      errors: [
        "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
      ],
    },
    {
      title: 'something must be allowed to change',
      object: app('Deployment', {
        strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } },
      }),
      errors: [
        'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0',
      ],
    },
    {
      title: 'zero percent is zero',
      object: app('Deployment', {
        strategy: { rollingUpdate: { maxSurge: '0%', maxUnavailable: 0 } },
      }),
      errors: [
        'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0',
      ],
    },
    {
      title: 'parameters are numbers or percentages up to 100',
      object: app('Deployment', {
        strategy: { rollingUpdate: { maxSurge: 'x', maxUnavailable: '200%' } },
      }),
      errors: [
        "spec.strategy.rollingUpdate.maxSurge: Invalid value: \"x\": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
        'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "200%": must not be greater than 100%',
      ],
    },
    {
      title: 'parameters are not negative',
      object: app('Deployment', {
        strategy: { rollingUpdate: { maxSurge: -1, maxUnavailable: -1 } },
      }),
      errors: [
        'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: -1: must be greater than or equal to 0',
        'spec.strategy.rollingUpdate.maxSurge: Invalid value: -1: must be greater than or equal to 0',
      ],
    },
    {
      title: 'pods restart always and have no deadline',
      object: app('Deployment', {
        template: template({ restartPolicy: 'Never', activeDeadlineSeconds: 5 }),
      }),
      errors: [
        'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
        'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported',
      ],
    },
  ]);
});
