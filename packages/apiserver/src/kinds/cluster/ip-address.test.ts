import { test } from 'node:test';
import { kindTester } from '../core/kind-tester.cases.ts';

const ipAddresses = kindTester('networking.k8s.io/v1/IPAddress');

test('addresses in use change only as far as a real server lets them', () => {
  ipAddresses.plays([
    {
      object: {
        metadata: { name: '10.9.9.9' },
        spec: { parentRef: { resource: 'services', name: 'a', namespace: 'b' } },
      },
      steps: [
        {
          set: 'spec/parentRef/name',
          to: 'z',
          errors: [
            'spec.parentRef: Invalid value: {"Group":"","Resource":"services","Namespace":"b","Name":"z"}: field is immutable',
          ],
        },
      ],
    },
  ]);
});

test('addresses in use have the cells of a real server', () => {
  ipAddresses.shows([
    [
      {
        metadata: { name: '10.9.9.9' },
        spec: { parentRef: { resource: 'services', name: 'a', namespace: 'b' } },
      },
      ['10.9.9.9', 'services/b/a', '0s'],
    ],
  ]);
});
