import { test } from 'node:test';
import { kindTester } from '../core/kind-tester.cases.ts';

const validatingWebhooks = kindTester(
  'admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration',
);

test('validating webhooks that break a rule are refused in the words of a real server', () => {
  validatingWebhooks.refuses([
    [
      { webhooks: [{ name: 'a', clientConfig: {} }] },
      [
        'webhooks[0].name: Invalid value: "a": should be a domain with at least three segments separated by dots',
        'webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun',
        'webhooks[0].clientConfig: Required value: exactly one of url or service is required',
        'webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1',
      ],
    ],
    [
      {
        webhooks: [
          {
            name: 'a.b.c',
            clientConfig: { url: 'https://x' },
            sideEffects: 'z',
            admissionReviewVersions: ['x', 'x', 'A'],
            rules: [
              {},
              { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] },
              {
                operations: ['*', 'x'],
                apiGroups: ['*', 'a'],
                apiVersions: ['*', ''],
                resources: ['*', 'a', '*/*', 'b/*', 'b/c', '*/d', 'e/d', ''],
                scope: 'x',
              },
            ],
            failurePolicy: 'x',
            matchPolicy: 'y',
            timeoutSeconds: 31,
            namespaceSelector: { matchLabels: { 'a b': 'c' } },
            objectSelector: { matchLabels: { 'a b': 'c' } },
            matchConditions: [
              { name: '', expression: '' },
              { name: 'a b', expression: 'true' },
              { name: 'c', expression: 'true' },
              { name: 'c', expression: 'true' },
            ],
          },
          {
            name: 'a.b.c',
            clientConfig: { url: 'https://x' },
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
          },
        ],
      },
      [
        'webhooks[0].rules[0].operations: Required value',
        'webhooks[0].rules[0].apiGroups: Required value',
        'webhooks[0].rules[0].apiVersions: Required value',
        'webhooks[0].rules[0].resources: Required value',
        'webhooks[0].rules[2].operations: Invalid value: ["*","x"]: if \'*\' is present, must not specify other operations',
        'webhooks[0].rules[2].operations[1]: Unsupported value: "x": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"',
        'webhooks[0].rules[2].apiGroups: Invalid value: ["*","a"]: if \'*\' is present, must not specify other API groups',
        'webhooks[0].rules[2].apiVersions: Invalid value: ["*",""]: if \'*\' is present, must not specify other API versions',
        'webhooks[0].rules[2].apiVersions[1]: Required value',
        'webhooks[0].rules[2].resources[3]: Invalid value: "b/*": if \'*/*\' is present, must not specify b/*',
        'webhooks[0].rules[2].resources[4]: Invalid value: "b/c": if \'b/*\' is present, must not specify b/c',
        'webhooks[0].rules[2].resources[5]: Invalid value: "*/d": if \'*/*\' is present, must not specify */d',
        'webhooks[0].rules[2].resources[6]: Invalid value: "e/d": if \'*/d\' is present, must not specify e/d',
        'webhooks[0].rules[2].resources[7]: Required value',
        'webhooks[0].rules[2].resources: Invalid value: ["*","a","*/*","b/*","b/c","*/d","e/d",""]: if \'*/*\' is present, must not specify other resources',
        'webhooks[0].rules[2].resources: Invalid value: ["*","a","*/*","b/*","b/c","*/d","e/d",""]: if \'*\' is present, must not specify other resources without subresources',
        'webhooks[0].rules[2].scope: Unsupported value: "x": supported values: "*", "Cluster", "Namespaced"',
        'webhooks[0].failurePolicy: Unsupported value: "x": supported values: "Fail", "Ignore"',
        'webhooks[0].matchPolicy: Unsupported value: "y": supported values: "Equivalent", "Exact"',
        'webhooks[0].sideEffects: Unsupported value: "z": supported values: "None", "NoneOnDryRun"',
        'webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds',
        "webhooks[0].namespaceSelector.matchLabels: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        "webhooks[0].objectSelector.matchLabels: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        'webhooks[0].matchConditions[0].expression: Required value',
        'webhooks[0].matchConditions[0].name: Required value',
        "webhooks[0].matchConditions[1].name: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        'webhooks[0].matchConditions[3].name: Duplicate value: "c"',
        'webhooks[0].admissionReviewVersions[1]: Invalid value: "x": duplicate version',
        "webhooks[0].admissionReviewVersions[2]: Invalid value: \"A\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
        'webhooks[0].admissionReviewVersions: Invalid value: ["x","x","A"]: must include at least one of v1, v1beta1',
        'webhooks[1].name: Duplicate value: "a.b.c"',
      ],
    ],
    [
      {
        webhooks: [
          {
            name: 'a.b.c',
            clientConfig: { url: 'http://x' },
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
          },
        ],
      },
      [
        'webhooks[0].clientConfig.url: Invalid value: "http": \'https\' is the only allowed URL scheme; desired format: https://host[/path]',
      ],
    ],
    [
      {
        webhooks: [
          {
            name: 'a.b.c',
            clientConfig: { url: 'https://' },
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
          },
        ],
      },
      [
        'webhooks[0].clientConfig.url: Invalid value: "": host must be specified; desired format: https://host[/path]',
      ],
    ],
    [
      {
        webhooks: [
          {
            name: 'a.b.c',
            clientConfig: { url: 'https://u:p@x' },
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
          },
        ],
      },
      [
        'webhooks[0].clientConfig.url: Invalid value: "u:p": user information is not permitted in the URL',
      ],
    ],
    [
      {
        webhooks: [
          {
            name: 'a.b.c',
            clientConfig: { url: 'https://x#f' },
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
          },
        ],
      },
      ['webhooks[0].clientConfig.url: Invalid value: "f": fragments are not permitted in the URL'],
    ],
    [
      {
        webhooks: [
          {
            name: 'a.b.c',
            clientConfig: { url: 'https://x?q' },
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
          },
        ],
      },
      [
        'webhooks[0].clientConfig.url: Invalid value: "q": query parameters are not permitted in the URL',
      ],
    ],
    [
      {
        webhooks: [
          {
            name: 'a.b.c',
            clientConfig: { url: 'x' },
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
          },
        ],
      },
      [
        'webhooks[0].clientConfig.url: Invalid value: "": \'https\' is the only allowed URL scheme; desired format: https://host[/path]',
        'webhooks[0].clientConfig.url: Invalid value: "": host must be specified; desired format: https://host[/path]',
      ],
    ],
  ]);
});

test('validating webhooks change only as far as a real server lets them', () => {
  validatingWebhooks.plays([
    {
      object: {
        webhooks: [
          {
            name: 'a.b.c',
            clientConfig: { url: 'https://x' },
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
          },
        ],
      },
      steps: [
        {
          set: 'webhooks',
          to: [
            {
              name: 'a.b.c',
              clientConfig: { url: 'https://x' },
              sideEffects: 'Some',
              admissionReviewVersions: ['v1'],
            },
          ],
          errors: [
            'webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
          ],
        },
        { set: 'metadata/labels', to: { a: 'b' } },
        {
          set: 'webhooks',
          to: [
            {
              name: 'd.e.f',
              clientConfig: { url: 'https://x' },
              sideEffects: 'None',
              admissionReviewVersions: ['v1'],
            },
          ],
        },
      ],
    },
  ]);
});

test('validating webhooks are stored with the defaults of a real server', () => {
  validatingWebhooks.stores([
    [{ webhooks: [] }, {}],
    [
      {
        webhooks: [
          {
            name: 'a.b.c',
            clientConfig: { url: 'https://x' },
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
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
          },
        ],
      },
    ],
    [
      {
        webhooks: [
          {
            name: 'a.b.c',
            clientConfig: { url: 'https://x/y' },
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
          },
        ],
      },
      {
        webhooks: [
          {
            name: 'a.b.c',
            clientConfig: { url: 'https://x/y' },
            failurePolicy: 'Fail',
            matchPolicy: 'Equivalent',
            namespaceSelector: {},
            objectSelector: {},
            sideEffects: 'None',
            timeoutSeconds: 10,
            admissionReviewVersions: ['v1'],
          },
        ],
      },
    ],
  ]);
});

test('validating webhooks have the cells of a real server', () => {
  validatingWebhooks.shows([
    [{ webhooks: [] }, ['x', 0, '0s']],
    [
      {
        webhooks: [
          {
            name: 'a.b.c',
            clientConfig: { url: 'https://x' },
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
            clientConfig: { url: 'https://x/y' },
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
          },
        ],
      },
      ['x', 1, '0s'],
    ],
  ]);
});
