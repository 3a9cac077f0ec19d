import { describe } from 'node:test';
import { container, object, refuses } from './samples.cases.ts';

// Expected texts are those of kube-apiserver 1.34 for the same objects.
describe('ReplicationControllers', () => {
  refuses([
    {
      title: 'a template is required',
      object: object('v1', 'ReplicationController', { spec: { selector: { app: 'a' } } }),
      errors: ['spec.template: Required value'],
    },
    {
      title: 'a selector is required when the template has no labels',
      object: object('v1', 'ReplicationController', {
        spec: { template: { spec: { containers: [container()] } } },
      }),
      errors: ['spec.selector: Required value'],
    },
    {
      title: 'the selector must match the template',
      object: object('v1', 'ReplicationController', {
        spec: {
          selector: { x: 'y' },
          template: { metadata: { labels: { app: 'a' } }, spec: { containers: [container()] } },
        },
      }),
      errors: [
        'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`',
      ],
    },
    {
      title: 'numbers are not negative, pods restart always and have no deadline',
      object: object('v1', 'ReplicationController', {
        spec: {
          selector: { app: 'a' },
          template: {
            metadata: { labels: { app: 'a' } },
            spec: { containers: [container()], restartPolicy: 'Never', activeDeadlineSeconds: 1 },
          },
          replicas: -1,
          minReadySeconds: -1,
        },
      }),
      errors: [
        'spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0',
        'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
        'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
        'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicationController is not Supported',
      ],
    },
  ]);
});
