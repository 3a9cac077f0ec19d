import type { OutcomeStatus } from './outcome.ts';

const FAILURES: ReadonlySet<OutcomeStatus> = new Set<OutcomeStatus>([
  'forbidden',
  'unauthorized',
  'unreachable',
  'timeout',
  'tls',
  'noaccess',
  'untrusted',
  'error',
]);

/** Whether a cluster let its user down; what it merely does not have counts only where all must have it. */
export function isFailure(status: OutcomeStatus, requireAll: boolean): boolean {
  return FAILURES.has(status) || (requireAll && status === 'absent');
}
