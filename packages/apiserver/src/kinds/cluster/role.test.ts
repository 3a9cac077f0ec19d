import { test } from 'node:test';
import { kindTester } from '../core/kind-tester.cases.ts';

const roles = kindTester('rbac.authorization.k8s.io/v1/Role');

test('roles that break a rule are refused in the words of a real server', () => {
  roles.refuses([
    [
      { rules: [{}, { verbs: ['x'], nonResourceURLs: ['/a'], apiGroups: ['a'] }] },
      [
        'rules[0].verbs: Required value: verbs must contain at least one value',
        'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
        'rules[0].resources: Required value: resource rules must supply at least one resource',
        'rules[1].nonResourceURLs: Invalid value: ["/a"]: namespaced rules cannot apply to non-resource URLs',
        'rules[1].nonResourceURLs: Invalid value: ["/a"]: rules cannot apply to both regular resources and non-resource URLs',
      ],
    ],
  ]);
});

test('roles change only as far as a real server lets them', () => {
  roles.plays([
    {
      object: { rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] },
      steps: [
        {
          set: 'rules',
          to: [{}],
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

test('roles are stored with the defaults of a real server', () => {
  roles.stores([
    [{}, { rules: null }],
    [{}, { rules: null }],
  ]);
});

test('roles have the cells of a real server', () => {
  roles.shows([
    [{}, ['x', '2026-01-02T03:04:05Z']],
    [
      { rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] },
      ['x', '2026-01-02T03:04:05Z'],
    ],
    [{}, ['x', '2026-01-02T03:04:05Z']],
  ]);
});
