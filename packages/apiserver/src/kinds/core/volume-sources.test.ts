import { test } from 'node:test';
import { kindTester } from './kind-tester.cases.ts';

const volumes = kindTester('/v1/PersistentVolume');

test('volumes that break a rule are refused in the words of a real server', () => {
  volumes.refuses([
    [
      { spec: {} },
      [
        'spec.accessModes: Required value',
        'spec.capacity: Required value',
        'spec.capacity: Unsupported value: null: supported values: "storage"',
        'spec: Required value: must specify a volume type',
      ],
    ],
    [
      { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] } },
      ['spec: Required value: must specify a volume type'],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          hostPath: { path: '/x' },
          nfs: { server: '', path: '' },
        },
      },
      ['spec.nfs: Forbidden: may not specify more than 1 volume type'],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          nfs: { server: '', path: 'x' },
        },
      },
      [
        'spec.nfs.server: Required value',
        'spec.nfs.path: Invalid value: "x": must be an absolute path',
      ],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          csi: { driver: '', volumeHandle: '' },
        },
      },
      [
        'spec.csi.driver: Required value',
        "spec.csi.driver: Invalid value: \"\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        'spec.csi.volumeHandle: Required value',
      ],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          csi: {
            driver: 'A.b',
            volumeHandle: 'x',
            controllerPublishSecretRef: {},
            nodePublishSecretRef: { name: 'A_', namespace: 'a.b' },
          },
        },
      },
      [
        'spec.csi.controllerPublishSecretRef.name: Required value',
        'spec.csi.controllerPublishSecretRef.namespace: Required value',
        "spec.csi.nodePublishSecretRef.name: Invalid value: \"A_\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        'spec.csi.nodePublishSecretRef.namespace: Invalid value: "a.b": must not contain dots',
      ],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          local: { path: '/x' },
        },
      },
      ['spec.nodeAffinity: Required value: Local volume requires node affinity'],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          local: { path: '../x' },
          nodeAffinity: {},
        },
      },
      [
        'spec.nodeAffinity.required: Required value: must specify required node constraints',
        'spec.local.path: Invalid value: "../x": must not contain \'..\'',
      ],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          local: { path: '/x' },
          nodeAffinity: { required: { nodeSelectorTerms: [] } },
        },
      },
      [
        'spec.nodeAffinity.required.nodeSelectorTerms: Required value: must have at least one node selector term',
      ],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          local: { path: '/x' },
          nodeAffinity: {
            required: {
              nodeSelectorTerms: [
                {
                  matchExpressions: [
                    { key: 'a', operator: 'In' },
                    { key: 'a b', operator: 'Exists', values: ['x'] },
                    { key: 'c', operator: 'Gt', values: [] },
                    { key: 'd', operator: 'z' },
                    { key: 'e', operator: 'In', values: ['a b'] },
                    { key: 'beta.kubernetes.io/os', operator: 'Exists' },
                  ],
                  matchFields: [
                    { key: 'x', operator: 'In', values: [] },
                    { key: 'metadata.name', operator: 'Exists', values: ['A'] },
                  ],
                },
              ],
            },
          },
        },
      },
      [
        "spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
        "spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[1].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        "spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[1].key: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        "spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[2].values: Required value: must be specified single value when `operator` is 'Lt' or 'Gt'",
        'spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[3].operator: Invalid value: "z": not a valid selector operator',
        "spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[4].values[0]: Invalid value: \"a b\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
        "spec.nodeAffinity.required.nodeSelectorTerms[0].matchFields[0].values: Required value: must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
        'spec.nodeAffinity.required.nodeSelectorTerms[0].matchFields[0].key: Invalid value: "x": not a valid field selector key',
        'spec.nodeAffinity.required.nodeSelectorTerms[0].matchFields[1].operator: Invalid value: "Exists": not a valid selector operator',
        "spec.nodeAffinity.required.nodeSelectorTerms[0].matchFields[1].values[0]: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
    ],
    [
      {
        spec: {
          capacity: { storage: '0', cpu: '1' },
          accessModes: ['x', 'ReadWriteOncePod', 'ReadWriteOnce'],
          hostPath: { path: '/x' },
          persistentVolumeReclaimPolicy: 'x',
          storageClassName: 'A',
          volumeMode: 'x',
          volumeAttributesClassName: '',
        },
      },
      [
        'spec.accessModes: Unsupported value: "x": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
        'spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes',
        'spec.capacity: Unsupported value: {"cpu":"1","storage":"0"}: supported values: "storage"',
        'spec.capacity[storage]: Invalid value: "0": must be greater than zero',
        'spec.persistentVolumeReclaimPolicy: Unsupported value: "x": supported values: "Delete", "Recycle", "Retain"',
        "spec.storageClassName: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        'spec.volumeMode: Unsupported value: "x": supported values: "Block", "Filesystem"',
        'spec.volumeAttributesClassName: Required value: an empty string is disallowed',
        'spec.csi: Required value: has to be specified when using volumeAttributesClassName',
      ],
    ],
    [
      {
        spec: {
          capacity: { storage: '-1' },
          accessModes: ['ReadWriteOnce'],
          hostPath: { path: '/x' },
        },
      },
      [
        'spec.capacity[storage]: Invalid value: -1: must be a valid resource quantity',
        'spec.capacity[storage]: Invalid value: "-1": must be greater than zero',
      ],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          hostPath: { path: '/', type: 'x' },
          persistentVolumeReclaimPolicy: 'Recycle',
        },
      },
      [
        'spec.hostPath.type: Unsupported value: "x": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"',
        "spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'",
      ],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          hostPath: { path: '/../x' },
        },
      },
      ['spec.hostPath.path: Invalid value: "/../x": must not contain \'..\''],
    ],
    [
      { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: {} } },
      ['spec.hostPath.path: Required value'],
    ],
    [
      {
        metadata: {
          annotations: {
            'volume.beta.kubernetes.io/storage-class': 'bar',
            'volume.beta.kubernetes.io/mount-options': 'x',
          },
        },
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          csi: { driver: 'a.b', volumeHandle: 'x', volumeAttributes: { a: 'b' } },
          claimRef: { namespace: 'a', name: 'b' },
          storageClassName: 'foo',
          volumeAttributesClassName: 'vac',
          mountOptions: ['x'],
        },
      },
      [
        'metadata.annotations.volume.beta.kubernetes.io/mount-options: Forbidden: may not specify mount options for this volume type',
      ],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          gcePersistentDisk: { pdName: '', partition: 300 },
        },
      },
      [
        'spec.persistentDisk.pdName: Required value',
        'spec.persistentDisk.partition: Invalid value: 300: must be between 1 and 255, inclusive',
      ],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          awsElasticBlockStore: { volumeID: '', partition: -1 },
        },
      },
      [
        'spec.awsElasticBlockStore.volumeID: Required value',
        'spec.awsElasticBlockStore.partition: Invalid value: -1: must be between 1 and 255, inclusive',
      ],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          glusterfs: { endpoints: '', path: '', endpointsNamespace: '' },
        },
      },
      [
        'spec.glusterfs.endpoints: Required value',
        'spec.glusterfs.path: Required value',
        'spec.glusterfs.endpointsNamespace: Invalid value: "": if the endpointnamespace is set, it must be a valid namespace name',
      ],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          glusterfs: { endpoints: 'a', path: 'b', endpointsNamespace: 'A' },
        },
      },
      [
        "spec.glusterfs.endpointsNamespace: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      ],
    ],
    [
      { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], flocker: {} } },
      ['spec.flocker: Required value: one of datasetName and datasetUUID is required'],
    ],
  ]);
});
