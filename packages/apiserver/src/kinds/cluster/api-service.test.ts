import { test } from 'node:test';
import { kindTester } from '../core/kind-tester.cases.ts';

const apiServices = kindTester('apiregistration.k8s.io/v1/APIService');

test('API services that break a rule are refused in the words of a real server', () => {
  apiServices.refuses([
    [
      { metadata: { name: 'x' }, spec: {} },
      [
        'metadata.name: Invalid value: "x": must be `spec.version+"."+spec.group`: "."',
        'spec.group: Required value: only v1 may have an empty group and it better be legacy kube',
        "spec.version: Invalid value: \"\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
        'spec.groupPriorityMinimum: Invalid value: 0: must be positive and less than 20000',
        'spec.versionPriority: Invalid value: 0: must be positive and less than 1000',
      ],
    ],
    [
      {
        metadata: { name: 'V.A' },
        spec: {
          group: 'A',
          version: 'V',
          groupPriorityMinimum: 30000,
          versionPriority: 3000,
          caBundle: 'YQ==',
          insecureSkipTLSVerify: true,
        },
      },
      [
        "spec.group: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        "spec.version: Invalid value: \"V\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
        'spec.groupPriorityMinimum: Invalid value: 30000: must be positive and less than 20000',
        'spec.versionPriority: Invalid value: 3000: must be positive and less than 1000',
        'spec.caBundle: Invalid value: "1 bytes": local APIServices may not have a caBundle',
        'spec.insecureSkipTLSVerify: Invalid value: true: local APIServices may not have insecureSkipTLSVerify',
      ],
    ],
    [
      {
        metadata: { name: 'v1.a.c' },
        spec: {
          group: 'a.c',
          version: 'v1',
          groupPriorityMinimum: 1,
          versionPriority: 1,
          service: { port: 70000 },
          caBundle: 'YQ==',
          insecureSkipTLSVerify: true,
        },
      },
      [
        'spec.service.namespace: Required value',
        'spec.service.name: Required value',
        'spec.service.port: Invalid value: 70000: port is not valid: must be between 1 and 65535, inclusive',
        'spec.insecureSkipTLSVerify: Invalid value: true: may not be true if caBundle is present',
      ],
    ],
  ]);
});

test('API services are stored with the defaults of a real server', () => {
  apiServices.stores([
    [
      {
        metadata: { name: 'v1.a.b' },
        spec: {
          group: 'a.b',
          version: 'v1',
          groupPriorityMinimum: 1,
          versionPriority: 1,
          service: { namespace: 'a', name: 'b' },
        },
      },
      {
        spec: {
          service: { namespace: 'a', name: 'b', port: 443 },
          group: 'a.b',
          version: 'v1',
          groupPriorityMinimum: 1,
          versionPriority: 1,
        },
        status: {},
      },
    ],
    [
      {
        metadata: { name: 'v1.a.d' },
        spec: { group: 'a.d', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
      },
      {
        spec: { group: 'a.d', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
        status: {
          conditions: [
            {
              type: 'Available',
              status: 'True',
              lastTransitionTime: '2026-01-02T03:04:05Z',
              reason: 'Local',
              message: 'Local APIServices are always available',
            },
          ],
        },
      },
    ],
  ]);
});

test('API services have the cells of a real server', () => {
  apiServices.shows([
    [
      {
        metadata: { name: 'v1.a.d' },
        spec: { group: 'a.d', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
      },
      ['v1.a.d', 'Local', 'True', '0s'],
    ],
  ]);
});
