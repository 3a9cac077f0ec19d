import { test } from 'node:test';
import { kindTester } from '../core/kind-tester.cases.ts';

const flowSchemas = kindTester('flowcontrol.apiserver.k8s.io/v1/FlowSchema');

test('flow schemas that break a rule are refused in the words of a real server', () => {
  flowSchemas.refuses([
    [
      {
        spec: {
          matchingPrecedence: 1,
          distinguisherMethod: { type: 'x' },
          rules: [
            {},
            {
              subjects: [
                { kind: 'x' },
                { kind: 'User' },
                {
                  kind: 'User',
                  user: { name: '' },
                  group: { name: 'a' },
                  serviceAccount: { name: 'a', namespace: 'b' },
                },
                { kind: 'Group', group: { name: '' }, user: { name: 'x' } },
                {
                  kind: 'ServiceAccount',
                  serviceAccount: { name: '', namespace: '' },
                  user: { name: 'x' },
                  group: { name: 'x' },
                },
                { kind: 'ServiceAccount', serviceAccount: { name: 'A', namespace: 'B' } },
                { kind: 'ServiceAccount' },
              ],
              resourceRules: [
                {},
                {
                  verbs: ['x'],
                  apiGroups: ['*', 'a'],
                  resources: ['*', 'a'],
                  namespaces: ['*', 'a'],
                },
                { verbs: ['*', 'get'], apiGroups: ['a'], resources: ['a'], namespaces: ['A'] },
              ],
              nonResourceRules: [
                {},
                { verbs: ['get'], nonResourceURLs: ['*', '/'] },
                {
                  verbs: ['get'],
                  nonResourceURLs: ['', 'a', '/a b', '//', '/a*', '/*/*', '/a/*', '/'],
                },
              ],
            },
          ],
        },
      },
      [
        "spec.matchingPrecedence: Invalid value: 1: only the schema named 'exempt' may have matchingPrecedence 1",
        'spec.distinguisherMethod.type: Unsupported value: {"Type":"x"}: supported values: "ByNamespace", "ByUser"',
        'spec.priorityLevelConfiguration.name: Required value: must reference a priority level',
        'spec.rules[0].subjects: Required value: subjects must contain at least one value',
        'spec.rules[0]: Required value: at least one of resourceRules and nonResourceRules has to be non-empty',
        'spec.rules[1].subjects[0].kind: Unsupported value: "x": supported values: "Group", "ServiceAccount", "User"',
        "spec.rules[1].subjects[1].user: Required value: user is required when subject kind is 'User'",
        'spec.rules[1].subjects[2].user.name: Required value',
        "spec.rules[1].subjects[2].serviceAccount: Forbidden: serviceAccount is forbidden when subject kind is not 'ServiceAccount'",
        "spec.rules[1].subjects[2].group: Forbidden: group is forbidden when subject kind is not 'Group'",
        'spec.rules[1].subjects[3].group.name: Required value',
        "spec.rules[1].subjects[3].user: Forbidden: user is forbidden when subject kind is not 'User'",
        'spec.rules[1].subjects[4].serviceAccount.name: Required value',
        'spec.rules[1].subjects[4].serviceAccount.namespace: Required value: must specify namespace for service account',
        "spec.rules[1].subjects[4].user: Forbidden: user is forbidden when subject kind is not 'User'",
        "spec.rules[1].subjects[4].group: Forbidden: group is forbidden when subject kind is not 'Group'",
        "spec.rules[1].subjects[5].serviceAccount.name: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        "spec.rules[1].subjects[5].serviceAccount.namespace: Invalid value: \"B\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
        "spec.rules[1].subjects[6].serviceAccount: Required value: serviceAccount is required when subject kind is 'ServiceAccount'",
        'spec.rules[1].resourceRules[0].verbs: Required value: verbs must contain at least one value',
        'spec.rules[1].resourceRules[0].apiGroups: Required value: resource rules must supply at least one api group',
        'spec.rules[1].resourceRules[0].resources: Required value: resource rules must supply at least one resource',
        'spec.rules[1].resourceRules[0].namespaces: Required value: resource rules that are not cluster scoped must supply at least one namespace',
        'spec.rules[1].resourceRules[1].verbs: Unsupported value: ["x"]: supported values: "create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"',
        'spec.rules[1].resourceRules[1].apiGroups: Invalid value: ["*","a"]: if \'*\' is present, must not specify other api groups',
        'spec.rules[1].resourceRules[1].resources: Invalid value: ["*","a"]: if \'*\' is present, must not specify other resources',
        'spec.rules[1].resourceRules[1].namespaces: Invalid value: ["*","a"]: if \'*\' is present, must not specify other namespaces',
        'spec.rules[1].resourceRules[2].verbs: Invalid value: ["*","get"]: if \'*\' is present, must not specify other verbs',
        "spec.rules[1].resourceRules[2].namespaces[0]: Invalid value: \"A\": each member of this list must be '*' or a DNS-1123 label; a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
        'spec.rules[1].nonResourceRules[0].verbs: Required value: verbs must contain at least one value',
        'spec.rules[1].nonResourceRules[0].nonResourceURLs: Required value: nonResourceURLs must contain at least one value',
        'spec.rules[1].nonResourceRules[1].nonResourceURLs: Invalid value: ["*","/"]: if \'*\' is present, must not specify other non-resource URLs',
        'spec.rules[1].nonResourceRules[2].nonResourceURLs[0]: Invalid value: "": must not be empty',
        'spec.rules[1].nonResourceRules[2].nonResourceURLs[1]: Invalid value: "a": must start with slash',
        'spec.rules[1].nonResourceRules[2].nonResourceURLs[2]: Invalid value: "/a b": must not contain white-space',
        'spec.rules[1].nonResourceRules[2].nonResourceURLs[3]: Invalid value: "//": must not contain double slash',
        'spec.rules[1].nonResourceRules[2].nonResourceURLs[4]: Invalid value: "/a*": wildcard can only do suffix matching',
        'spec.rules[1].nonResourceRules[2].nonResourceURLs[5]: Invalid value: "/*/*": wildcard can only do suffix matching',
      ],
    ],
    [
      { spec: { matchingPrecedence: -1, priorityLevelConfiguration: { name: 'A' } } },
      [
        'spec.matchingPrecedence: Invalid value: -1: must be a positive value',
        "spec.priorityLevelConfiguration.name: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
    ],
    [
      {
        spec: {
          matchingPrecedence: 20000,
          priorityLevelConfiguration: { name: 'a' },
          distinguisherMethod: { type: 'ByUser' },
        },
      },
      ['spec.matchingPrecedence: Invalid value: 20000: must not be greater than 10000'],
    ],
  ]);
});

test('flow schemas change only as far as a real server lets them', () => {
  flowSchemas.plays([
    {
      object: { spec: { priorityLevelConfiguration: { name: 'global-default' } } },
      steps: [{ set: 'spec/matchingPrecedence', to: 5 }],
    },
  ]);
});

test('flow schemas are stored with the defaults of a real server', () => {
  flowSchemas.stores([
    [
      { spec: { priorityLevelConfiguration: { name: 'global-default' } } },
      {
        spec: { priorityLevelConfiguration: { name: 'global-default' }, matchingPrecedence: 1000 },
        status: {},
      },
    ],
  ]);
});

test('flow schemas have the cells of a real server', () => {
  flowSchemas.shows([
    [
      { spec: { priorityLevelConfiguration: { name: 'global-default' } } },
      ['x', 'global-default', 1000, '<none>', '0s', '?'],
    ],
  ]);
});
