import { summaryTypes } from '../conditions/condition.ts';
import type { Transition } from '../conditions/ledger.ts';
import type { EventNote } from './recorder.ts';

/**
 * What users hear of a pass: each domain condition whose status or reason changed, and Ready where no domain condition
 * says the same. A condition that does not hold is a warning; one that nobody knows about is not.
 */
export function transitionNotes(transitions: readonly Transition[]): EventNote[] {
  const domain = transitions.filter(({ after }) => !isSummary(after.type));
  const told = new Set(domain.map(({ after }) => after.reason));
  const ready = transitions.filter(
    ({ after }) => after.type === 'Ready' && !told.has(after.reason),
  );
  return [...domain, ...ready].map(({ after }) => ({
    type: after.status === 'False' ? 'Warning' : 'Normal',
    reason: after.reason,
    action: after.type,
    note: after.message === '' ? after.reason : after.message,
  }));
}

function isSummary(type: string): boolean {
  return (summaryTypes as readonly string[]).includes(type);
}
