import { formatTime } from '@flotilla/machinery';
import { type Resync, resyncAfter } from '@flotilla/runtime';
import { carry } from './carry.ts';
import type { RegistrationDeps } from './deps.ts';
import { joinManagedCluster, type OcmProgress } from './ocm/ocm-engine.ts';
import { compareClusters } from './steps/compare-clusters.ts';
import { nextLook } from './steps/next-look.ts';
import { reportExpiry } from './steps/report-expiry.ts';
import { type Resolution, resolveCredential } from './steps/resolve-credential.ts';
import { tryCredential } from './steps/try-credential.ts';
import { type RegistrationPass, wantedName } from './types.ts';
import { openVisit, type Visit } from './visit.ts';

/**
 * Joins a member through Open Cluster Management: its own agent connects to the hub, and what that agent reports is how
 * the member is. The credential is only needed until the agent runs, and no cluster Secret is written.
 */
export async function reconcileManagedCluster(
  pass: RegistrationPass,
  deps: RegistrationDeps,
): Promise<Resync> {
  await using visit = openVisit(pass, deps);
  pass.unmet('Suspended', 'Active', 'spec.suspend is false');
  const resolution = await resolveCredential(pass, deps);
  const { credential } = resolution;
  const accepted =
    credential === undefined ? undefined : (await tryCredential(visit, credential)).accepted;
  const member = accepted === undefined ? undefined : visit.member(accepted.member).client;
  const { metadata, spec } = pass.observed;
  const { namespace = '', name = '', uid = '' } = metadata;
  const progress = await joinManagedCluster(
    { hub: deps.hubClient, member },
    {
      name: visit.status.registeredName ?? wantedName(pass.observed),
      labels: spec.labels ?? {},
      owner: { namespace, name, uid },
      adopts: spec.adoptionPolicy === 'IfUnmanaged',
      inClusterBootstrap: spec.config.inClusterBootstrap,
      hubAddress: deps.hubAddress,
      now: pass.now,
    },
    pass.signal,
  );
  return await report(visit, { progress, resolution });
}

async function report(
  visit: Visit,
  { progress, resolution }: { readonly progress: OcmProgress; readonly resolution: Resolution },
): Promise<Resync> {
  const { pass, status } = visit;
  const { reason, message, retryAfterMs } = progress;
  if (reason !== 'ManagedClusterAccepted') {
    if (status.registeredName === undefined) {
      throw retryAfterMs === undefined
        ? pass.stalled('ClusterRegistered', reason, message)
        : pass.waiting('ClusterRegistered', reason, { message, afterMs: retryAfterMs });
    }
    pass.unmet('ClusterRegistered', reason, message);
  } else {
    pass.mark('ClusterRegistered', reason, message);
    status.registeredName ??= wantedName(pass.observed);
    noteCredential(visit, resolution);
  }
  tellAvailable(visit, progress);
  const nothing = 'Open Cluster Management sees to it';
  pass.unknown('NamespaceCreated', 'NotAttempted', nothing);
  pass.unknown('ApplicationsRefreshed', 'Disabled', nothing);
  reportExpiry(pass, { credential: resolution.credential, isApplied: true });
  await compareClusters(visit);
  const wanted = wantedName(pass.observed);
  if (status.registeredName !== undefined && status.registeredName !== wanted) {
    const blocked = `Cannot rename ManagedCluster "${status.registeredName}" to "${wanted}": Open Cluster Management cannot; register the cluster anew`;
    pass.unmet('ClusterRegistered', 'RenameBlocked', blocked);
  }
  if (retryAfterMs !== undefined) return resyncAfter(retryAfterMs);
  return nextLook(visit, [resolution.retryAfterMs]);
}

/** The agent renews a lease on the hub; nothing is asked of the member itself. */
function tellAvailable(visit: Visit, { isAvailable, message }: OcmProgress): void {
  const { pass, status } = visit;
  if (!visit.isCredentialJudged) {
    const text = 'Not tried yet';
    carry(pass, {
      type: 'CredentialValid',
      status: 'Unknown',
      reason: 'NotChecked',
      message: text,
    });
  }
  if (isAvailable === true) {
    pass.mark(
      'APIServerReachable',
      'ConnectionSuccessful',
      'Its agent reports that it is available',
    );
    status.consecutiveFailures = 0;
    // Its agent is asked with every pass; the time is only kept where something else changed.
    status.lastHeartbeatTime ??= formatTime(pass.now());
  } else if (isAvailable === false) {
    pass.unmet('APIServerReachable', 'Timeout', `Its agent has stopped reporting: ${message}`);
  } else if (!visit.isReachJudged) {
    const text = 'Its agent has not reported yet';
    carry(pass, {
      type: 'APIServerReachable',
      status: 'Unknown',
      reason: 'NotChecked',
      message: text,
    });
  }
}

function noteCredential({ pass, status }: Visit, { credential }: Resolution): void {
  if (credential === undefined) return;
  const { source, member, revision } = credential;
  const isSame = status.credential?.revision === revision;
  const { endpoint } = member;
  status.clusterInfo = { ...status.clusterInfo, endpoint, credentialType: member.credential.type };
  status.credential = {
    source: source.description,
    revision,
    appliedAt: (isSame && status.credential?.appliedAt) || formatTime(pass.now()),
    ...(source.expiresAt === undefined ? {} : { expiresAt: formatTime(source.expiresAt) }),
  };
}
