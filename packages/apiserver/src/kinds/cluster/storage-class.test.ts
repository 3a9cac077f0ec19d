import { test } from 'node:test';
import { kindTester } from '../core/kind-tester.cases.ts';

const storageClasses = kindTester('storage.k8s.io/v1/StorageClass');

test('storage classes that break a rule are refused in the words of a real server', () => {
  storageClasses.refuses([
    [{}, ['provisioner: Required value']],
    [
      {
        provisioner: 'A B',
        parameters: { '': 'x' },
        reclaimPolicy: 'Recycle',
        volumeBindingMode: 'x',
        allowedTopologies: [
          {
            matchLabelExpressions: [
              { key: 'a b', values: [] },
              { key: 'c', values: ['x', 'x'] },
              { key: 'c', values: ['y'] },
            ],
          },
          { matchLabelExpressions: [{ key: 'd', values: ['1'] }] },
          { matchLabelExpressions: [{ key: 'd', values: ['1'] }] },
        ],
      },
      [
        "provisioner: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        'parameters: Invalid value: "": field can not be empty.',
        'reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"',
        'volumeBindingMode: Unsupported value: "x": supported values: "Immediate", "WaitForFirstConsumer"',
        'allowedTopologies[0].matchLabelExpressions[0].values: Required value',
        "allowedTopologies[0].matchLabelExpressions[0].key: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        'allowedTopologies[0].matchLabelExpressions[1].values[1]: Duplicate value: "x"',
        'allowedTopologies[0].matchLabelExpressions[2].key: Duplicate value: "c"',
        'allowedTopologies[2].matchLabelExpressions: Duplicate value: ""',
      ],
    ],
  ]);
});

test('storage classes change only as far as a real server lets them', () => {
  storageClasses.plays([
    {
      object: { provisioner: 'a/b' },
      steps: [
        {
          set: 'provisioner',
          to: 'c/d',
          errors: ['provisioner: Forbidden: updates to provisioner are forbidden.'],
        },
        {
          set: 'parameters',
          to: { a: 'b' },
          errors: ['parameters: Forbidden: updates to parameters are forbidden.'],
        },
        {
          set: 'reclaimPolicy',
          to: 'Retain',
          errors: ['reclaimPolicy: Forbidden: updates to reclaimPolicy are forbidden.'],
        },
        {
          set: 'volumeBindingMode',
          to: 'WaitForFirstConsumer',
          errors: ['volumeBindingMode: Invalid value: "WaitForFirstConsumer": field is immutable'],
        },
        { set: 'allowVolumeExpansion', to: true },
      ],
    },
  ]);
});

test('storage classes are stored with the defaults of a real server', () => {
  storageClasses.stores([
    [
      { provisioner: 'a/b' },
      { provisioner: 'a/b', reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' },
    ],
    [
      {
        provisioner: 'a/b',
        reclaimPolicy: '',
        metadata: { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
        allowedTopologies: [
          {
            matchLabelExpressions: [
              { key: 'failure-domain.beta.kubernetes.io/zone', values: ['1'] },
            ],
          },
        ],
      },
      {
        provisioner: 'a/b',
        reclaimPolicy: '',
        volumeBindingMode: 'Immediate',
        allowedTopologies: [
          {
            matchLabelExpressions: [
              { key: 'failure-domain.beta.kubernetes.io/zone', values: ['1'] },
            ],
          },
        ],
      },
    ],
  ]);
});

test('storage classes are warned about as a real server does', () => {
  storageClasses.warns([
    [
      {
        provisioner: 'a/b',
        reclaimPolicy: '',
        metadata: { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
        allowedTopologies: [
          {
            matchLabelExpressions: [
              { key: 'failure-domain.beta.kubernetes.io/zone', values: ['1'] },
            ],
          },
        ],
      },
      [
        'allowedTopologies[0].matchLabelExpressions[0].key: deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
      ],
    ],
  ]);
});

test('storage classes have the cells of a real server', () => {
  storageClasses.shows([
    [{ provisioner: 'a/b' }, ['x', 'a/b', 'Delete', 'Immediate', false, '0s']],
    [
      {
        provisioner: 'a/b',
        reclaimPolicy: '',
        metadata: { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
        allowedTopologies: [
          {
            matchLabelExpressions: [
              { key: 'failure-domain.beta.kubernetes.io/zone', values: ['1'] },
            ],
          },
        ],
      },
      ['x (default)', 'a/b', '', 'Immediate', false, '0s'],
    ],
  ]);
});
