import { test } from 'node:test';
import { kindTester } from './kind-tester.cases.ts';

const claims = kindTester('/v1/PersistentVolumeClaim');

test('claims change only as far as a real server lets them', () => {
  claims.plays([
    {
      object: {
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
      steps: [
        {
          set: 'spec/resources/requests/storage',
          to: '2Gi',
          errors: [
            'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n@@ -6,7 +6,7 @@\n  "Resources": {\n   "Limits": null,\n   "Requests": {\n-   "storage": "1Gi"\n+   "storage": "2Gi"\n   }\n  },\n  "VolumeName": "",\n',
          ],
        },
        {
          set: 'spec/resources/requests/storage',
          to: '500Mi',
          errors: [
            'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n@@ -6,7 +6,7 @@\n  "Resources": {\n   "Limits": null,\n   "Requests": {\n-   "storage": "1Gi"\n+   "storage": "500Mi"\n   }\n  },\n  "VolumeName": "",\n',
          ],
        },
        { set: 'spec/volumeName', to: 'x' },
        {
          set: 'spec/volumeName',
          to: 'y',
          errors: [
            'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n@@ -9,7 +9,7 @@\n    "storage": "1Gi"\n   }\n  },\n- "VolumeName": "x",\n+ "VolumeName": "y",\n  "StorageClassName": null,\n  "VolumeMode": "Filesystem",\n  "DataSource": null,\n',
          ],
        },
        { set: 'spec/storageClassName', to: 'a' },
        {
          set: 'spec/storageClassName',
          to: 'b',
          errors: [
            'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n@@ -10,7 +10,7 @@\n   }\n  },\n  "VolumeName": "x",\n- "StorageClassName": "a",\n+ "StorageClassName": "b",\n  "VolumeMode": "Filesystem",\n  "DataSource": null,\n  "DataSourceRef": null,\n',
          ],
        },
        {
          set: 'spec/volumeMode',
          to: 'Block',
          errors: [
            'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n@@ -11,7 +11,7 @@\n  },\n  "VolumeName": "x",\n  "StorageClassName": "a",\n- "VolumeMode": "Filesystem",\n+ "VolumeMode": "Block",\n  "DataSource": null,\n  "DataSourceRef": null,\n  "VolumeAttributesClassName": null\n',
            'volumeMode: Invalid value: "Block": field is immutable',
          ],
        },
        {
          set: 'spec/accessModes',
          to: ['x'],
          errors: [
            'spec.accessModes: Unsupported value: "x": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
            'spec.accessModes: Unsupported value: "x": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
            'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n@@ -1,6 +1,6 @@\n {\n  "AccessModes": [\n-  "ReadWriteOnce"\n+  "x"\n  ],\n  "Selector": null,\n  "Resources": {\n',
          ],
        },
        {
          set: 'spec/volumeAttributesClassName',
          to: 'v',
          errors: [
            'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n@@ -14,5 +14,5 @@\n  "VolumeMode": "Filesystem",\n  "DataSource": null,\n  "DataSourceRef": null,\n- "VolumeAttributesClassName": null\n+ "VolumeAttributesClassName": "v"\n }\n',
          ],
        },
        {
          set: 'metadata/annotations',
          to: { 'volume.beta.kubernetes.io/storage-class': 'bar' },
          errors: [
            'metadata.annotations.volume.beta.kubernetes.io/storage-class: Invalid value: "bar": field is immutable',
          ],
        },
      ],
    },
    {
      object: {
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
      subresource: 'status',
      steps: [
        {
          set: 'status',
          to: { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } },
        },
        {
          set: 'status/capacity',
          to: { storage: '-1' },
          errors: [
            'status.capacity[storage]: Invalid value: -1: must be a valid resource quantity',
          ],
        },
        {
          set: 'status/allocatedResources',
          to: { cpu: '1', storage: '-1' },
          errors: [
            'status.allocatedResources: Unsupported value: "cpu": supported values: "storage"',
            'status.allocatedResources[storage]: Invalid value: -1: must be a valid resource quantity',
          ],
        },
      ],
    },
  ]);
});

test('claims are stored with the defaults of a real server', () => {
  claims.stores([
    [
      { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1Gi' } },
          volumeMode: 'Filesystem',
        },
        status: { phase: 'Pending' },
      },
    ],
    [
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1.5' }, limits: { storage: '100m' } },
          storageClassName: '',
        },
      },
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { limits: { storage: '100m' }, requests: { storage: '1500m' } },
          storageClassName: '',
          volumeMode: 'Filesystem',
        },
        status: { phase: 'Pending' },
      },
    ],
    [
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1' } },
          dataSource: { kind: 'Foo', name: 'x' },
        },
      },
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1' } },
          volumeMode: 'Filesystem',
        },
        status: { phase: 'Pending' },
      },
    ],
    [
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1' } },
          dataSource: { kind: 'PersistentVolumeClaim', name: 'x' },
        },
      },
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1' } },
          volumeMode: 'Filesystem',
          dataSource: { apiGroup: null, kind: 'PersistentVolumeClaim', name: 'x' },
          dataSourceRef: { apiGroup: null, kind: 'PersistentVolumeClaim', name: 'x' },
        },
        status: { phase: 'Pending' },
      },
    ],
    [
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1' } },
          dataSourceRef: { kind: 'Foo', apiGroup: 'a.b', name: 'x' },
        },
      },
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1' } },
          volumeMode: 'Filesystem',
          dataSource: { apiGroup: 'a.b', kind: 'Foo', name: 'x' },
          dataSourceRef: { apiGroup: 'a.b', kind: 'Foo', name: 'x' },
        },
        status: { phase: 'Pending' },
      },
    ],
    [
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1' } },
          dataSourceRef: { kind: 'Foo', apiGroup: 'a.b', name: 'x', namespace: 'ns' },
        },
      },
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1' } },
          volumeMode: 'Filesystem',
        },
        status: { phase: 'Pending' },
      },
    ],
    [
      { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1Gi' } },
          volumeMode: 'Filesystem',
        },
        status: { phase: 'Pending' },
      },
    ],
    [
      {
        metadata: { annotations: { 'volume.beta.kubernetes.io/storage-class': 'bar' } },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1Gi' } },
          volumeMode: 'Filesystem',
        },
        status: { phase: 'Pending' },
      },
    ],
  ]);
});

test('claims are warned about as a real server does', () => {
  claims.warns([
    [
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1.5' }, limits: { storage: '100m' } },
          storageClassName: '',
        },
      },
      [
        'spec.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer',
        'spec.resources.limits[storage]: fractional byte value "100m" is invalid, must be an integer',
      ],
    ],
    [
      {
        metadata: { annotations: { 'volume.beta.kubernetes.io/storage-class': 'bar' } },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
      [
        'metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8; use "storageClassName" attribute instead',
      ],
    ],
  ]);
});

test('claims have the cells of a real server', () => {
  claims.shows([
    [
      { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
      ['x', 'Pending', '', '', '', '', '<unset>', '0s', 'Filesystem'],
    ],
    [
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1.5' }, limits: { storage: '100m' } },
          storageClassName: '',
        },
      },
      ['x', 'Pending', '', '', '', '', '<unset>', '0s', 'Filesystem'],
    ],
    [
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1' } },
          dataSource: { kind: 'Foo', name: 'x' },
        },
      },
      ['x', 'Pending', '', '', '', '', '<unset>', '0s', 'Filesystem'],
    ],
    [
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1' } },
          dataSource: { kind: 'PersistentVolumeClaim', name: 'x' },
        },
      },
      ['x', 'Pending', '', '', '', '', '<unset>', '0s', 'Filesystem'],
    ],
    [
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1' } },
          dataSourceRef: { kind: 'Foo', apiGroup: 'a.b', name: 'x' },
        },
      },
      ['x', 'Pending', '', '', '', '', '<unset>', '0s', 'Filesystem'],
    ],
    [
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1' } },
          dataSourceRef: { kind: 'Foo', apiGroup: 'a.b', name: 'x', namespace: 'ns' },
        },
      },
      ['x', 'Pending', '', '', '', '', '<unset>', '0s', 'Filesystem'],
    ],
    [
      { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
      ['x', 'Pending', '', '', '', '', '<unset>', '0s', 'Filesystem'],
    ],
    [
      {
        metadata: { annotations: { 'volume.beta.kubernetes.io/storage-class': 'bar' } },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
      ['x', 'Pending', '', '', '', 'bar', '<unset>', '0s', 'Filesystem'],
    ],
  ]);
});
