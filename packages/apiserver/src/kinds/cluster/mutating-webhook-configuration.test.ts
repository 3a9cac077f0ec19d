import { test } from 'node:test';
import { kindTester } from '../core/kind-tester.cases.ts';

const mutatingWebhooks = kindTester('admissionregistration.k8s.io/v1/MutatingWebhookConfiguration');

test('mutating webhooks that break a rule are refused in the words of a real server', () => {
  mutatingWebhooks.refuses([
    [
      {
        webhooks: [
          {
            name: 'a.b.c',
            clientConfig: { service: { namespace: '', name: 'x' } },
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
          },
        ],
      },
      ['webhooks[0].clientConfig.service.name: Required value'],
    ],
    [
      {
        webhooks: [
          {
            name: 'a.b.c',
            clientConfig: { service: { namespace: 'a', name: 'b', path: 'x', port: 70000 } },
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
          },
        ],
      },
      [
        'webhooks[0].clientConfig.service.port: Invalid value: 70000: port is not valid: must be between 1 and 65535, inclusive',
        'webhooks[0].clientConfig.service.path: Invalid value: "x": must start with a \'/\'',
        'webhooks[0].clientConfig.service.path: Invalid value: "x": segment[0] may not be empty',
      ],
    ],
    [
      {
        webhooks: [
          {
            name: 'a.b.c',
            clientConfig: { service: { namespace: 'a', name: 'b', path: '/a//B/' } },
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
          },
        ],
      },
      [
        'webhooks[0].clientConfig.service.path: Invalid value: "/a//B/": segment[1] may not be empty',
        "webhooks[0].clientConfig.service.path: Invalid value: \"/a//B/\": segment[2]: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
    ],
    [
      {
        webhooks: [
          {
            name: 'a.b.c',
            clientConfig: { service: { namespace: 'a', name: 'b', path: '//' } },
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
          },
        ],
      },
      ['webhooks[0].clientConfig.service.path: Invalid value: "//": segment[0] may not be empty'],
    ],
    [
      {
        webhooks: [
          {
            name: 'a.b.c',
            clientConfig: { url: 'https://x' },
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
            reinvocationPolicy: 'x',
          },
          {
            name: 'a.b.c',
            clientConfig: { url: 'https://x', service: { namespace: 'a', name: 'b' } },
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
          },
        ],
      },
      [
        'webhooks[0].reinvocationPolicy: Unsupported value: "x": supported values: "IfNeeded", "Never"',
        'webhooks[1].clientConfig: Required value: exactly one of url or service is required',
        'webhooks[1].name: Duplicate value: "a.b.c"',
      ],
    ],
  ]);
});

test('mutating webhooks are stored with the defaults of a real server', () => {
  mutatingWebhooks.stores([
    [
      {
        webhooks: [
          {
            name: 'a.b.c',
            clientConfig: { service: { namespace: 'a', name: 'b' } },
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
          },
        ],
      },
      {
        webhooks: [
          {
            name: 'a.b.c',
            clientConfig: { service: { namespace: 'a', name: 'b', port: 443 } },
            failurePolicy: 'Fail',
            matchPolicy: 'Equivalent',
            namespaceSelector: {},
            objectSelector: {},
            sideEffects: 'None',
            timeoutSeconds: 10,
            admissionReviewVersions: ['v1'],
            reinvocationPolicy: 'Never',
          },
        ],
      },
    ],
    [
      {
        webhooks: [
          {
            name: 'a.b.c',
            clientConfig: { url: 'https://x' },
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
            matchConditions: [{ name: 'a', expression: 'true' }],
          },
        ],
      },
      {
        webhooks: [
          {
            name: 'a.b.c',
            clientConfig: { url: 'https://x' },
            failurePolicy: 'Fail',
            matchPolicy: 'Equivalent',
            namespaceSelector: {},
            objectSelector: {},
            sideEffects: 'None',
            timeoutSeconds: 10,
            admissionReviewVersions: ['v1'],
            reinvocationPolicy: 'Never',
            matchConditions: [{ name: 'a', expression: 'true' }],
          },
        ],
      },
    ],
  ]);
});

test('mutating webhooks have the cells of a real server', () => {
  mutatingWebhooks.shows([
    [
      {
        webhooks: [
          {
            name: 'a.b.c',
            clientConfig: { service: { namespace: 'a', name: 'b' } },
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
          },
        ],
      },
      ['x', 1, '0s'],
    ],
    [
      {
        webhooks: [
          {
            name: 'a.b.c',
            clientConfig: { url: 'https://x' },
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
            matchConditions: [{ name: 'a', expression: 'true' }],
          },
        ],
      },
      ['x', 1, '0s'],
    ],
  ]);
});
