import { test } from 'node:test';
import { kindTester } from '../core/kind-tester.cases.ts';

const clusterRoleBindings = kindTester('rbac.authorization.k8s.io/v1/ClusterRoleBinding');

test('cluster role bindings that break a rule are refused in the words of a real server', () => {
  clusterRoleBindings.refuses([
    [
      {
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
        subjects: [{ kind: 'ServiceAccount', name: 'a' }],
      },
      ['subjects[0].namespace: Required value'],
    ],
    [
      { roleRef: { kind: 'Role', name: '' } },
      [
        'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
        'roleRef.name: Required value',
      ],
    ],
  ]);
});

test('cluster role bindings are stored with the defaults of a real server', () => {
  clusterRoleBindings.stores([
    [
      {
        roleRef: { apiGroup: '', kind: 'ClusterRole', name: 'view' },
        subjects: [
          { kind: 'Group', name: 'a' },
          { kind: 'User', name: 'b' },
          { kind: 'User', name: 'c' },
        ],
      },
      {
        subjects: [
          { kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'a' },
          { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'b' },
          { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'c' },
        ],
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      },
    ],
  ]);
});

test('cluster role bindings have the cells of a real server', () => {
  clusterRoleBindings.shows([
    [
      {
        roleRef: { apiGroup: '', kind: 'ClusterRole', name: 'view' },
        subjects: [
          { kind: 'Group', name: 'a' },
          { kind: 'User', name: 'b' },
          { kind: 'User', name: 'c' },
        ],
      },
      ['x', 'ClusterRole/view', '0s', 'b, c', 'a', ''],
    ],
  ]);
});
