import { test } from 'node:test';
import { kindTester } from '../core/kind-tester.cases.ts';

const leases = kindTester('coordination.k8s.io/v1/Lease');

test('leases that break a rule are refused in the words of a real server', () => {
  leases.refuses([
    [
      { spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } },
      [
        'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
        'spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0',
      ],
    ],
  ]);
});

test('leases change only as far as a real server lets them', () => {
  leases.plays([
    {
      object: {
        spec: { holderIdentity: 'x', leaseDurationSeconds: 1, strategy: 'x', preferredHolder: 'y' },
      },
      steps: [
        {
          set: 'spec/leaseDurationSeconds',
          to: 0,
          errors: ['spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0'],
        },
      ],
    },
  ]);
});

test('leases are stored with the defaults of a real server', () => {
  leases.stores([
    [{}, { spec: {} }],
    [
      {
        spec: { holderIdentity: 'x', leaseDurationSeconds: 1, strategy: 'x', preferredHolder: 'y' },
      },
      { spec: { holderIdentity: 'x', leaseDurationSeconds: 1 } },
    ],
  ]);
});

test('leases have the cells of a real server', () => {
  leases.shows([
    [{}, ['x', '', '0s']],
    [
      {
        spec: { holderIdentity: 'x', leaseDurationSeconds: 1, strategy: 'x', preferredHolder: 'y' },
      },
      ['x', 'x', '0s'],
    ],
  ]);
});
