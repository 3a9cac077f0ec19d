import { test } from 'node:test';
import { kindTester } from './kind-tester.cases.ts';

const claims = kindTester('/v1/PersistentVolumeClaim');

test('claims that break a rule are refused in the words of a real server', () => {
  claims.refuses([
    [
      { spec: {} },
      [
        'spec.accessModes: Required value: at least 1 access mode is required',
        'spec.resources[storage]: Required value',
      ],
    ],
    [
      {
        spec: {
          accessModes: ['x', 'ReadWriteOncePod', 'ReadOnlyMany'],
          resources: { requests: { storage: '0' } },
          storageClassName: 'A',
          volumeMode: 'x',
          selector: { matchLabels: { 'a b': 'c' } },
          volumeAttributesClassName: 'A',
        },
      },
      [
        "spec.selector.matchLabels: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        'spec.accessModes: Unsupported value: "x": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
        'spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes',
        'spec.resources[storage]: Invalid value: "0": must be greater than zero',
        "spec.storageClassName: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        'spec.volumeMode: Unsupported value: "x": supported values: "Block", "Filesystem"',
        "spec.volumeAttributesClassName: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
    ],
    [
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1' } },
          dataSourceRef: { kind: 'Foo', name: 'x' },
        },
      },
      [
        'spec.dataSource: Invalid value: "Foo": must be \'PersistentVolumeClaim\' when referencing the default apiGroup',
        'spec.dataSourceRef: Invalid value: "Foo": must be \'PersistentVolumeClaim\' when referencing the default apiGroup',
      ],
    ],
    [
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1' } },
          dataSourceRef: { kind: 'Foo', apiGroup: 'A', name: 'x' },
        },
      },
      [
        "spec.dataSource.apiGroup: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        "spec.dataSourceRef.apiGroup: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
    ],
    [
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1' } },
          dataSource: { kind: 'PersistentVolumeClaim', name: 'x' },
          dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'y' },
        },
      },
      ['spec: Invalid value: {}: must match dataSourceRef'],
    ],
  ]);
});
