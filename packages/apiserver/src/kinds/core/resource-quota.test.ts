import { test } from 'node:test';
import { kindTester } from './kind-tester.cases.ts';

const resourceQuotas = kindTester('/v1/ResourceQuota');

test('resource quotas that break a rule are refused in the words of a real server', () => {
  resourceQuotas.refuses([
    [
      { spec: { hard: { foo: '1' } } },
      [
        'spec.hard[foo]: Invalid value: "foo": must be a standard resource type or fully qualified',
        'spec.hard[foo]: Invalid value: "foo": must be a standard resource for quota',
      ],
    ],
    [
      { spec: { hard: { pods: '1.5' } } },
      ['spec.hard[pods]: Invalid value: "1500m": must be an integer'],
    ],
    [
      { spec: { hard: { cpu: '-1' } } },
      ['spec.hard[cpu]: Invalid value: "-1": must be greater than or equal to 0'],
    ],
    [
      { spec: { hard: { storage: '1' } } },
      ['spec.hard[storage]: Invalid value: "storage": must be a standard resource for quota'],
    ],
    [
      { spec: { hard: { 'a b': '1' } } },
      [
        "spec.hard[a b]: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        'spec.hard[a b]: Invalid value: "a b": must be a standard resource for quota',
      ],
    ],
    [
      { spec: { hard: { pods: '1' }, scopes: ['x'] } },
      ['spec.scopes: Invalid value: ["x"]: unsupported scope'],
    ],
    [
      { spec: { hard: { cpu: '1' }, scopes: ['BestEffort'] } },
      ['spec.scopes: Invalid value: ["BestEffort"]: unsupported scope applied to resource'],
    ],
    [
      { spec: { hard: { pods: '1' }, scopes: ['BestEffort', 'NotBestEffort'] } },
      ['spec.scopes: Invalid value: ["BestEffort","NotBestEffort"]: conflicting scopes'],
    ],
    [
      { spec: { hard: { secrets: '1' }, scopes: ['Terminating', 'NotTerminating'] } },
      [
        'spec.scopes: Invalid value: ["Terminating","NotTerminating"]: unsupported scope applied to resource',
        'spec.scopes: Invalid value: ["Terminating","NotTerminating"]: unsupported scope applied to resource',
        'spec.scopes: Invalid value: ["Terminating","NotTerminating"]: conflicting scopes',
      ],
    ],
    [
      {
        spec: {
          hard: { secrets: '1' },
          scopeSelector: {
            matchExpressions: [
              { scopeName: 'BestEffort', operator: 'In', values: ['a'] },
              { scopeName: 'NotBestEffort', operator: 'Exists', values: ['a'] },
              { scopeName: 'x', operator: 'In' },
              { scopeName: 'PriorityClass', operator: 'z' },
            ],
          },
        },
      },
      [
        'spec.scopeSelector.matchExpressions: Invalid value: {"MatchExpressions":[{"ScopeName":"BestEffort","Operator":"In","Values":["a"]},{"ScopeName":"NotBestEffort","Operator":"Exists","Values":["a"]},{"ScopeName":"x","Operator":"In","Values":null},{"ScopeName":"PriorityClass","Operator":"z","Values":null}]}: unsupported scope applied to resource',
        'spec.scopeSelector.matchExpressions.operator: Invalid value: "In": must be \'Exists\' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity',
        'spec.scopeSelector.matchExpressions: Invalid value: {"MatchExpressions":[{"ScopeName":"BestEffort","Operator":"In","Values":["a"]},{"ScopeName":"NotBestEffort","Operator":"Exists","Values":["a"]},{"ScopeName":"x","Operator":"In","Values":null},{"ScopeName":"PriorityClass","Operator":"z","Values":null}]}: unsupported scope applied to resource',
        "spec.scopeSelector.matchExpressions.values: Invalid value: [\"a\"]: must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
        'spec.scopeSelector.matchExpressions.scopeName: Invalid value: "x": unsupported scope',
        "spec.scopeSelector.matchExpressions.values: Required value: must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
        'spec.scopeSelector.matchExpressions: Invalid value: {"MatchExpressions":[{"ScopeName":"BestEffort","Operator":"In","Values":["a"]},{"ScopeName":"NotBestEffort","Operator":"Exists","Values":["a"]},{"ScopeName":"x","Operator":"In","Values":null},{"ScopeName":"PriorityClass","Operator":"z","Values":null}]}: unsupported scope applied to resource',
        'spec.scopeSelector.matchExpressions.operator: Invalid value: "z": not a valid selector operator',
        'spec.scopeSelector.matchExpressions: Invalid value: null: conflicting scopes',
      ],
    ],
  ]);
});

test('resource quotas change only as far as a real server lets them', () => {
  resourceQuotas.plays([
    {
      object: {
        spec: {
          hard: {
            cpu: '1',
            pods: '2',
            'limits.cpu': '3',
            'requests.storage': '1Gi',
            'count/foo.bar': '1',
            'a.storageclass.storage.k8s.io/requests.storage': '1',
          },
        },
      },
      steps: [
        { set: 'spec/hard/cpu', to: '2' },
        {
          set: 'spec/scopes',
          to: ['BestEffort'],
          errors: [
            'spec.scopes: Invalid value: ["BestEffort"]: unsupported scope applied to resource',
            'spec.scopes: Invalid value: ["BestEffort"]: unsupported scope applied to resource',
            'spec.scopes: Invalid value: ["BestEffort"]: unsupported scope applied to resource',
            'spec.scopes: Invalid value: ["BestEffort"]: field is immutable',
          ],
        },
      ],
    },
    {
      object: { spec: { hard: { pods: '1', 'limits.cpu': '2', cpu: '3' } } },
      subresource: 'status',
      steps: [
        {
          set: 'status',
          to: { hard: { pods: '1', 'limits.cpu': '2', cpu: '3' }, used: { pods: '0', cpu: '1' } },
        },
        {
          set: 'status',
          to: { hard: { foo: '1' }, used: { pods: '-1' } },
          errors: [
            'status.hard[foo]: Invalid value: "foo": must be a standard resource type or fully qualified',
            'status.hard[foo]: Invalid value: "foo": must be a standard resource for quota',
            'status.used[pods]: Invalid value: "-1": must be greater than or equal to 0',
          ],
        },
      ],
    },
  ]);
});

test('resource quotas are stored with the defaults of a real server', () => {
  resourceQuotas.stores([
    [{ spec: {} }, { spec: {}, status: {} }],
    [
      {
        spec: {
          hard: {
            cpu: '1',
            pods: '2',
            'limits.cpu': '3',
            'requests.storage': '1Gi',
            'count/foo.bar': '1',
            'a.storageclass.storage.k8s.io/requests.storage': '1',
          },
        },
      },
      {
        spec: {
          hard: {
            'a.storageclass.storage.k8s.io/requests.storage': '1',
            'count/foo.bar': '1',
            cpu: '1',
            'limits.cpu': '3',
            pods: '2',
            'requests.storage': '1Gi',
          },
        },
        status: {},
      },
    ],
    [
      {
        spec: {
          hard: { pods: '1' },
          scopeSelector: {
            matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['a'] }],
          },
        },
      },
      {
        spec: {
          hard: { pods: '1' },
          scopeSelector: {
            matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['a'] }],
          },
        },
        status: {},
      },
    ],
    [
      { spec: { hard: { pods: '1', 'limits.cpu': '2', cpu: '3' } } },
      { spec: { hard: { cpu: '3', 'limits.cpu': '2', pods: '1' } }, status: {} },
    ],
  ]);
});

test('resource quotas have the cells of a real server', () => {
  resourceQuotas.shows([
    [{ spec: {} }, ['x', '', '', '0s']],
    [
      {
        spec: {
          hard: {
            cpu: '1',
            pods: '2',
            'limits.cpu': '3',
            'requests.storage': '1Gi',
            'count/foo.bar': '1',
            'a.storageclass.storage.k8s.io/requests.storage': '1',
          },
        },
      },
      ['x', '', '', '0s'],
    ],
    [
      {
        spec: {
          hard: { pods: '1' },
          scopeSelector: {
            matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['a'] }],
          },
        },
      },
      ['x', '', '', '0s'],
    ],
    [{ spec: { hard: { pods: '1', 'limits.cpu': '2', cpu: '3' } } }, ['x', '', '', '0s']],
  ]);
});
