import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Transition } from '@flotilla/runtime';
import { registrationNotes } from './notes.ts';

function change(type: string, before: string | undefined, after: string): Transition {
  const condition = (said: string) => {
    const [status = '', reason = ''] = said.split(' ');
    const lastTransitionTime = '2026-01-01T00:00:00Z';
    const known = { type, reason, message: `about ${reason}`, lastTransitionTime };
    return { ...known, status: status as Transition['after']['status'] };
  };
  return { before: before === undefined ? undefined : condition(before), after: condition(after) };
}

const told = (...transitions: Transition[]) =>
  registrationNotes(transitions).map(({ type, reason }) => `${type} ${reason}`);

describe('events of a registration', () => {
  test('are one when a cluster joins', () => {
    const notes = told(
      change('SourceResolved', undefined, 'True SecretResolved'),
      change('CredentialValid', undefined, 'True TokenVerified'),
      change('CredentialExpiring', undefined, 'False Fresh'),
      change('Suspended', undefined, 'False Active'),
      change('ApplicationsRefreshed', undefined, 'Unknown KubeVelaNotInstalled'),
      change('Ready', undefined, 'True Registered'),
    );
    assert.deepEqual(notes, ['Normal Registered']);
  });

  test('REG-53 are one each way when a member goes and comes back', () => {
    const gone = told(
      change('APIServerReachable', 'True ConnectionSuccessful', 'False DialFailed'),
      change('Ready', 'True Registered', 'False DialFailed'),
      change('Reconciling', undefined, 'True Progressing'),
    );
    assert.deepEqual(gone, ['Warning DialFailed']);
    const back = told(
      change('APIServerReachable', 'False DialFailed', 'True ConnectionSuccessful'),
      change('Ready', 'False DialFailed', 'True Registered'),
    );
    assert.deepEqual(back, ['Normal Registered']);
  });

  test('warn of what is bad although it is True', () => {
    const soon = change('CredentialExpiring', 'False Fresh', 'True ExpiresSoon');
    assert.deepEqual(told(soon), ['Warning ExpiresSoon']);
    const over = change('CredentialExpiring', 'True ExpiresSoon', 'False Fresh');
    assert.deepEqual(told(over), ['Normal Fresh']);
  });

  test('tell nothing of one good reason for another', () => {
    const rewritten = change('ClusterRegistered', 'True SecretCreated', 'True SecretUpdated');
    assert.deepEqual(told(rewritten), []);
  });
});
