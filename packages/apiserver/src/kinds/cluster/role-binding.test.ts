import { test } from 'node:test';
import { kindTester } from '../core/kind-tester.cases.ts';

const roleBindings = kindTester('rbac.authorization.k8s.io/v1/RoleBinding');

test('role bindings that break a rule are refused in the words of a real server', () => {
  roleBindings.refuses([
    [
      {
        roleRef: { kind: 'x', apiGroup: 'y', name: 'a%' },
        subjects: [
          { kind: 'User', apiGroup: 'x' },
          { kind: 'ServiceAccount', name: 'A', apiGroup: 'z' },
          { kind: 'Foo', name: 'b' },
        ],
      },
      [
        'roleRef.apiGroup: Unsupported value: "y": supported values: "rbac.authorization.k8s.io"',
        'roleRef.kind: Unsupported value: "x": supported values: "Role", "ClusterRole"',
        'roleRef.name: Invalid value: "a%": may not contain \'%\'',
        'subjects[0].name: Required value',
        'subjects[0].apiGroup: Unsupported value: "x": supported values: "rbac.authorization.k8s.io"',
        "subjects[1].name: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        'subjects[1].apiGroup: Unsupported value: "z": supported values: ""',
        'subjects[2].kind: Unsupported value: "Foo": supported values: "ServiceAccount", "User", "Group"',
      ],
    ],
    [
      {},
      [
        'roleRef.kind: Unsupported value: "": supported values: "Role", "ClusterRole"',
        'roleRef.name: Required value',
      ],
    ],
  ]);
});

test('role bindings change only as far as a real server lets them', () => {
  roleBindings.plays([
    {
      object: {
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
        subjects: [
          { kind: 'User', name: 'a' },
          { kind: 'Group', name: 'g' },
          { kind: 'ServiceAccount', name: 's', namespace: 'n' },
        ],
      },
      steps: [
        {
          set: 'roleRef/name',
          to: 'edit',
          errors: [
            'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"ClusterRole","Name":"edit"}: cannot change roleRef',
          ],
        },
        {
          set: 'subjects',
          to: [{ kind: 'x', name: '' }],
          errors: [
            'subjects[0].name: Required value',
            'subjects[0].kind: Unsupported value: "x": supported values: "ServiceAccount", "User", "Group"',
            'subjects[0].name: Required value',
            'subjects[0].kind: Unsupported value: "x": supported values: "ServiceAccount", "User", "Group"',
          ],
        },
        {
          set: 'roleRef/kind',
          to: 'x',
          errors: [
            'roleRef.kind: Unsupported value: "x": supported values: "Role", "ClusterRole"',
            'roleRef.kind: Unsupported value: "x": supported values: "Role", "ClusterRole"',
            'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"x","Name":"view"}: cannot change roleRef',
          ],
        },
      ],
    },
  ]);
});

test('role bindings are stored with the defaults of a real server', () => {
  roleBindings.stores([
    [
      {
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
        subjects: [
          { kind: 'User', name: 'a' },
          { kind: 'Group', name: 'g' },
          { kind: 'ServiceAccount', name: 's', namespace: 'n' },
        ],
      },
      {
        subjects: [
          { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'a' },
          { kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'g' },
          { kind: 'ServiceAccount', name: 's', namespace: 'n' },
        ],
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      },
    ],
    [
      { roleRef: { kind: 'ClusterRole', name: 'view' } },
      { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' } },
    ],
  ]);
});

test('role bindings have the cells of a real server', () => {
  roleBindings.shows([
    [
      {
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
        subjects: [
          { kind: 'User', name: 'a' },
          { kind: 'Group', name: 'g' },
          { kind: 'ServiceAccount', name: 's', namespace: 'n' },
        ],
      },
      ['x', 'ClusterRole/view', '0s', 'a', 'g', 'n/s'],
    ],
    [
      { roleRef: { kind: 'ClusterRole', name: 'view' } },
      ['x', 'ClusterRole/view', '0s', '', '', ''],
    ],
  ]);
});
