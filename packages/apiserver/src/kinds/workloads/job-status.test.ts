import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { changeRefusal, created, type Fields, job, updated } from './samples.cases.ts';

const start = '2024-01-01T00:00:00Z';
const end = '2024-01-02T00:00:00Z';
const met = { type: 'SuccessCriteriaMet', status: 'True' };
const complete = { type: 'Complete', status: 'True' };
const failed = { type: 'Failed', status: 'True' };

// Expected texts are those of kube-apiserver 1.34 for the same objects.
describe('status of jobs', () => {
  for (const { title, from = {}, to, errors } of [
    { title: 'pods may be counted', to: { startTime: start, active: 2, ready: 1 }, errors: [] },
    {
      title: 'counts make sense',
      to: {
        active: -1,
        ready: 5,
        uncountedTerminatedPods: { succeeded: ['a', 'a', ''], failed: ['a'] },
      },
      errors: [
        'status.active: Invalid value: -1: must be greater than or equal to 0',
        'status.uncountedTerminatedPods.succeeded[1]: Duplicate value: "a"',
        'status.uncountedTerminatedPods.succeeded[2]: Invalid value: "": must not be empty',
        'status.uncountedTerminatedPods.failed[0]: Duplicate value: "a"',
        'status.ready: Invalid value: 5: cannot set more ready pods than active',
      ],
    },
    {
      title: 'a job ends properly',
      from: { startTime: start },
      to: { startTime: start, completionTime: end, conditions: [met, complete] },
      errors: [],
    },
    {
      title: 'a job does not end both ways, nor without saying when',
      to: { active: 1, conditions: [complete, failed, met] },
      errors: [
        'status.conditions: Invalid value: cannot set Complete=True and Failed=true conditions',
        'status.completionTime: Required value: completionTime is required for Complete jobs',
        'status.conditions: Invalid value: cannot set Failed=True condition without the FailureTarget=true condition',
        'status.active: Invalid value: 1: active>0 is invalid for finished job',
        'status.startTime: Required value: startTime is required for finished job',
        'status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and Failed=true conditions',
      ],
    },
    {
      title: 'a job does not end before it began',
      to: { startTime: end, completionTime: start },
      errors: [
        `status.completionTime: Invalid value: "${start}": cannot set completionTime when there is no Complete=True condition`,
        `status.completionTime: Invalid value: "${start}": must be equal to or after \`startTime\``,
      ],
    },
    {
      title: 'what has been counted stays counted',
      from: { startTime: start, failed: 2, succeeded: 1 },
      to: { failed: 1 },
      errors: [
        'status.failed: Invalid value: 1: cannot decrease the failed counter',
        'status.succeeded: Invalid value: 0: cannot decrease the succeeded counter',
        'status.startTime: Required value: startTime cannot be removed for unsuspended job',
      ],
    },
    {
      title: 'an end is final',
      from: { startTime: start, completionTime: end, conditions: [met, complete] },
      to: { startTime: start, completionTime: '2024-01-03T00:00:00Z' },
      errors: [
        'status.completionTime: Invalid value: "2024-01-03T00:00:00Z": cannot set completionTime when there is no Complete=True condition',
        'status.conditions: Invalid value: cannot disable the terminal Complete=True condition',
        'status.completionTime: Invalid value: "2024-01-03T00:00:00Z": field is immutable',
        'status.conditions: Invalid value: cannot disable the SuccessCriteriaMet=True condition',
      ],
    },
    {
      title: 'only Indexed jobs have indexes',
      to: { completedIndexes: '1', failedIndexes: '1' },
      errors: [
        'status.completedIndexes: Invalid value: "1": error parsing completedIndexes: too large index: "1"',
        'status.completedIndexes: Invalid value: "1": cannot set non-empty completedIndexes when non-indexed completion mode',
        'status.failedIndexes: Invalid value: "1": cannot set non-null failedIndexes when backoffLimitPerIndex is null',
      ],
    },
  ]) {
    test(title, () => {
      assert.deepEqual(refused({}, from, to), errors);
    });
  }

  test('no index both fails and succeeds', () => {
    const spec = { completionMode: 'Indexed', completions: 9, backoffLimitPerIndex: 1 };

    assert.deepEqual(refused(spec, {}, { completedIndexes: '0-2,5', failedIndexes: '3,5-6' }), [
      'status.failedIndexes: Invalid value: "3,5-6": failedIndexes and completedIndexes overlap at index: 5',
    ]);
  });
});

function refused(spec: Fields, from: Fields, to: Fields): string[] {
  const old = { ...created(job(spec)), status: from };
  return changeRefusal(old, updated(old, { status: to }, 'status'), 'status');
}
