import type { ClusterRegistration, ClusterRegistrationStatus } from '@flotilla/api';
import { deepEqual, formatTime, type Json } from '@flotilla/machinery';
import { type DeriveFacts, findCondition } from '@flotilla/runtime';
import { GATES, phaseOf } from './phase.ts';
import { REQUESTED_AT_ANNOTATION, wantedName } from './types.ts';

/** As the schema has it. */
const LONGEST_MESSAGE = 1024;
const LONGEST_REQUEST = 64;

/**
 * Fills in what follows from the rest of a status: the phase, what is wrong, and when somebody last had anything to say.
 * A pass that found nothing new leaves the time alone, so that it writes nothing.
 */
export function deriveStatus(draft: Json, facts: DeriveFacts): void {
  const registration = facts.observed as ClusterRegistration;
  const status = draft as ClusterRegistrationStatus;
  status.phase = phaseOf({
    ...facts,
    phase: status.phase,
    registeredName: status.registeredName,
    wantedName: wantedName(registration),
  });
  const asked = registration.metadata.annotations?.[REQUESTED_AT_ANNOTATION];
  // Whoever asked sees that this is the answer, also where it is the same as before.
  if (asked !== undefined) status.lastHandledRequest = asked.slice(0, LONGEST_REQUEST);
  const ready = findCondition(facts.conditions, 'Ready');
  const isWrong = status.phase === 'Failed' || status.phase === 'Degraded';
  if (isWrong && ready !== undefined) status.message = problemIn(facts, ready.message);
  else delete status.message;
  if (!deepEqual(withoutTime(status), withoutTime(registration.status ?? {}))) {
    status.lastReconcileTime = formatTime(facts.now);
  }
}

function problemIn({ conditions }: DeriveFacts, fallback: string): string {
  const expiring = findCondition(conditions, 'CredentialExpiring');
  const isReady = findCondition(conditions, 'Ready')?.status === 'True';
  const unmet = conditions.find(({ type, status }) => status === 'False' && GATES.includes(type));
  const text =
    isReady && expiring?.status === 'True' ? expiring.message : (unmet?.message ?? fallback);
  return text.slice(0, LONGEST_MESSAGE);
}

function withoutTime(status: ClusterRegistrationStatus): object {
  const { lastReconcileTime, ...rest } = status;
  return lastReconcileTime === undefined ? status : rest;
}
