import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Condition } from '@flotilla/runtime';
import { type PhaseInput, phaseOf } from './phase.ts';

const conditions = (all: Readonly<Record<string, string>>): Condition[] =>
  Object.entries(all).map(([type, said]) => {
    const [status = '', reason = ''] = said.split(' ');
    const lastTransitionTime = '2026-01-01T00:00:00Z';
    return { type, status: status as Condition['status'], reason, message: '', lastTransitionTime };
  });

const WELL = {
  SourceResolved: 'True SecretResolved',
  CredentialValid: 'True TokenVerified',
  APIServerReachable: 'True ConnectionSuccessful',
  ClusterRegistered: 'True SecretCreated',
};

function phase(all: Readonly<Record<string, string>>, input: Partial<PhaseInput> = {}): string {
  return phaseOf({
    conditions: conditions(all),
    isDeleting: false,
    isSuspended: false,
    phase: undefined,
    registeredName: undefined,
    wantedName: 'one',
    ...input,
  });
}

const registered = { registeredName: 'one' };

describe('the phase', () => {
  test('is Deleting whatever else holds', () => {
    assert.equal(phase(WELL, { ...registered, isDeleting: true, isSuspended: true }), 'Deleting');
  });

  test('stays as it was while suspended', () => {
    assert.equal(phase(WELL, { isSuspended: true, phase: 'Degraded' }), 'Degraded');
    assert.equal(phase({}, { isSuspended: true }), 'Pending');
  });

  test('is Pending while a cluster that never was registered waits for an input', () => {
    for (const reason of [
      'SecretNotFound',
      'ExternalSecretNotReady',
      'ExternalSecretsNotInstalled',
    ]) {
      assert.equal(phase({ SourceResolved: `False ${reason}` }), 'Pending');
    }
    assert.equal(phase({ ...WELL, ClusterRegistered: 'False AwaitingAcceptance' }), 'Pending');
    assert.equal(phase({ ...WELL, ClusterRegistered: 'False HubNotReady' }), 'Pending');
  });

  test('is Failed when the last attempt was refused', () => {
    assert.equal(phase({ SourceResolved: 'False KubeconfigInvalid' }), 'Failed');
    assert.equal(phase({ CredentialValid: 'False Unauthorized' }), 'Failed');
    assert.equal(phase({ APIServerReachable: 'False Timeout' }), 'Failed');
    assert.equal(phase({ ...WELL, ClusterRegistered: 'False NameConflict' }), 'Failed');
  });

  test('is Progressing during the first attempt', () => {
    assert.equal(phase({}), 'Progressing');
    assert.equal(phase({ SourceResolved: 'True SecretResolved' }), 'Progressing');
  });

  test('is Ready when registered and well, also where the spec waives a check', () => {
    assert.equal(phase(WELL, registered), 'Ready');
    const waived = { ...WELL, CredentialValid: 'Unknown ValidationSkipped' };
    assert.equal(
      phase({ ...waived, APIServerReachable: 'Unknown HeartbeatDisabled' }, registered),
      'Ready',
    );
    assert.equal(phase({ ...WELL, NamespaceCreated: 'False Forbidden' }, registered), 'Ready');
  });

  test('is never Failed once registered, but Degraded', () => {
    for (const [type, reason] of [
      ['SourceResolved', 'SecretNotFound'],
      ['SourceResolved', 'KubeconfigInvalid'],
      ['CredentialValid', 'Unauthorized'],
      ['APIServerReachable', 'DialFailed'],
      ['ClusterRegistered', 'DriftLoop'],
      ['ClusterRegistered', 'NameConflict'],
    ] as const) {
      assert.equal(phase({ ...WELL, [type]: `False ${reason}` }, registered), 'Degraded', reason);
    }
    const expired = { ...WELL, CredentialExpiring: 'True Expired' };
    assert.equal(phase(expired, registered), 'Degraded');
    assert.equal(phase({ ...WELL, CredentialExpiring: 'True ExpiresSoon' }, registered), 'Ready');
  });

  test('is Progressing while a cluster gets another name, even one it cannot have', () => {
    const renaming = { registeredName: 'one', wantedName: 'two' };
    assert.equal(phase(WELL, renaming), 'Progressing');
    for (const reason of ['RenameBlocked', 'NameConflict', 'HubNotReady']) {
      assert.equal(
        phase({ ...WELL, ClusterRegistered: `False ${reason}` }, renaming),
        'Progressing',
      );
    }
    assert.equal(phase({ ...WELL, APIServerReachable: 'False Timeout' }, renaming), 'Degraded');
  });

  test('is Progressing while a member that nobody tried has not answered yet', () => {
    const untried = { ...WELL, APIServerReachable: 'Unknown NotChecked' };
    assert.equal(phase(untried, registered), 'Progressing');
  });
});
