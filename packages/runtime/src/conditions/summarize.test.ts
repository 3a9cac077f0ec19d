import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Condition } from './condition.ts';
import type { ConditionSet } from './condition-set.ts';
import { type Ending, summarize } from './summarize.ts';

const set = {
  First: ['Fine', 'Broken', 'NotTried', 'Lost'],
  Informative: { reasons: ['Told', 'Untold'], gatesReady: false },
  Second: ['Fine', 'Broken'],
  Third: { reasons: ['Fine', 'Disabled', 'Waived', 'NotTried'], skips: ['Disabled', 'Waived'] },
} as const satisfies ConditionSet;

describe('the summary', () => {
  test('is True when every condition that counts holds, was skipped on request, or was not set', () => {
    assert.deepEqual(ready({}), ['True', 'Succeeded']);
    assert.deepEqual(ready({ First: ['True', 'Fine'], Second: ['True', 'Fine'] }), [
      'True',
      'Succeeded',
    ]);
    assert.deepEqual(ready({ First: ['Unknown', 'NotTried'] }), ['True', 'Succeeded']);
    assert.deepEqual(ready({ Informative: ['False', 'Untold'] }), ['True', 'Succeeded']);
  });

  test('is True beside any Unknown whose reason the set counts as skipped, and beside no other', () => {
    assert.deepEqual(ready({ Third: ['Unknown', 'Disabled'] }), ['True', 'Succeeded']);
    assert.deepEqual(ready({ Third: ['Unknown', 'Waived'] }), ['True', 'Succeeded']);
    // A set that names its skips has no others, and only Unknown can be one.
    assert.deepEqual(ready({ Third: ['Unknown', 'NotTried'] }), ['Unknown', 'NotTried']);
    assert.deepEqual(ready({ Third: ['False', 'Disabled'] }), ['False', 'Disabled']);
  });

  test('is what the first obstacle in declared order says', () => {
    assert.deepEqual(ready({ Second: ['False', 'Broken'], First: ['Unknown', 'Lost'] }), [
      'Unknown',
      'Lost',
    ]);
    assert.deepEqual(ready({ First: ['True', 'Fine'], Second: ['False', 'Broken'] }), [
      'False',
      'Broken',
    ]);
  });

  test('never has Reconciling and Stalled together, nor either with Ready', () => {
    const endings: Ending[] = [
      { how: 'done' },
      { how: 'suspended' },
      { how: 'failed', message: 'm' },
      { how: 'waiting', reason: 'Broken', message: 'm' },
      { how: 'stalled', reason: 'Broken', message: 'm' },
    ];
    const states: Record<string, [Condition['status'], string]>[] = [
      {},
      { First: ['False', 'Broken'] },
      { First: ['Unknown', 'NotTried'] },
    ];
    for (const ending of endings) {
      for (const state of states) {
        const summary = summarize(set, getter(state), { ending });
        const isBusy = summary.reconciling !== undefined;
        const isStalled = summary.stalled !== undefined;
        assert.ok(!(isBusy && isStalled));
        assert.ok(summary.ready.status !== 'True' || (!isBusy && !isStalled));
      }
    }
  });

  test('says why after each way to end early', () => {
    assert.deepEqual(ready({}, { how: 'failed', message: 'm' }), ['False', 'Failed']);
    assert.deepEqual(ready({}, { how: 'suspended' }), ['Unknown', 'Suspended']);
    assert.deepEqual(
      ready(
        { Informative: ['False', 'Untold'] },
        { how: 'waiting', reason: 'Untold', message: '' },
      ),
      ['False', 'Untold'],
    );
  });

  test('has the words of the kind when all is well', () => {
    const text = { reason: 'Registered', message: 'Joined' };
    const summary = summarize(set, getter({}), { ending: { how: 'done' }, text });
    assert.deepEqual(summary.ready, {
      type: 'Ready',
      status: 'True',
      reason: 'Registered',
      message: 'Joined',
    });
  });
});

function ready(
  state: Record<string, [Condition['status'], string]>,
  ending: Ending = { how: 'done' },
): [string, string] {
  const { status, reason } = summarize(set, getter(state), { ending }).ready;
  return [status, reason];
}

function getter(state: Record<string, [Condition['status'], string]>) {
  return (type: string): Condition | undefined => {
    const found = state[type];
    if (found === undefined) return undefined;
    const [status, reason] = found;
    return { type, status, reason, message: '', lastTransitionTime: '2026-01-01T00:00:00Z' };
  };
}
