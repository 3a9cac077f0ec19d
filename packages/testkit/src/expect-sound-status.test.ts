import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KubeObject } from '@flotilla/machinery';
import { expectSoundStatus, statusProblems } from './expect-sound-status.ts';

const DECLARED = {
  CredentialValid: ['Verified', 'Rejected', 'NotTried'],
  Reachable: { reasons: ['Answers', 'NotChecked', 'Disabled'], skips: ['Disabled'] },
  NamespaceCreated: { reasons: ['Created', 'Forbidden'], gatesReady: false },
} as const;

describe('expectSoundStatus', () => {
  test('has nothing against a status that agrees with itself', () => {
    const ready = object([
      condition('Ready', 'True', 'Succeeded'),
      condition('CredentialValid', 'True', 'Verified'),
      condition('NamespaceCreated', 'False', 'Forbidden'),
    ]);
    const working = object([
      condition('Ready', 'False', 'Rejected', { observedGeneration: 1 }),
      condition('Reconciling', 'True', 'Progressing'),
    ]);

    const skipped = object([
      condition('Ready', 'True', 'Succeeded'),
      condition('CredentialValid', 'Unknown', 'NotTried'),
      condition('Reachable', 'Unknown', 'Disabled'),
    ]);

    expectSoundStatus(ready, DECLARED);
    expectSoundStatus(skipped, DECLARED);
    expectSoundStatus(working, DECLARED);
  });

  test('knows the words a kind has for Ready', () => {
    const registered = object([condition('Ready', 'True', 'Registered')]);

    expectSoundStatus(registered, DECLARED, { reason: 'Registered' });
    assert.deepEqual(statusProblems(registered, DECLARED), [
      'Ready has the undeclared reason "Registered"',
    ]);
  });

  const unsound: [string, object[], string][] = [
    ['without a summary', [condition('CredentialValid', 'True', 'Verified')], 'no Ready condition'],
    [
      'that is Ready and Stalled',
      [condition('Ready', 'True', 'Succeeded'), condition('Stalled', 'True', 'Rejected')],
      'Ready and Stalled',
    ],
    [
      'that is Ready and Reconciling',
      [condition('Ready', 'True', 'Succeeded'), condition('Reconciling', 'True', 'Progressing')],
      'Ready and Reconciling',
    ],
    [
      'that is Reconciling and Stalled',
      [
        condition('Ready', 'False', 'Failed'),
        condition('Reconciling', 'True', 'Progressing'),
        condition('Stalled', 'True', 'Rejected'),
      ],
      'Reconciling and Stalled',
    ],
    [
      'that keeps a Stalled that is over',
      [condition('Ready', 'False', 'Failed'), condition('Stalled', 'False', 'Failed')],
      'Stalled is there but False',
    ],
    [
      'with a reason nobody declared',
      [condition('Ready', 'False', 'Failed'), condition('CredentialValid', 'False', 'Whatever')],
      'CredentialValid has the undeclared reason "Whatever"',
    ],
    [
      'with a condition nobody declared',
      [condition('Ready', 'False', 'Failed'), condition('Extra', 'True', 'Verified')],
      'Extra is not declared',
    ],
    [
      'with a condition twice',
      [condition('Ready', 'False', 'Failed'), condition('Ready', 'False', 'Failed')],
      'two Ready conditions',
    ],
    [
      'from the future',
      [condition('Ready', 'False', 'Failed', { observedGeneration: 3 })],
      'Ready observed a generation after 2',
    ],
    [
      'that is Ready while a condition does not hold',
      [condition('Ready', 'True', 'Succeeded'), condition('CredentialValid', 'False', 'Rejected')],
      'Ready, but CredentialValid is False (Rejected)',
    ],
    [
      'that is Ready while nobody knows, unasked',
      [condition('Ready', 'True', 'Succeeded'), condition('Reachable', 'Unknown', 'NotChecked')],
      'Ready, but Reachable is Unknown (NotChecked)',
    ],
    [
      'that is Ready by what was true of an older generation',
      [
        condition('Ready', 'True', 'Succeeded'),
        condition('CredentialValid', 'True', 'Verified', { observedGeneration: 1 }),
      ],
      'Ready, but CredentialValid is of another generation',
    ],
  ];
  for (const [what, conditions, problem] of unsound) {
    test(`refuses a status ${what}`, () => {
      assert.deepEqual(statusProblems(object(conditions), DECLARED), [problem]);
      assert.throws(() => expectSoundStatus(object(conditions), DECLARED), /has no sound status/);
    });
  }

  test('refuses to be Ready while the status lags behind, or runs ahead', () => {
    const ready = [condition('Ready', 'True', 'Succeeded')];

    assert.deepEqual(statusProblems(object(ready, 1), DECLARED), [
      'Ready, but of generation 1 instead of 2',
    ]);
    assert.deepEqual(statusProblems(object(ready, 3), DECLARED), ['observed generation 3 of 2']);
  });
});

function condition(type: string, status: string, reason: string, more: object = {}): object {
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  return { type, status, reason, message: '', lastTransitionTime, observedGeneration: 2, ...more };
}

function object(conditions: object[], observedGeneration = 2): KubeObject {
  return {
    apiVersion: 'example.dev/v1',
    kind: 'Thing',
    metadata: { name: 'a', generation: 2 },
    status: { observedGeneration, conditions },
  };
}
