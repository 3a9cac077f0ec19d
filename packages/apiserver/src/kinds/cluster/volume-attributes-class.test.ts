import { test } from 'node:test';
import { kindTester } from '../core/kind-tester.cases.ts';

const attributesClasses = kindTester('storage.k8s.io/v1/VolumeAttributesClass');

test('volume attributes classes that break a rule are refused in the words of a real server', () => {
  attributesClasses.refuses([
    [
      {},
      [
        'driverName: Required value',
        'parameters: Required value: must contain at least one key/value pair',
      ],
    ],
  ]);
});

test('volume attributes classes change only as far as a real server lets them', () => {
  attributesClasses.plays([
    {
      object: { driverName: 'a', parameters: { a: 'b' } },
      steps: [
        {
          set: 'driverName',
          to: 'b',
          errors: ['driverName: Forbidden: updates to driverName are forbidden.'],
        },
        {
          set: 'parameters',
          to: undefined,
          errors: [
            'parameters: Required value: must contain at least one key/value pair',
            'parameters: Forbidden: updates to parameters are forbidden.',
            'parameters: Required value: must contain at least one key/value pair',
          ],
        },
      ],
    },
  ]);
});

test('volume attributes classes have the cells of a real server', () => {
  attributesClasses.shows([[{ driverName: 'a', parameters: { a: 'b' } }, ['x', 'a', '0s']]]);
});
