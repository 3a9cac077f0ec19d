import { test } from 'node:test';
import { kindTester } from '../core/kind-tester.cases.ts';

const clusterRoles = kindTester('rbac.authorization.k8s.io/v1/ClusterRole');

test('cluster roles that break a rule are refused in the words of a real server', () => {
  clusterRoles.refuses([
    [
      { aggregationRule: {} },
      [
        'aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil',
      ],
    ],
    [
      { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { 'a b': 'c' } }] } },
      [
        "aggregationRule.clusterRoleSelectors[0].matchLabels: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        'aggregationRule.clusterRoleSelectors[0]: Invalid value: null: invalid label selector.',
      ],
    ],
    [
      {
        aggregationRule: {
          clusterRoleSelectors: [{ matchExpressions: [{ key: 'a', operator: 'x' }] }],
        },
      },
      [
        'aggregationRule.clusterRoleSelectors[0].matchExpressions[0].operator: Invalid value: "x": not a valid selector operator',
        'aggregationRule.clusterRoleSelectors[0]: Invalid value: null: invalid label selector.',
      ],
    ],
  ]);
});

test('cluster roles change only as far as a real server lets them', () => {
  clusterRoles.plays([
    {
      object: { rules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }] },
      steps: [
        {
          set: 'rules',
          to: [{ verbs: [] }],
          errors: [
            'rules[0].verbs: Required value: verbs must contain at least one value',
            'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
            'rules[0].resources: Required value: resource rules must supply at least one resource',
            'rules[0].verbs: Required value: verbs must contain at least one value',
            'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
            'rules[0].resources: Required value: resource rules must supply at least one resource',
          ],
        },
      ],
    },
  ]);
});

test('cluster roles are stored with the defaults of a real server', () => {
  clusterRoles.stores([
    [
      { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } },
      { rules: null, aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } },
    ],
  ]);
});

test('cluster roles have the cells of a real server', () => {
  clusterRoles.shows([
    [{ rules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }] }, ['x', '2026-01-02T03:04:05Z']],
    [
      { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } },
      ['x', '2026-01-02T03:04:05Z'],
    ],
  ]);
});
