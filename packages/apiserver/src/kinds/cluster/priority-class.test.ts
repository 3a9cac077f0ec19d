import { test } from 'node:test';
import { kindTester } from '../core/kind-tester.cases.ts';

const priorityClasses = kindTester('scheduling.k8s.io/v1/PriorityClass');

test('priority classes that break a rule are refused in the words of a real server', () => {
  priorityClasses.refuses([
    [
      { value: 1000000001 },
      ['value: Forbidden: maximum allowed value of a user defined priority is 1000000000'],
    ],
    [
      { value: 1, metadata: { name: 'system-foo' } },
      [
        "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-foo is not a known system priority class",
      ],
    ],
    [
      { value: 1, metadata: { name: 'system-node-critical' } },
      [
        "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: value of system-node-critical PriorityClass must be 2000001000",
      ],
    ],
    [
      { value: 1, preemptionPolicy: 'x', globalDefault: true },
      [
        'preemptionPolicy: Unsupported value: "x": supported values: "PreemptLowerPriority", "Never"',
      ],
    ],
    [{ value: 1, preemptionPolicy: '' }, ['preemptionPolicy: Required value']],
  ]);
});

test('priority classes change only as far as a real server lets them', () => {
  priorityClasses.plays([
    {
      object: { value: 100 },
      steps: [
        { set: 'value', to: 5, errors: ['value: Forbidden: may not be changed in an update.'] },
        {
          set: 'preemptionPolicy',
          to: 'Never',
          errors: ['preemptionPolicy: Invalid value: "Never": field is immutable'],
        },
        { set: 'description', to: 'x' },
      ],
    },
  ]);
});

test('priority classes are stored with the defaults of a real server', () => {
  priorityClasses.stores([
    [{ value: 100 }, { value: 100, preemptionPolicy: 'PreemptLowerPriority' }],
  ]);
});

test('priority classes have the cells of a real server', () => {
  priorityClasses.shows([
    [{ value: 100 }, ['x', 100, false, '0s', 'PreemptLowerPriority']],
    [{ value: 1, preemptionPolicy: 'Never', globalDefault: true }, ['x', 1, true, '0s', 'Never']],
  ]);
});
