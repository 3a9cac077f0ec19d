import { test } from 'node:test';
import { kindTester } from '../core/kind-tester.cases.ts';

const policies = kindTester('admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy');

test('admission policies that break a rule are refused in the words of a real server', () => {
  policies.refuses([
    [
      { spec: {} },
      [
        'spec.matchConstraints: Required value',
        'spec.validations: Required value: validations or auditAnnotations must contain at least one item',
        'spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item',
      ],
    ],
    [
      {
        spec: {
          failurePolicy: 'x',
          paramKind: {},
          matchConstraints: { matchPolicy: 'x' },
          validations: [
            { expression: ' ', message: ' ', messageExpression: ' ', reason: 'x' },
            { expression: 'true', message: 'a\nb' },
          ],
          auditAnnotations: [
            { key: 'a b', valueExpression: '' },
            { key: 'c', valueExpression: "'x'" },
            { key: 'c', valueExpression: "'x'" },
          ],
          variables: [
            { name: '', expression: '' },
            { name: 'a-b', expression: 'true' },
          ],
        },
      },
      [
        'spec.failurePolicy: Unsupported value: "x": supported values: "Fail", "Ignore"',
        'spec.paramKind.apiVersion: Required value',
        'spec.paramKind.kind: Required value',
        'spec.matchConstraints.matchPolicy: Unsupported value: "x": supported values: "Equivalent", "Exact"',
        'spec.matchConstraints.resourceRules: Required value',
        'spec.variables[0].name: Required value: name is not specified',
        'spec.variables[0].expression: Required value: expression is not specified',
        'spec.variables[1].name: Invalid value: "a-b": must be a valid CEL identifier',
        'spec.validations[0].expression: Required value: expression is not specified',
        'spec.validations[0].messageExpression: Invalid value: " ": must be non-empty if specified',
        'spec.validations[0].message: Invalid value: " ": must be non-empty if specified',
        'spec.validations[0].reason: Unsupported value: "x": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"',
        'spec.validations[1].message: Invalid value: "a\\nb": must not contain line breaks',
        "spec.auditAnnotations[0].key: Invalid value: \"x/a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        'spec.auditAnnotations[0].valueExpression: Required value: valueExpression is not specified',
        'spec.auditAnnotations[2].key: Duplicate value: "c"',
      ],
    ],
    [
      {
        spec: {
          paramKind: { apiVersion: 'A/B_', kind: 'x y' },
          matchConstraints: {
            resourceRules: [
              {
                operations: ['*'],
                apiGroups: ['*'],
                apiVersions: ['*'],
                resources: ['*/*'],
                resourceNames: ['..', 'a', 'a'],
              },
            ],
          },
          validations: [{ expression: 'true' }],
        },
      },
      [
        "spec.paramKind.apiVersion: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        "spec.paramKind.apiVersion: Invalid value: \"B_\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
        "spec.paramKind.kind: Invalid value: \"x y\": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
        'spec.matchConstraints.resourceRules[0].resourceNames[0]: Invalid value: "..": may not be \'..\'',
        'spec.matchConstraints.resourceRules[0].resourceNames[2]: Duplicate value: "a"',
      ],
    ],
  ]);
});

test('admission policies change only as far as a real server lets them', () => {
  policies.plays([
    {
      object: {
        spec: {
          matchConstraints: {
            resourceRules: [
              { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] },
            ],
          },
          validations: [{ expression: 'true' }],
        },
      },
      steps: [
        {
          set: 'spec/failurePolicy',
          to: 'x',
          errors: [
            'spec.failurePolicy: Unsupported value: "x": supported values: "Fail", "Ignore"',
          ],
        },
      ],
    },
  ]);
});

test('admission policies are stored with the defaults of a real server', () => {
  policies.stores([
    [
      {
        spec: {
          matchConstraints: {
            resourceRules: [
              { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] },
            ],
          },
          validations: [{ expression: 'true' }],
        },
      },
      {
        spec: {
          matchConstraints: {
            namespaceSelector: {},
            objectSelector: {},
            resourceRules: [
              {
                operations: ['*'],
                apiGroups: ['*'],
                apiVersions: ['*'],
                resources: ['*/*'],
                scope: '*',
              },
            ],
            matchPolicy: 'Equivalent',
          },
          validations: [{ expression: 'true' }],
          failurePolicy: 'Fail',
        },
        status: {},
      },
    ],
    [
      {
        spec: {
          paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
          matchConstraints: {
            resourceRules: [
              { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] },
            ],
          },
          validations: [{ expression: 'true' }],
        },
      },
      {
        spec: {
          paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
          matchConstraints: {
            namespaceSelector: {},
            objectSelector: {},
            resourceRules: [
              {
                operations: ['*'],
                apiGroups: ['*'],
                apiVersions: ['*'],
                resources: ['*/*'],
                scope: '*',
              },
            ],
            matchPolicy: 'Equivalent',
          },
          validations: [{ expression: 'true' }],
          failurePolicy: 'Fail',
        },
        status: {},
      },
    ],
  ]);
});

test('admission policies have the cells of a real server', () => {
  policies.shows([
    [
      {
        spec: {
          matchConstraints: {
            resourceRules: [
              { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] },
            ],
          },
          validations: [{ expression: 'true' }],
        },
      },
      ['x', 1, '<unset>', '0s'],
    ],
    [
      {
        spec: {
          paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
          matchConstraints: {
            resourceRules: [
              { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] },
            ],
          },
          validations: [{ expression: 'true' }],
        },
      },
      ['x', 1, 'v1/ConfigMap', '0s'],
    ],
  ]);
});
