import { test } from 'node:test';
import { kindTester } from '../core/kind-tester.cases.ts';

const ingressClasses = kindTester('networking.k8s.io/v1/IngressClass');

test('ingress classes that break a rule are refused in the words of a real server', () => {
  ingressClasses.refuses([
    [{ spec: {} }, ['spec.controller: Required value']],
    [
      { spec: { controller: 'a' } },
      [
        'spec.controller: Invalid value: "a": must be a domain-prefixed path (such as "acme.io/foo")',
      ],
    ],
    [
      { spec: { controller: 'A/ b' } },
      [
        "spec.controller: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        "spec.controller: Invalid value: \" b\": Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')",
      ],
    ],
    [
      {
        spec: {
          controller:
            'a/bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',
          parameters: { kind: '', name: '', scope: 'x' },
        },
      },
      [
        'spec.controller: Too long: may not be more than 250 bytes',
        'spec.parameters.kind: Required value',
        'spec.parameters.name: Required value',
        'spec.parameters.scope: Unsupported value: "x": supported values: "Cluster", "Namespace"',
      ],
    ],
    [
      {
        spec: {
          controller: 'a.b/c',
          parameters: { apiGroup: 'g.h', kind: 'K', name: 'n', scope: 'Namespace' },
        },
      },
      ["spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'"],
    ],
    [
      {
        spec: {
          controller: 'a.b/c',
          parameters: { apiGroup: 'g.h', kind: 'K', name: 'n', namespace: 'x' },
        },
      },
      ["spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'"],
    ],
    [
      {
        spec: {
          controller: 'a.b/c',
          parameters: { apiGroup: 'g.h', kind: 'K', name: 'n', namespace: 'X', scope: 'Namespace' },
        },
      },
      [
        "spec.parameters.namespace: Invalid value: \"X\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      ],
    ],
  ]);
});

test('ingress classes change only as far as a real server lets them', () => {
  ingressClasses.plays([
    {
      object: { spec: { controller: 'a.b/c' } },
      steps: [
        {
          set: 'spec/controller',
          to: 'x.y/z',
          errors: ['spec.controller: Invalid value: "x.y/z": field is immutable'],
        },
        { set: 'spec/parameters', to: { kind: 'a', name: 'b' } },
      ],
    },
  ]);
});

test('ingress classes are stored with the defaults of a real server', () => {
  ingressClasses.stores([
    [
      { spec: { controller: 'a.b/c', parameters: { apiGroup: 'g.h', kind: 'K', name: 'n' } } },
      {
        spec: {
          controller: 'a.b/c',
          parameters: { apiGroup: 'g.h', kind: 'K', name: 'n', scope: 'Cluster' },
        },
      },
    ],
  ]);
});

test('ingress classes have the cells of a real server', () => {
  ingressClasses.shows([
    [{ spec: { controller: 'a.b/c' } }, ['x', 'a.b/c', '<none>', '0s']],
    [
      { spec: { controller: 'a.b/c', parameters: { apiGroup: 'g.h', kind: 'K', name: 'n' } } },
      ['x', 'a.b/c', 'K.g.h/n', '0s'],
    ],
  ]);
});
