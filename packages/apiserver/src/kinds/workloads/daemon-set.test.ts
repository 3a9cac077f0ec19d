import { describe } from 'node:test';
import { app, refuses, template } from './samples.cases.ts';

// Expected texts are those of kube-apiserver 1.34 for the same objects.
describe('DaemonSets', () => {
  refuses([
    {
      title: 'a DaemonSet without a selector selects nothing',
      object: app('DaemonSet', { selector: null }),
      errors: [
        'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`',
      ],
    },
    {
      title: 'an empty selector is refused',
      object: app('DaemonSet', { selector: {} }),
      errors: ['spec.selector: Invalid value: {}: empty selector is invalid for daemonset'],
    },
    {
      title: 'the selector must match the template',
      object: app('DaemonSet', { selector: { matchLabels: { x: 'y' } } }),
      errors: [
        'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`',
      ],
    },
    {
      title: 'there are two strategies',
      object: app('DaemonSet', { updateStrategy: { type: 'x' } }),
      errors: [
        'spec.updateStrategy: Unsupported value: {"Type":"x","RollingUpdate":null}: supported values: "RollingUpdate", "OnDelete"',
      ],
    },
    {
      title: 'pods surge or are unavailable, not both',
      object: app('DaemonSet', {
        updateStrategy: { rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } },
      }),
      errors: [
        'spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero',
      ],
    },
    {
      title: 'something must be allowed to change',
      object: app('DaemonSet', { updateStrategy: { rollingUpdate: { maxUnavailable: 0 } } }),
      errors: [
        'spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0',
      ],
    },
    {
      title: 'parameters are numbers or percentages up to 100',
      object: app('DaemonSet', {
        updateStrategy: { rollingUpdate: { maxUnavailable: '101%', maxSurge: 'x' } },
      }),
      errors: [
        "spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: \"x\": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
        'spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: "101%": must not be greater than 100%',
      ],
    },
    {
      title: 'numbers are not negative, pods restart always and have no deadline',
      object: app('DaemonSet', {
        minReadySeconds: -1,
        revisionHistoryLimit: -1,
        template: template({ restartPolicy: 'Never', activeDeadlineSeconds: 1 }),
      }),
      errors: [
        'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
        'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in DaemonSet is not Supported',
        'spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0',
        'spec.revisionHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
      ],
    },
  ]);
});
