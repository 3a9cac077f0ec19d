import { test } from 'node:test';
import { kindTester } from '../core/kind-tester.cases.ts';

const capacities = kindTester('storage.k8s.io/v1/CSIStorageCapacity');

test('storage capacities that break a rule are refused in the words of a real server', () => {
  capacities.refuses([
    [
      { storageClassName: 'A', capacity: '-1', nodeTopology: { matchLabels: { 'a b': 'c' } } },
      [
        "nodeTopology.matchLabels: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        "storageClassName: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        'capacity: Invalid value: "-1": must be greater than or equal to 0',
      ],
    ],
  ]);
});

test('storage capacities change only as far as a real server lets them', () => {
  capacities.plays([
    {
      object: {
        storageClassName: 'a',
        capacity: '1Gi',
        nodeTopology: { matchLabels: { 'beta.kubernetes.io/os': 'x' } },
      },
      steps: [
        {
          set: 'storageClassName',
          to: 'b',
          errors: ['storageClassName: Invalid value: "b": field is immutable'],
        },
        {
          set: 'capacity',
          to: '-1',
          errors: ['capacity: Invalid value: "-1": must be greater than or equal to 0'],
        },
        {
          set: 'nodeTopology',
          to: { matchLabels: { x: 'y' } },
          errors: ['nodeTopology: Invalid value: {"matchLabels":{"x":"y"}}: field is immutable'],
        },
      ],
    },
  ]);
});

test('storage capacities are warned about as a real server does', () => {
  capacities.warns([
    [
      {
        storageClassName: 'a',
        capacity: '1Gi',
        nodeTopology: { matchLabels: { 'beta.kubernetes.io/os': 'x' } },
      },
      [
        'nodeTopology.matchLabels.beta.kubernetes.io/os: deprecated since v1.14; use "kubernetes.io/os" instead',
      ],
    ],
  ]);
});

test('storage capacities have the cells of a real server', () => {
  capacities.shows([
    [
      {
        storageClassName: 'a',
        capacity: '1Gi',
        nodeTopology: { matchLabels: { 'beta.kubernetes.io/os': 'x' } },
      },
      ['x', '2026-01-02T03:04:05Z'],
    ],
  ]);
});
