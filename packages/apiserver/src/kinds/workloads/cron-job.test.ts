import { describe } from 'node:test';
import { container, object, refuses } from './samples.cases.ts';

// Expected texts are those of kube-apiserver 1.34 for the same objects.
describe('CronJobs', () => {
  refuses([
    {
      title: 'closed sets of values and numbers are enforced, and the job template is checked',
      object: object('batch/v1', 'CronJob', {
        spec: {
          schedule: '* * * * *',
          jobTemplate: {
            spec: { manualSelector: true, selector: {}, template: { spec: { containers: [] } } },
          },
          startingDeadlineSeconds: -1,
          concurrencyPolicy: 'x',
          successfulJobsHistoryLimit: -1,
          failedJobsHistoryLimit: -1,
        },
      }),
      errors: [
        'spec.startingDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0',
        'spec.concurrencyPolicy: Unsupported value: "x": supported values: "Allow", "Forbid", "Replace"',
        'spec.jobTemplate.spec.template.spec.containers: Required value',
        'spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
        'spec.jobTemplate.spec.selector: Invalid value: {}: `selector` will be auto-generated',
        'spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: "nil", "false"',
        'spec.successfulJobsHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
        'spec.failedJobsHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
      ],
    },
    {
      title: 'a name leaves room for the names of jobs',
      object: object('batch/v1', 'CronJob', {
        spec: {
          schedule: '* * * * *',
          jobTemplate: {
            spec: { template: { spec: { restartPolicy: 'Never', containers: [container()] } } },
          },
        },
        metadata: { name: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' },
      }),
      errors: [
        'metadata.name: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 52 characters',
      ],
    },
  ]);
});
