import { describe } from 'node:test';
import { app, refuses } from './samples.cases.ts';

// Expected texts are those of kube-apiserver 1.34 for the same objects.
describe('ReplicaSets', () => {
  refuses([
    {
      title: 'a template is required',
      object: app('ReplicaSet', { template: null }),
      errors: [
        'spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`',
        'spec.template.spec.containers: Required value',
      ],
    },
    {
      title: 'an empty selector is refused',
      object: app('ReplicaSet', { selector: {} }),
      errors: ['spec.selector: Invalid value: {}: empty selector is invalid for deployment'],
    },
    {
      title: 'a selector is required',
      object: app('ReplicaSet', { selector: null }),
      errors: [
        'spec.selector: Required value',
        'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`',
      ],
    },
    {
      title: 'numbers are not negative',
      object: app('ReplicaSet', { replicas: -1, minReadySeconds: -2 }),
      errors: [
        'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
        'spec.minReadySeconds: Invalid value: -2: must be greater than or equal to 0',
      ],
    },
  ]);
});
