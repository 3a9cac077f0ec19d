import { test } from 'node:test';
import { kindTester } from './kind-tester.cases.ts';

const volumes = kindTester('/v1/PersistentVolume');

test('volumes change only as far as a real server lets them', () => {
  volumes.plays([
    {
      object: {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          local: { path: '/x' },
          nodeAffinity: {
            required: {
              nodeSelectorTerms: [
                { matchExpressions: [{ key: 'beta.kubernetes.io/os', operator: 'Exists' }] },
              ],
            },
          },
          persistentVolumeReclaimPolicy: 'Recycle',
        },
      },
      steps: [
        {
          set: 'spec/nodeAffinity',
          to: {
            required: {
              nodeSelectorTerms: [
                { matchExpressions: [{ key: 'kubernetes.io/os', operator: 'Exists' }] },
              ],
            },
          },
        },
        {
          set: 'spec/nodeAffinity',
          to: {
            required: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'x', operator: 'Exists' }] }],
            },
          },
          errors: [
            'nodeAffinity: Invalid value: {"Required":{"NodeSelectorTerms":[{"MatchExpressions":[{"Key":"x","Operator":"Exists","Values":null}],"MatchFields":null}]}}: field is immutable, except for updating from beta label to GA',
          ],
        },
      ],
    },
    {
      object: {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          hostPath: { path: '/x' },
        },
      },
      steps: [
        {
          set: 'spec/hostPath/path',
          to: '/y',
          errors: [
            'spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation\n@@ -2,7 +2,7 @@\n  "GCEPersistentDisk": null,\n  "AWSElasticBlockStore": null,\n  "HostPath": {\n-  "Path": "/x",\n+  "Path": "/y",\n   "Type": ""\n  },\n  "Glusterfs": null,\n',
          ],
        },
        {
          set: 'spec/volumeMode',
          to: 'Block',
          errors: ['volumeMode: Invalid value: "Block": field is immutable'],
        },
        {
          set: 'spec/nfs',
          to: { server: 'a', path: '/b' },
          errors: [
            'spec.nfs: Forbidden: may not specify more than 1 volume type',
            'spec.nfs: Forbidden: may not specify more than 1 volume type',
            'spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation\n@@ -6,7 +6,11 @@\n   "Type": ""\n  },\n  "Glusterfs": null,\n- "NFS": null,\n+ "NFS": {\n+  "Server": "a",\n+  "Path": "/b",\n+  "ReadOnly": false\n+ },\n  "RBD": null,\n  "Quobyte": null,\n  "ISCSI": null,\n',
          ],
        },
        { set: 'spec/capacity/storage', to: '2Gi' },
        { set: 'spec/accessModes', to: ['ReadOnlyMany'] },
      ],
    },
    {
      object: {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          hostPath: { path: '/x' },
        },
      },
      subresource: 'status',
      steps: [
        { set: 'status/phase', to: 'Available' },
        { set: 'status/phase', to: 'Bound' },
        { set: 'status/reason', to: 'x' },
      ],
    },
  ]);
});

test('volumes are stored with the defaults of a real server', () => {
  volumes.stores([
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          hostPath: { path: '/x' },
        },
      },
      {
        spec: {
          capacity: { storage: '1Gi' },
          hostPath: { path: '/x', type: '' },
          accessModes: ['ReadWriteOnce'],
          persistentVolumeReclaimPolicy: 'Retain',
          volumeMode: 'Filesystem',
        },
        status: { phase: 'Pending', lastPhaseTransitionTime: '2026-01-02T03:04:05Z' },
      },
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
                { matchExpressions: [{ key: 'beta.kubernetes.io/os', operator: 'Exists' }] },
              ],
            },
          },
          persistentVolumeReclaimPolicy: 'Recycle',
        },
      },
      {
        spec: {
          capacity: { storage: '1Gi' },
          local: { path: '/x' },
          accessModes: ['ReadWriteOnce'],
          persistentVolumeReclaimPolicy: 'Recycle',
          volumeMode: 'Filesystem',
          nodeAffinity: {
            required: {
              nodeSelectorTerms: [
                { matchExpressions: [{ key: 'beta.kubernetes.io/os', operator: 'Exists' }] },
              ],
            },
          },
        },
        status: { phase: 'Pending', lastPhaseTransitionTime: '2026-01-02T03:04:05Z' },
      },
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          hostPath: { path: '/x' },
        },
      },
      {
        spec: {
          capacity: { storage: '1Gi' },
          hostPath: { path: '/x', type: '' },
          accessModes: ['ReadWriteOnce'],
          persistentVolumeReclaimPolicy: 'Retain',
          volumeMode: 'Filesystem',
        },
        status: { phase: 'Pending', lastPhaseTransitionTime: '2026-01-02T03:04:05Z' },
      },
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
          nfs: { server: 'a', path: '/x' },
        },
      },
      {
        spec: {
          capacity: { storage: '1Gi' },
          nfs: { server: 'a', path: '/x' },
          accessModes: ['ReadWriteOnce'],
          persistentVolumeReclaimPolicy: 'Retain',
          volumeMode: 'Filesystem',
        },
        status: { phase: 'Pending', lastPhaseTransitionTime: '2026-01-02T03:04:05Z' },
      },
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          rbd: { monitors: ['a'], image: 'b' },
        },
      },
      {
        spec: {
          capacity: { storage: '1Gi' },
          rbd: {
            monitors: ['a'],
            image: 'b',
            pool: 'rbd',
            user: 'admin',
            keyring: '/etc/ceph/keyring',
          },
          accessModes: ['ReadWriteOnce'],
          persistentVolumeReclaimPolicy: 'Retain',
          volumeMode: 'Filesystem',
        },
        status: { phase: 'Pending', lastPhaseTransitionTime: '2026-01-02T03:04:05Z' },
      },
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          cephfs: { monitors: ['x'] },
        },
      },
      {
        spec: {
          capacity: { storage: '1Gi' },
          cephfs: { monitors: ['x'] },
          accessModes: ['ReadWriteOnce'],
          persistentVolumeReclaimPolicy: 'Retain',
          volumeMode: 'Filesystem',
        },
        status: { phase: 'Pending', lastPhaseTransitionTime: '2026-01-02T03:04:05Z' },
      },
    ],
  ]);
});

test('volumes are warned about as a real server does', () => {
  volumes.warns([
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          local: { path: '/x' },
          nodeAffinity: {
            required: {
              nodeSelectorTerms: [
                { matchExpressions: [{ key: 'beta.kubernetes.io/os', operator: 'Exists' }] },
              ],
            },
          },
          persistentVolumeReclaimPolicy: 'Recycle',
        },
      },
      [
        'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
        'spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].key: beta.kubernetes.io/os is deprecated since v1.14; use "kubernetes.io/os" instead',
      ],
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
          nfs: { server: 'a', path: '/x' },
        },
      },
      [
        'metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8; use "storageClassName" attribute instead',
        'metadata.annotations[volume.beta.kubernetes.io/mount-options]: deprecated since v1.31; use "mountOptions" attribute instead',
      ],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          rbd: { monitors: ['a'], image: 'b' },
        },
      },
      ['spec.rbd: deprecated in v1.28, non-functional in v1.31+'],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          cephfs: { monitors: ['x'] },
        },
      },
      ['spec.cephfs: deprecated in v1.28, non-functional in v1.31+'],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          photonPersistentDisk: { pdID: 'x' },
        },
      },
      ['spec.photonPersistentDisk: deprecated in v1.11, non-functional in v1.16+'],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          scaleIO: { gateway: 'a', system: 'b', volumeName: 'v', secretRef: { name: 'x' } },
        },
      },
      ['spec.scaleIO: deprecated in v1.16, non-functional in v1.22+'],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          storageos: { volumeName: 'a' },
        },
      },
      ['spec.storageOS: deprecated in v1.22, non-functional in v1.25+'],
    ],
  ]);
});

test('volumes have the cells of a real server', () => {
  volumes.shows([
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          hostPath: { path: '/x' },
        },
      },
      ['x', '1Gi', 'RWO', 'Retain', 'Pending', '', '', '<unset>', '', '0s', 'Filesystem'],
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
                { matchExpressions: [{ key: 'beta.kubernetes.io/os', operator: 'Exists' }] },
              ],
            },
          },
          persistentVolumeReclaimPolicy: 'Recycle',
        },
      },
      ['x', '1Gi', 'RWO', 'Recycle', 'Pending', '', '', '<unset>', '', '0s', 'Filesystem'],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          hostPath: { path: '/x' },
        },
      },
      ['x', '1Gi', 'RWO', 'Retain', 'Pending', '', '', '<unset>', '', '0s', 'Filesystem'],
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
          nfs: { server: 'a', path: '/x' },
        },
      },
      ['x', '1Gi', 'RWO', 'Retain', 'Pending', '', 'bar', '<unset>', '', '0s', 'Filesystem'],
    ],
    [
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          rbd: { monitors: ['a'], image: 'b' },
        },
      },
      ['x', '1Gi', 'RWO', 'Retain', 'Pending', '', '', '<unset>', '', '0s', 'Filesystem'],
    ],
  ]);
});
