import type { Secret } from '@flotilla/client';
import { deepEqual, formatTime } from '@flotilla/machinery';
import type { MemberAccess } from '../../cluster-secret/member-access.ts';
import { carry } from '../carry.ts';
import { judgeSecret } from '../secret/judge-secret.ts';
import { type Published, publishSecret, SecretRefusal } from '../secret/publish-secret.ts';
import { secretChanges } from '../secret/secret-changes.ts';
import { type WantedSecret, wantedSecret } from '../secret/wanted-secret.ts';
import { transientDelay } from '../timers.ts';
import type { Visit } from '../visit.ts';
import { correctDrift } from './correct-drift.ts';
import type { SourcedCredential } from './resolve-credential.ts';

/** Which cluster Secret, and what it is to hold. */
export interface Publication {
  readonly name: string;
  /** Undefined: whatever credential is there stays. */
  readonly accepted: SourcedCredential | undefined;
  /** The credential for a Secret of a new name, where the source gives none. */
  readonly inherited?: MemberAccess | undefined;
  /** False where a change is ours in any case: another name, another version. @default true */
  readonly mayBeDrift?: boolean;
  /** What this pass did to it before: that a Secret is new, or was another's, is not lost in a second write. */
  readonly after?: Published['did'];
}

/**
 * Refuses early what will be refused anyway, before the member is troubled. What the watch has may be old; the write
 * itself is judged again by what the server has.
 */
export function requireOwnership(
  { pass, deps }: Visit,
  { name, endpoint }: { readonly name: string; readonly endpoint: string | undefined },
): void {
  const existing = deps.secrets.cached(name);
  const verdict = judgeSecret(existing, { registration: pass.observed, endpoint });
  if (verdict.may === 'nothing') throw new SecretRefusal(verdict.reason, verdict.message);
}

/** Makes the cluster Secret what it has to be; undefined where it is left to those who keep changing it. */
export async function publishCluster(
  visit: Visit,
  publication: Publication,
): Promise<Published | undefined> {
  const { pass, deps } = visit;
  const { name, accepted, mayBeDrift = true } = publication;
  const wanted = wantedSecret(pass.observed, {
    namespace: deps.gatewayNamespace,
    name,
    member: accepted?.member ?? publication.inherited,
    credentialType: visit.status.clusterInfo?.credentialType,
    version: visit.status.clusterInfo?.version,
    isHealthy: visit.facts !== undefined,
  });
  const isDrift = mayBeDrift && isUnprovoked(visit, publication);
  const existing = deps.secrets.cached(name);
  const write = async () => {
    const claimant = { registration: pass.observed, endpoint: accepted?.member.endpoint };
    const context = {
      deps: { ...deps.secrets, client: deps.hubClient },
      signal: pass.signal,
    };
    return publishSecret(wanted, claimant, context);
  };
  const published =
    isDrift && isDifferent(existing, wanted)
      ? await correctDrift(visit, { existing, write, name })
      : await write();
  if (published !== undefined) note(visit, { published, publication, wanted });
  return published;
}

/** Nothing that we want has changed: if the Secret has to be written, somebody else changed it. */
function isUnprovoked(
  { pass, status, isNewGeneration }: Visit,
  { name, accepted }: Publication,
): boolean {
  const before = pass.observed.status;
  return (
    before?.registeredName === name &&
    before.secretRef?.name === name &&
    !isNewGeneration &&
    (accepted === undefined || accepted.revision === before.credential?.revision) &&
    deepEqual(before.clusterInfo?.version, status.clusterInfo?.version)
  );
}

function isDifferent(existing: Secret | undefined, wanted: WantedSecret): boolean {
  if (existing === undefined) return true;
  const { metadata, data } = secretChanges(existing, wanted);
  return metadata !== undefined || data !== undefined;
}

const REASONS = {
  created: ['SecretCreated', 'Created'],
  updated: ['SecretUpdated', 'Updated'],
  adopted: ['SecretAdopted', 'Adopted'],
} as const;

function note(
  { pass, status }: Visit,
  {
    published,
    publication,
    wanted,
  }: {
    readonly published: Published;
    readonly publication: Publication;
    readonly wanted: WantedSecret;
  },
): void {
  const { secret, did } = published;
  const { namespace, name } = wanted;
  const where = `cluster Secret "${namespace}/${name}"`;
  if (did === 'nothing') {
    const message = `The ${where} is as it should be`;
    const before = pass.observed.status?.secretRef?.name;
    if (before === name) carryRegistered(pass, message);
    else pass.mark('ClusterRegistered', 'SecretUpdated', message);
  } else {
    const { after = 'nothing' } = publication;
    const [reason, verb] = REASONS[after === 'nothing' ? did : after];
    pass.mark('ClusterRegistered', reason, `${verb} ${where}`);
  }
  const { uid } = secret.metadata;
  status.secretRef = { namespace, name, ...(uid === undefined ? {} : { uid }) };
  const { accepted } = publication;
  if (accepted !== undefined) noteCredential({ pass, status }, accepted);
}

/** What a broken Secret said is over once it is whole again. */
function carryRegistered(pass: Visit['pass'], message: string): void {
  const type = 'ClusterRegistered';
  const before = pass.observed.status?.conditions?.find((each) => each.type === type);
  if (before?.status === 'False') pass.mark(type, 'SecretUpdated', message);
  else carry(pass, { type, status: 'True', reason: 'SecretUpdated', message });
}

function noteCredential(
  { pass, status }: Pick<Visit, 'pass' | 'status'>,
  { source, member, revision }: SourcedCredential,
): void {
  const known = status.credential;
  const isSame = known?.revision === revision;
  const { resourceVersion, expiresAt, refreshAt } = source;
  status.clusterInfo = {
    ...status.clusterInfo,
    endpoint: member.endpoint,
    credentialType: member.credential.type,
  };
  status.credential = {
    source: source.description,
    ...(resourceVersion === undefined ? {} : { sourceResourceVersion: resourceVersion }),
    revision,
    appliedAt: isSame && known.appliedAt !== undefined ? known.appliedAt : formatTime(pass.now()),
    ...(expiresAt === undefined ? {} : { expiresAt: formatTime(expiresAt) }),
    ...(refreshAt === undefined ? {} : { nextRefresh: formatTime(refreshAt) }),
  };
}

/** Ends a pass whose Secret must not or cannot be written; a cluster that is registered goes on with what it has. */
export function refuse(visit: Visit, error: unknown): void {
  if (!(error instanceof SecretRefusal)) throw error;
  const { pass, status } = visit;
  const { reason, message, isTransient } = error;
  if (status.registeredName !== undefined) {
    pass.unmet('ClusterRegistered', reason, message);
    return;
  }
  if (!isTransient) throw pass.stalled('ClusterRegistered', reason, message);
  const failures = (status.consecutiveFailures ?? 0) + 1;
  status.consecutiveFailures = failures;
  const afterMs = transientDelay(failures);
  throw pass.waiting('ClusterRegistered', reason, { message, afterMs });
}
