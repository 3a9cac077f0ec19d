import { test } from 'node:test';
import { kindTester } from './kind-tester.cases.ts';

const serviceAccounts = kindTester('/v1/ServiceAccount');

test('service accounts change only as far as a real server lets them', () => {
  serviceAccounts.plays([
    {
      object: {
        metadata: { annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' } },
        secrets: [{ name: 'a', namespace: 'b', kind: 'c' }, {}],
        imagePullSecrets: [{ name: 'x' }],
      },
      steps: [{ set: 'secrets', to: [{ name: 'q', uid: 'z' }] }],
    },
  ]);
});

test('service accounts are stored with the defaults of a real server', () => {
  serviceAccounts.stores([
    [
      {
        metadata: { annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' } },
        secrets: [{ name: 'a', namespace: 'b', kind: 'c' }, {}],
        imagePullSecrets: [{ name: 'x' }],
      },
      { secrets: [{ name: 'a' }, {}], imagePullSecrets: [{ name: 'x' }] },
    ],
  ]);
});

test('service accounts are warned about as a real server does', () => {
  serviceAccounts.warns([
    [
      {
        metadata: { annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' } },
        secrets: [{ name: 'a', namespace: 'b', kind: 'c' }, {}],
        imagePullSecrets: [{ name: 'x' }],
      },
      [
        'metadata.annotations[kubernetes.io/enforce-mountable-secrets]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets',
      ],
    ],
  ]);
});

test('service accounts have the cells of a real server', () => {
  serviceAccounts.shows([
    [
      {
        metadata: { annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' } },
        secrets: [{ name: 'a', namespace: 'b', kind: 'c' }, {}],
        imagePullSecrets: [{ name: 'x' }],
      },
      ['x', 2, '0s'],
    ],
  ]);
});
