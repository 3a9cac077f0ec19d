import { redact } from '@flotilla/runtime';
import { approveRequests } from './approve-requests.ts';
import { ensureBootstrapAccount } from './bootstrap-account.ts';
import { ensureManagedCluster } from './ensure-managed-cluster.ts';
import { managedClusterState } from './managed-cluster-state.ts';
import { OcmProblem, PROGRAM_MS } from './ocm-problem.ts';
import { prepareMember } from './prepare-member.ts';
import type { OcmClient, OcmProgress, OcmWanted } from './types.ts';

export {
  detachManagedCluster,
  type OcmDeparture,
  type OcmLeaving,
} from './detach-managed-cluster.ts';
export type * from './types.ts';

/**
 * Joins a member one step further; safe to repeat, and once the member has joined it reads one object and writes
 * nothing. `member` is undefined while nothing leads there.
 *
 * The order is the contract: the agent gets a credential for the hub only after the ManagedCluster is ours, and a
 * certificate only for the account that we made for it.
 */
export async function joinManagedCluster(
  { hub, member }: { hub: OcmClient; member: OcmClient | undefined },
  wanted: OcmWanted,
  signal: AbortSignal,
): Promise<OcmProgress> {
  try {
    const cluster = await ensureManagedCluster(hub, wanted, signal);
    const state = managedClusterState(cluster);
    if (state.isJoined && state.isAvailable) return accepted(state.message, true);
    if (state.isJoined) {
      // It has an agent, which may only be away, or have lost its certificate and ask for another.
      await approveRequests(hub, wanted, signal);
      return accepted(state.message, false);
    }

    await ensureBootstrapAccount(hub, wanted.name, signal);
    const requests = await approveRequests(hub, wanted, signal);
    const agent = await prepareMember({ hub, member }, wanted, signal);
    const message = [state.message, agent, requests].filter((part) => part !== '').join('; ');
    throw new OcmProblem('AwaitingAcceptance', message, PROGRAM_MS);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof OcmProblem)) throw error;
    const { reason, retryAfterMs } = error;
    return { reason, message: redact(error.message), isAvailable: undefined, retryAfterMs };
  }
}

function accepted(message: string, isAvailable: boolean): OcmProgress {
  return {
    reason: 'ManagedClusterAccepted',
    message,
    isAvailable,
    retryAfterMs: isAvailable ? undefined : PROGRAM_MS,
  };
}
