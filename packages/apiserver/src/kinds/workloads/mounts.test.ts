import { describe } from 'node:test';
import { container, pod, refuses } from './samples.cases.ts';

// Expected texts are those of kube-apiserver 1.34 for the same objects.
describe('mounts', () => {
  refuses([
    {
      title: 'mounts and devices name volumes and lie at different paths',
      object: pod({
        containers: [
          container({
            volumeMounts: [
              { name: 'nope', mountPath: '/a' },
              { name: 'v', mountPath: '' },
              { name: 'v', mountPath: '/a' },
              { name: 'v', mountPath: '/b', subPath: '/abs', subPathExpr: '../x' },
              { name: 'v', mountPath: '/c', mountPropagation: 'Foo' },
              { name: 'v', mountPath: '/d', mountPropagation: 'Bidirectional' },
              { name: 'v', mountPath: '/e', recursiveReadOnly: 'Enabled' },
              { name: 'v', mountPath: '/f', recursiveReadOnly: 'Foo', readOnly: true },
              { name: '', mountPath: '/g' },
            ],
            volumeDevices: [
              { name: 'v', devicePath: '/dev/x' },
              { name: 'pvc', devicePath: '/a' },
              { name: 'pvc', devicePath: '../x' },
              { name: 'no', devicePath: '' },
            ],
          }),
        ],
        volumes: [{ name: 'v' }, { name: 'pvc', persistentVolumeClaim: { claimName: 'c' } }],
      }),
      errors: [
        'spec.containers[0].volumeMounts[0].name: Not found: "nope"',
        'spec.containers[0].volumeMounts[1].mountPath: Required value',
        'spec.containers[0].volumeMounts[1].name: Invalid value: "v": must not already exist in volumeDevices',
        'spec.containers[0].volumeMounts[1].mountPath: Invalid value: "": must not already exist as a path in volumeDevices',
        'spec.containers[0].volumeMounts[2].mountPath: Invalid value: "/a": must be unique',
        'spec.containers[0].volumeMounts[2].name: Invalid value: "v": must not already exist in volumeDevices',
        'spec.containers[0].volumeMounts[3].name: Invalid value: "v": must not already exist in volumeDevices',
        'spec.containers[0].volumeMounts.subPath: Invalid value: "/abs": must be a relative path',
        'spec.containers[0].volumeMounts[3].subPathExpr: Invalid value: "../x": subPathExpr and subPath are mutually exclusive',
        'spec.containers[0].volumeMounts.subPathExpr: Invalid value: "../x": must not contain \'..\'',
        'spec.containers[0].volumeMounts[4].name: Invalid value: "v": must not already exist in volumeDevices',
        'spec.containers[0].volumeMounts.mountPropagation: Unsupported value: "Foo": supported values: "Bidirectional", "HostToContainer", "None"',
        'spec.containers[0].volumeMounts[5].name: Invalid value: "v": must not already exist in volumeDevices',
        'spec.containers[0].volumeMounts.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers',
        'spec.containers[0].volumeMounts[6].name: Invalid value: "v": must not already exist in volumeDevices',
        'spec.containers[0].volumeMounts.recursiveReadOnly: Forbidden: may only be specified when readOnly is true',
        'spec.containers[0].volumeMounts[7].name: Invalid value: "v": must not already exist in volumeDevices',
        'spec.containers[0].volumeMounts.recursiveReadOnly: Unsupported value: "Foo": supported values: "Disabled", "Enabled", "IfPossible"',
        'spec.containers[0].volumeMounts[8].name: Required value',
        'spec.containers[0].volumeMounts[8].name: Not found: ""',
        'spec.containers[0].volumeDevices[0].name: Invalid value: "v": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
        'spec.containers[0].volumeDevices[0].name: Invalid value: "v": must not already exist in volumeMounts',
        'spec.containers[0].volumeDevices[1].devicePath: Invalid value: "/a": must not already exist as a path in volumeMounts',
        'spec.containers[0].volumeDevices[2].name: Invalid value: "pvc": must be unique',
        'spec.containers[0].volumeDevices[2].devicePath: Invalid value: "../x": can not contain backsteps (\'..\')',
        'spec.containers[0].volumeDevices[3].name: Not found: "no"',
        'spec.containers[0].volumeDevices[3].devicePath: Required value',
      ],
    },
  ]);
});
