import { test } from 'node:test';
import { kindTester } from '../core/kind-tester.cases.ts';

const policyBindings = kindTester(
  'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding',
);

test('bindings of admission policies that break a rule are refused in the words of a real server', () => {
  policyBindings.refuses([
    [
      { spec: {} },
      [
        'spec.policyName: Required value',
        'spec.validationActions: Required value: at least one validation action is required',
      ],
    ],
    [
      {
        spec: {
          policyName: 'A',
          validationActions: ['Deny', 'Warn', 'Deny', 'x'],
          paramRef: {
            name: 'a/b',
            selector: { matchLabels: { 'a b': 'c' } },
            parameterNotFoundAction: 'x',
          },
          matchResources: { matchPolicy: 'x' },
        },
      },
      [
        "spec.policyName: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        'spec.paramRef.name: Invalid value: "a/b": may not contain \'/\'',
        'spec.paramRef.name: Forbidden: name and selector are mutually exclusive',
        "spec.paramRef.selector.matchLabels: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        'spec.paramRef.selector: Forbidden: name and selector are mutually exclusive',
        'spec.paramRef.parameterNotFoundAction: Unsupported value: "x": supported values: "Deny", "Allow"',
        'spec.matchResources.matchPolicy: Unsupported value: "x": supported values: "Equivalent", "Exact"',
        'spec.validationActions[2]: Duplicate value: "Deny"',
        'spec.validationActions[3]: Unsupported value: "x": supported values: "Audit", "Deny", "Warn"',
        'spec.validationActions: Invalid value: ["Deny","Warn","Deny","x"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
      ],
    ],
    [
      { spec: { policyName: 'a', validationActions: ['Audit'], paramRef: {} } },
      [
        'spec.paramRef: Required value: one of name or selector must be specified',
        'spec.paramRef.parameterNotFoundAction: Required value',
      ],
    ],
  ]);
});

test('bindings of admission policies have the cells of a real server', () => {
  policyBindings.shows([
    [{ spec: { policyName: 'a', validationActions: ['Deny'] } }, ['x', 'a', '<unset>', '0s']],
    [
      {
        spec: {
          policyName: 'a',
          validationActions: ['Audit'],
          paramRef: { name: 'x', namespace: 'y', parameterNotFoundAction: 'Deny' },
        },
      },
      ['x', 'a', 'y/x', '0s'],
    ],
    [
      {
        spec: {
          policyName: 'a',
          validationActions: ['Audit'],
          paramRef: { selector: { matchLabels: { a: 'b' } }, parameterNotFoundAction: 'Allow' },
        },
      },
      [
        'x',
        'a',
        '&LabelSelector{MatchLabels:map[string]string{a: b,},MatchExpressions:[]LabelSelectorRequirement{},}',
        '0s',
      ],
    ],
  ]);
});
