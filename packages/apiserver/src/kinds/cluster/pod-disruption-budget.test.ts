import { test } from 'node:test';
import { kindTester } from '../core/kind-tester.cases.ts';

const budgets = kindTester('policy/v1/PodDisruptionBudget');

test('disruption budgets that break a rule are refused in the words of a real server', () => {
  budgets.refuses([
    [
      { spec: { minAvailable: 1, maxUnavailable: '10%' } },
      [
        'spec: Invalid value: {"MinAvailable":1,"Selector":null,"MaxUnavailable":"10%","UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
      ],
    ],
    [
      { spec: { minAvailable: '110%' } },
      ['spec.minAvailable: Invalid value: "110%": must not be greater than 100%'],
    ],
    [
      { spec: { minAvailable: 'x' } },
      [
        "spec.minAvailable: Invalid value: \"x\": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
      ],
    ],
    [
      { spec: { maxUnavailable: -1 } },
      ['spec.maxUnavailable: Invalid value: -1: must be greater than or equal to 0'],
    ],
    [
      {
        spec: {
          maxUnavailable: 1,
          unhealthyPodEvictionPolicy: 'x',
          selector: { matchExpressions: [{ key: 'a', operator: 'In' }] },
        },
      },
      [
        "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
        'spec.unhealthyPodEvictionPolicy: Unsupported value: "x": supported values: "AlwaysAllow", "IfHealthyBudget"',
      ],
    ],
  ]);
});

test('disruption budgets change only as far as a real server lets them', () => {
  budgets.plays([
    {
      object: { spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } } },
      steps: [
        { set: 'spec/minAvailable', to: '50%' },
        {
          set: 'spec/maxUnavailable',
          to: 1,
          errors: [
            'spec: Invalid value: {"MinAvailable":"50%","Selector":{"matchLabels":{"a":"b"}},"MaxUnavailable":1,"UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
          ],
        },
      ],
    },
    {
      object: { spec: { maxUnavailable: 1 } },
      subresource: 'status',
      steps: [
        {
          set: 'status',
          to: {
            disruptionsAllowed: -1,
            currentHealthy: -1,
            desiredHealthy: -1,
            expectedPods: -1,
            conditions: [
              { type: 'a b', status: 'x' },
              {
                type: '',
                status: 'True',
                reason: 'a b',
                message: '',
                lastTransitionTime: '2020-01-01T00:00:00Z',
              },
              {
                type: 'x',
                status: 'True',
                reason: 'a',
                message: '',
                lastTransitionTime: '2020-01-01T00:00:00Z',
              },
              {
                type: 'x',
                status: 'True',
                reason: 'a',
                message: '',
                lastTransitionTime: '2020-01-01T00:00:00Z',
              },
            ],
          },
          errors: [
            "status.conditions[0].type: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
            'status.conditions[0].status: Unsupported value: "x": supported values: "False", "True", "Unknown"',
            'status.conditions[0].lastTransitionTime: Required value',
            'status.conditions[0].reason: Required value',
            'status.conditions[1].type: Invalid value: "": name part must be non-empty',
            "status.conditions[1].type: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
            "status.conditions[1].reason: Invalid value: \"a b\": a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')",
            'status.conditions[3].type: Duplicate value: "x"',
            'status.disruptionsAllowed: Invalid value: -1: must be greater than or equal to 0',
            'status.currentHealthy: Invalid value: -1: must be greater than or equal to 0',
            'status.desiredHealthy: Invalid value: -1: must be greater than or equal to 0',
            'status.expectedPods: Invalid value: -1: must be greater than or equal to 0',
          ],
        },
      ],
    },
  ]);
});

test('disruption budgets are stored with the defaults of a real server', () => {
  budgets.stores([
    [
      { spec: {} },
      {
        spec: {},
        status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
      },
    ],
    [
      { spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } } },
      {
        spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } },
        status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
      },
    ],
    [
      { spec: { maxUnavailable: 1 } },
      {
        spec: { maxUnavailable: 1 },
        status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
      },
    ],
  ]);
});

test('disruption budgets have the cells of a real server', () => {
  budgets.shows([
    [{ spec: {} }, ['x', 'N/A', 'N/A', 0, '0s']],
    [
      { spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } } },
      ['x', '1', 'N/A', 0, '0s'],
    ],
    [{ spec: { maxUnavailable: 1 } }, ['x', 'N/A', '1', 0, '0s']],
  ]);
});
