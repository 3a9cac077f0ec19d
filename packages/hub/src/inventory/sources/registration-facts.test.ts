import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ClusterRegistration, ClusterRegistrationStatus } from '@flotilla/api';
import { registrationFacts } from './registration-facts.ts';

describe('the health of a registration', () => {
  const reachable = {
    type: 'APIServerReachable',
    status: 'True' as const,
    reason: 'ConnectionSuccessful',
    message: 'Answers',
    lastTransitionTime: '',
  };
  for (const [status, expected] of [
    [{ phase: 'Ready' }, 'True/Registered'],
    [{ phase: 'Degraded' }, 'False/Degraded'],
    [{ phase: 'Failed' }, 'False/Failed'],
    [{ phase: 'Pending' }, 'Unknown/Pending'],
    [{}, 'Unknown/NotObserved'],
    [{ phase: 'Progressing' }, 'Unknown/Progressing'],
    [
      { phase: 'Progressing', registeredName: 'west', conditions: [reachable] },
      'True/ConnectionSuccessful',
    ],
    [
      { phase: 'Degraded', conditions: [{ ...reachable, type: 'Ready', reason: 'Timeout' }] },
      'False/Timeout',
    ],
  ] as const) {
    test(`in ${JSON.stringify(status).slice(0, 60)} is ${expected}`, () => {
      const { health } = registrationFacts(of(status as ClusterRegistrationStatus), undefined);

      assert.equal(`${health.status}/${health.reason}`, expected);
    });
  }

  test('is not known while it is suspended or deleted', () => {
    const suspended = registrationFacts(of({ phase: 'Ready' }, { suspend: true }), undefined);
    const registration = of({ phase: 'Ready' });
    registration.metadata.deletionTimestamp = '2026-01-01T00:00:00Z';
    const deleted = registrationFacts(registration, undefined);

    assert.deepEqual([suspended.health.reason, deleted.health.reason], ['Suspended', 'Deleting']);
    assert.deepEqual([suspended.health.status, deleted.health.status], ['Unknown', 'Unknown']);
  });
});

function of(status: ClusterRegistrationStatus, spec: object = {}): ClusterRegistration {
  return {
    apiVersion: 'multicluster.oam.dev/v1alpha1',
    kind: 'ClusterRegistration',
    metadata: { name: 'west', namespace: 'fleet' },
    spec: spec as ClusterRegistration['spec'],
    status,
  };
}
