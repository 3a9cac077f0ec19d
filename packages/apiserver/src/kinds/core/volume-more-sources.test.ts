import { test } from 'node:test';
import { kindTester } from './kind-tester.cases.ts';

const volumes = kindTester('/v1/PersistentVolume');

test('volumes that break a rule are refused in the words of a real server', () => {
  volumes.refuses([
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          flocker: { datasetName: 'a/b', datasetUUID: 'x' },
        },
      },
      [
        'spec.flocker: Invalid value: "resource": datasetName and datasetUUID can not be specified simultaneously',
        'spec.flocker.datasetName: Invalid value: "a/b": must not contain \'/\'',
      ],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          rbd: { monitors: [], image: '' },
        },
      },
      ['spec.rbd.monitors: Required value', 'spec.rbd.image: Required value'],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          quobyte: { registry: '', volume: '' },
        },
      },
      [
        'spec.quobyte.registry: Required value: must be a host:port pair or multiple pairs separated by commas',
        'spec.quobyte.volume: Required value',
      ],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          quobyte: { registry: 'a,b:1', volume: 'v' },
        },
      },
      [
        'spec.quobyte.registry: Invalid value: "a,b:1": must be a host:port pair or multiple pairs separated by commas',
      ],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          cephfs: { monitors: [] },
        },
      },
      ['spec.cephfs.monitors: Required value'],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          iscsi: { targetPortal: '', iqn: '', lun: 300 },
        },
      },
      [
        'spec.iscsi.targetPortal: Required value',
        'spec.iscsi.iqn: Required value',
        'spec.iscsi.lun: Invalid value: 300: must be between 0 and 255, inclusive',
      ],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          iscsi: {
            targetPortal: 'x',
            iqn: 'foo',
            lun: 1,
            chapAuthSession: true,
            initiatorName: 'bar',
          },
        },
      },
      [
        'spec.iscsi.iqn: Invalid value: "foo": must be valid format',
        'spec.iscsi.secretRef: Required value',
        'spec.iscsi.initiatorname: Invalid value: "bar": must be valid format',
      ],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          iscsi: {
            targetPortal: 'x',
            iqn: 'iqn.2015-02.example.com:test',
            lun: 1,
            secretRef: {},
            initiatorName: 'iqn.x',
          },
        },
      },
      [
        'spec.iscsi.secretRef.name: Required value',
        'spec.iscsi.initiatorname: Invalid value: "iqn.x": must be valid format',
      ],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          cinder: { volumeID: '', secretRef: {} },
        },
      },
      [
        'spec.cinder.volumeID: Required value',
        'spec.cinder.secretRef.name: Required value',
        'spec.cinder.secretRef.namespace: Required value',
      ],
    ],
    [
      { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], fc: {} } },
      ['spec.fc.targetWWNs: Required value: must specify either targetWWNs or wwids, but not both'],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          fc: { targetWWNs: ['a'], wwids: ['b'] },
        },
      },
      [
        'spec.fc.targetWWNs: Invalid value: ["a"]: targetWWNs and wwids can not be specified simultaneously',
        'spec.fc.lun: Required value: lun is required if targetWWNs is specified',
      ],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          fc: { targetWWNs: ['a'], lun: 300 },
        },
      },
      ['spec.fc.lun: Invalid value: 300: must be between 0 and 255, inclusive'],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          azureFile: { secretName: '', shareName: '', secretNamespace: '' },
        },
      },
      [
        'spec.azureFile.secretName: Required value',
        'spec.azureFile.shareName: Required value',
        'spec.azureFile.secretNamespace: Required value',
      ],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          azureDisk: { diskName: '', diskURI: '', cachingMode: 'x', kind: 'y' },
        },
      },
      [
        'spec.azureDisk.diskName: Required value',
        'spec.azureDisk.diskURI: Required value',
        'spec.azureDisk.cachingMode: Unsupported value: "x": supported values: "None", "ReadOnly", "ReadWrite"',
        'spec.azureDisk.kind: Unsupported value: "y": supported values: "Dedicated", "Managed", "Shared"',
        'spec.azureDisk.diskURI: Unsupported value: "": supported values: "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"',
      ],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          azureDisk: { diskName: 'a', diskURI: 'x', kind: 'Managed' },
        },
      },
      [
        'spec.azureDisk.diskURI: Unsupported value: "x": supported values: "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"',
      ],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          vsphereVolume: { volumePath: '' },
        },
      },
      ['spec.vsphereVolume.volumePath: Required value'],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          photonPersistentDisk: { pdID: '' },
        },
      },
      ['spec.photonPersistentDisk.pdID: Required value'],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          portworxVolume: { volumeID: '' },
        },
      },
      ['spec.portworxVolume.volumeID: Required value'],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          scaleIO: { gateway: '', system: '', secretRef: null },
        },
      },
      [
        'spec.scaleIO.gateway: Required value',
        'spec.scaleIO.system: Required value',
        'spec.scaleIO.volumeName: Required value',
      ],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          storageos: { volumeName: 'A', volumeNamespace: 'B', secretRef: {} },
        },
      },
      [
        "spec.storageos.volumeName: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
        "spec.storageos.volumeNamespace: Invalid value: \"B\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
        'spec.storageos.secretRef.name: Required value',
        'spec.storageos.secretRef.namespace: Required value',
      ],
    ],
    [
      { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], storageos: {} } },
      ['spec.storageos.volumeName: Required value'],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          hostPath: { path: '/x' },
          gcePersistentDisk: { pdName: 'x' },
          cephfs: { monitors: ['a'] },
          flexVolume: { driver: '' },
          storageos: {},
          csi: { driver: 'x', volumeHandle: 'y' },
        },
      },
      [
        'spec.gcePersistentDisk: Forbidden: may not specify more than 1 volume type',
        'spec.cephFS: Forbidden: may not specify more than 1 volume type',
        'spec.flexVolume.driver: Required value',
        'spec.storageos: Forbidden: may not specify more than 1 volume type',
        'spec.csi: Forbidden: may not specify more than 1 volume type',
      ],
    ],
  ]);
});
