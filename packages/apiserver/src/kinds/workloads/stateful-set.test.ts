import { describe } from 'node:test';
import { app, container, refuses, template } from './samples.cases.ts';

// Expected texts are those of kube-apiserver 1.34 for the same objects.
describe('StatefulSets', () => {
  refuses([
    {
      title: 'closed sets of values and numbers are enforced',
      object: app('StatefulSet', {
        serviceName: 'A_',
        podManagementPolicy: 'x',
        updateStrategy: { type: 'x' },
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'x', whenScaled: 'y' },
        ordinals: { start: -1 },
        replicas: -1,
        minReadySeconds: -1,
        revisionHistoryLimit: -1,
      }),
      errors: [
        "spec.podManagementPolicy: Invalid value: \"x\": must be 'OrderedReady' or 'Parallel'",
        'spec.updateStrategy: Invalid value: {"Type":"x","RollingUpdate":null}: must be \'RollingUpdate\' or \'OnDelete\'',
        'spec.persistentVolumeClaimRetentionPolicy.whenDeleted: Unsupported value: "x": supported values: "Retain", "Delete"',
        'spec.persistentVolumeClaimRetentionPolicy.whenScaled: Unsupported value: "y": supported values: "Retain", "Delete"',
        'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
        'spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0',
        'spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0',
        "spec.serviceName: Invalid value: \"A_\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      ],
    },
    {
      title: 'OnDelete has no parameters',
      object: app('StatefulSet', {
        updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } },
      }),
      errors: [
        'spec.updateStrategy.rollingUpdate: Invalid value: {"Partition":1,"MaxUnavailable":null}: only allowed for updateStrategy \'RollingUpdate\'',
      ],
    },
    {
      title: 'a partition is not negative',
      object: app('StatefulSet', {
        updateStrategy: {
          type: 'RollingUpdate',
          rollingUpdate: { partition: -1, maxUnavailable: 2 },
        },
      }),
      errors: [
        'spec.updateStrategy.rollingUpdate.partition: Invalid value: -1: must be greater than or equal to 0',
      ],
    },
    {
      title: 'claims are checked, and count as volumes of the template',
      object: app('StatefulSet', {
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1.5' } } },
          },
          { metadata: { name: 'bad' }, spec: {} },
        ],
        template: template({
          containers: [container({ volumeMounts: [{ name: 'data', mountPath: '/d' }] })],
          hostname: 'x',
          subdomain: 'y',
        }),
      }),
      errors: [
        'spec.volumeClaimTemplates[1].spec.accessModes: Required value: at least 1 access mode is required',
        'spec.volumeClaimTemplates[1].spec.resources[storage]: Required value',
      ],
    },
    {
      title: 'a selector is required',
      object: app('StatefulSet', { selector: null }),
      errors: [
        'spec.selector: Required value',
        'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`',
      ],
    },
    {
      title: 'an empty selector is refused',
      object: app('StatefulSet', { selector: {} }),
      errors: ['spec.selector: Invalid value: {}: empty selector is invalid for statefulset'],
    },
    {
      title: 'pods restart always and have no deadline',
      object: app('StatefulSet', {
        template: template({ activeDeadlineSeconds: 5, restartPolicy: 'OnFailure' }),
      }),
      errors: [
        'spec.template.spec.restartPolicy: Unsupported value: "OnFailure": supported values: "Always"',
        'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in StatefulSet is not Supported',
      ],
    },
  ]);
});
