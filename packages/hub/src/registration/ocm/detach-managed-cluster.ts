import { isConflict, isNotFound } from '@flotilla/machinery';
import { OWNER_UID_ANNOTATION } from '../../cluster-secret/names.ts';
import { removeBootstrapAccount } from './bootstrap-account.ts';
import { type ManagedCluster, ManagedClusters } from './kinds.ts';
import { PROGRAM_MS } from './ocm-problem.ts';
import type { OcmClient } from './types.ts';

/** A member that is to leave. */
export interface OcmLeaving {
  readonly name: string;
  /** uid of the registration: what belongs to another stays. */
  readonly ownerUid: string;
  /** The annotation multicluster.oam.dev/force-detach: nothing is waited for. */
  readonly isForced: boolean;
  /** deletionTimestamp of the registration. */
  readonly deletedAt: Date;
  readonly now: () => Date;
}

/** Where leaving stands. */
export interface OcmDeparture {
  /** `Remaining`: wait and call again. `GivenUp`: it is still there, and nobody waits any longer. */
  readonly state: 'Gone' | 'Remaining' | 'GivenUp';
  readonly message: string;
  /** When to look again; there only while it is `Remaining`. */
  readonly retryAfterMs: number | undefined;
}

/** After which a registration goes although its ManagedCluster does not. */
const LONGEST_WAIT_MS = 10 * 60_000;

/**
 * Takes a member's ManagedCluster away, with the hub alone. What Open Cluster Management still has to clean up it does in
 * its own time; finalizers of others are never taken off. The agent on the member stays, and can do nothing any more.
 */
export async function detachManagedCluster(
  hub: OcmClient,
  leaving: OcmLeaving,
  signal: AbortSignal,
): Promise<OcmDeparture> {
  const { name, ownerUid } = leaving;
  const found = await read(hub, name, signal);
  const isOurs = found?.metadata.annotations?.[OWNER_UID_ANNOTATION] === ownerUid;
  if (found !== undefined && !isOurs) {
    return gone(`ManagedCluster "${name}" is not this registration's and stays`);
  }
  // First, so that an agent that is cut off cannot begin anew.
  await removeBootstrapAccount(hub, name, signal);
  if (found === undefined) return gone(`ManagedCluster "${name}" is gone`);
  if (found.metadata.deletionTimestamp === undefined) {
    const { uid } = found.metadata;
    try {
      const preconditions = uid === undefined ? {} : { uid };
      await hub.delete(ManagedClusters, { name }, { preconditions, signal });
    } catch (error) {
      // Another one of that name is not ours to delete.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }
  const left = await read(hub, name, signal);
  if (left === undefined || left.metadata.uid !== found.metadata.uid) {
    return gone(`ManagedCluster "${name}" is gone`);
  }
  return remaining(left, leaving);
}

function remaining(
  { metadata, status }: ManagedCluster,
  { name, isForced, deletedAt, now }: OcmLeaving,
): OcmDeparture {
  const deleting = status?.conditions?.find(({ type }) => type === 'Deleting');
  const what = deleting?.message ?? `finalizers ${(metadata.finalizers ?? []).join(', ')}`;
  const message = `${deleting?.reason ?? 'ResourceRemaining'}: ManagedCluster "${name}" is still there: ${what}`;
  // A clock that is far off in either direction must not hold anything up.
  const waitedMs = Math.abs(now().getTime() - deletedAt.getTime());
  if (isForced || waitedMs > LONGEST_WAIT_MS) {
    return { state: 'GivenUp', message, retryAfterMs: undefined };
  }
  return { state: 'Remaining', message, retryAfterMs: PROGRAM_MS };
}

async function read(
  hub: OcmClient,
  name: string,
  signal: AbortSignal,
): Promise<ManagedCluster | undefined> {
  try {
    return await hub.get(ManagedClusters, { name }, { signal });
  } catch (error) {
    // No such object, or no Open Cluster Management any more.
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function gone(message: string): OcmDeparture {
  return { state: 'Gone', message, retryAfterMs: undefined };
}
