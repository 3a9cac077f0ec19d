import type { ClusterRegistrationStatus } from '@flotilla/api';
import type { Condition } from '@flotilla/runtime';
import { findCondition } from '@flotilla/runtime';

/** A summary of a registration for people. */
export type Phase = NonNullable<ClusterRegistrationStatus['phase']>;

/** What a phase is derived from, and nothing else. */
export interface PhaseInput {
  readonly conditions: readonly Condition[];
  readonly isDeleting: boolean;
  readonly isSuspended: boolean;
  /** As it was before. */
  readonly phase: Phase | undefined;
  /** The name the cluster has now; undefined while it was never registered. */
  readonly registeredName: string | undefined;
  readonly wantedName: string;
}

/** Reasons that only wait for an input: nothing was refused. */
const WAITING = new Set([
  'SecretNotFound',
  'KeyNotFound',
  'ExternalSecretsNotInstalled',
  'ExternalSecretNotFound',
  'ExternalSecretNotReady',
  'TargetSecretMissing',
  'HubNotReady',
  'AwaitingAcceptance',
]);

/** A cluster that works under its old name is no worse for a new one that cannot be given to it yet. */
const RENAMING = new Set([
  'RenameBlocked',
  'NameConflict',
  'NotAdoptable',
  'SecretImmutable',
  'HubNotReady',
  'WriteFailed',
]);

/** What a cluster has to have to be registered and well, in order. */
export const GATES: readonly string[] = [
  'SourceResolved',
  'CredentialValid',
  'APIServerReachable',
  'ClusterRegistered',
];

/**
 * Sums a registration up in a word; the first that applies wins. A registered cluster is never Failed: its last good
 * credential stays in use whatever becomes of the next one.
 */
export function phaseOf(input: PhaseInput): Phase {
  const { conditions, registeredName } = input;
  if (input.isDeleting) return 'Deleting';
  if (input.isSuspended) return input.phase ?? 'Pending';
  const unmet = GATES.flatMap((type) => {
    const condition = findCondition(conditions, type);
    return condition?.status === 'False' ? [condition] : [];
  });
  if (registeredName === undefined) {
    if (unmet.length === 0) return 'Progressing';
    return unmet.every(({ reason }) => WAITING.has(reason)) ? 'Pending' : 'Failed';
  }
  const isRenaming = registeredName !== input.wantedName;
  const isWorse = ({ type, reason }: Condition) =>
    !(type === 'ClusterRegistered' && isRenaming && RENAMING.has(reason));
  if (unmet.some(isWorse) || hasExpired(conditions)) return 'Degraded';
  const reachable = findCondition(conditions, 'APIServerReachable');
  const isUntried = reachable?.status === 'Unknown' && reachable.reason === 'NotChecked';
  return isRenaming || isUntried ? 'Progressing' : 'Ready';
}

function hasExpired(conditions: readonly Condition[]): boolean {
  const expiring = findCondition(conditions, 'CredentialExpiring');
  return expiring?.status === 'True' && expiring.reason === 'Expired';
}
