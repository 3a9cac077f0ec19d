import type { EventNote, Transition } from '@flotilla/runtime';

/** Conditions whose True is the bad news. */
const ABNORMAL = new Set(['CredentialExpiring', 'Suspended', 'DuplicateCluster']);

/**
 * What users hear of a pass. A cluster that joins or recovers is one event, not one for every condition that now holds;
 * whatever begins to be wrong is one each.
 */
export function registrationNotes(transitions: readonly Transition[]): EventNote[] {
  const news = transitions.filter(({ after }) => !isProgress(after.type)).filter(isNews);
  const isRegistered = news.some(({ after }) => after.reason === 'Registered');
  const domain = news.filter(
    ({ after }) => after.type !== 'Ready' && (isBad(after) || !isRegistered),
  );
  const told = new Set(domain.map(({ after }) => after.reason));
  const ready = news.filter(({ after }) => after.type === 'Ready' && !told.has(after.reason));
  return [...domain, ...ready].map(({ after }) => ({
    type: isBad(after) ? 'Warning' : 'Normal',
    reason: after.reason,
    action: after.type,
    note: after.message === '' ? after.reason : after.message,
  }));
}

function isNews({ before, after }: Transition): boolean {
  if (after.type === 'Ready') return after.reason === 'Registered' || after.status === 'False';
  if (before === undefined) return isBad(after);
  // Of one good reason for another, or of nobody knowing, there is nothing to tell.
  return isBad(after) || wasBad(before, after);
}

function wasBad(before: Transition['after'], after: Transition['after']): boolean {
  return isBad(before) && after.status !== 'Unknown';
}

function isBad({ type, status }: Transition['after']): boolean {
  return status === (ABNORMAL.has(type) ? 'True' : 'False');
}

function isProgress(type: string): boolean {
  return type === 'Reconciling' || type === 'Stalled';
}
