import { test } from 'node:test';
import { kindTester } from '../core/kind-tester.cases.ts';

const csiDrivers = kindTester('storage.k8s.io/v1/CSIDriver');

test('storage drivers that break a rule are refused in the words of a real server', () => {
  csiDrivers.refuses([
    [
      {
        spec: {
          fsGroupPolicy: 'x',
          volumeLifecycleModes: ['y'],
          tokenRequests: [
            { audience: 'a' },
            { audience: 'a' },
            { audience: 'b', expirationSeconds: 1 },
            { audience: 'c', expirationSeconds: 5000000000 },
          ],
          nodeAllocatableUpdatePeriodSeconds: 1,
        },
      },
      [
        'spec.fsGroupPolicy: Unsupported value: "x": supported values: "File", "None", "ReadWriteOnceWithFSType"',
        'spec.tokenRequests[1].audience: Duplicate value: "a"',
        'spec.tokenRequests[2].expirationSeconds: Invalid value: 1: may not specify a duration less than 10 minutes',
        'spec.tokenRequests[3].expirationSeconds: Invalid value: 5000000000: may not specify a duration larger than 2^32 seconds',
        'spec.volumeLifecycleModes: Unsupported value: "y": supported values: "Persistent", "Ephemeral"',
      ],
    ],
  ]);
});

test('storage drivers change only as far as a real server lets them', () => {
  csiDrivers.plays([
    {
      object: { spec: {} },
      steps: [
        {
          set: 'spec/attachRequired',
          to: false,
          errors: ['spec.attachedRequired: Invalid value: false: field is immutable'],
        },
        { set: 'spec/requiresRepublish', to: true },
        {
          set: 'spec/volumeLifecycleModes',
          to: ['Ephemeral'],
          errors: ['spec.volumeLifecycleModes: Invalid value: ["Ephemeral"]: field is immutable'],
        },
      ],
    },
  ]);
});

test('storage drivers are stored with the defaults of a real server', () => {
  csiDrivers.stores([
    [
      { spec: {} },
      {
        spec: {
          attachRequired: true,
          podInfoOnMount: false,
          volumeLifecycleModes: ['Persistent'],
          storageCapacity: false,
          fsGroupPolicy: 'ReadWriteOnceWithFSType',
          requiresRepublish: false,
          seLinuxMount: false,
        },
      },
    ],
    [
      { spec: { tokenRequests: [{ audience: 'a' }, { audience: 'b' }] } },
      {
        spec: {
          attachRequired: true,
          podInfoOnMount: false,
          volumeLifecycleModes: ['Persistent'],
          storageCapacity: false,
          fsGroupPolicy: 'ReadWriteOnceWithFSType',
          tokenRequests: [{ audience: 'a' }, { audience: 'b' }],
          requiresRepublish: false,
          seLinuxMount: false,
        },
      },
    ],
  ]);
});

test('storage drivers have the cells of a real server', () => {
  csiDrivers.shows([
    [{ spec: {} }, ['x', true, false, false, '<unset>', false, 'Persistent', '0s']],
    [
      { spec: { tokenRequests: [{ audience: 'a' }, { audience: 'b' }] } },
      ['x', true, false, false, 'a,b', false, 'Persistent', '0s'],
    ],
  ]);
});
