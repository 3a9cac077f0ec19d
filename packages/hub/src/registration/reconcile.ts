import { type Resync, resyncAfter } from '@flotilla/runtime';
import { readClusterSecret } from '../cluster-secret/read-cluster-secret.ts';
import type { RegistrationDeps } from './deps.ts';
import { reconcileManagedCluster } from './reconcile-ocm.ts';
import { chooseName, type NameChoice } from './rename/choose-name.ts';
import { leaveOldName } from './rename/leave-old-name.ts';
import { leaveUnusedNames } from './rename/leave-unused-names.ts';
import { tellRenamed } from './rename/tell-renamed.ts';
import type { Published } from './secret/publish-secret.ts';
import { beat } from './steps/beat.ts';
import { compareClusters } from './steps/compare-clusters.ts';
import { keepNamespace } from './steps/keep-namespace.ts';
import { mirrorHealth } from './steps/mirror-health.ts';
import { nextLook } from './steps/next-look.ts';
import { publishCluster, refuse, requireOwnership } from './steps/publish-cluster.ts';
import { refreshSelected } from './steps/refresh-selected.ts';
import { reportExpiry } from './steps/report-expiry.ts';
import { type Resolution, resolveCredential } from './steps/resolve-credential.ts';
import { tryCredential } from './steps/try-credential.ts';
import { POLL_MS } from './timers.ts';
import { type RegistrationPass, wantedName } from './types.ts';
import { openVisit, type Visit } from './visit.ts';

/**
 * Joins one member cluster to the hub and keeps it joined.
 *
 * The order is the contract: nothing is written before the source may be read, the name is ours and the credential was
 * tried (unless the spec waives the trial); nothing is taken back because a later step failed. Every step is safe to
 * repeat.
 */
export async function reconcileRegistration(
  pass: RegistrationPass,
  deps: RegistrationDeps,
): Promise<Resync> {
  if (pass.observed.spec.engine === 'ocm') return reconcileManagedCluster(pass, deps);
  await using visit = openVisit(pass, deps);
  pass.unmet('Suspended', 'Active', 'spec.suspend is false');
  const resolution = await resolveCredential(pass, deps);
  const choice = await chooseName(visit);
  const accepted = await acceptCredential(visit, { resolution, choice });
  const published = await register(visit, { choice, accepted });
  if (published === undefined) return await keepGoing(visit, { resolution, accepted, choice });
  // Awaited here: the connections of the visit close when this function ends.
  return await look(visit, { published, resolution, accepted, choice });
}

type Accepted = Resolution['credential'];

/** What every step after the credential goes by. */
interface Course {
  readonly resolution: Resolution;
  readonly choice: NameChoice;
  /** Undefined where the credential that is there stays. */
  readonly accepted: Accepted;
}

async function acceptCredential(
  visit: Visit,
  { resolution, choice }: Pick<Course, 'resolution' | 'choice'>,
): Promise<Accepted> {
  const { credential } = resolution;
  if (credential === undefined) return undefined;
  if (visit.status.registeredName === undefined) {
    try {
      requireOwnership(visit, { name: choice.name, endpoint: credential.member.endpoint });
    } catch (error) {
      refuse(visit, error);
    }
  }
  return (await tryCredential(visit, credential)).accepted;
}

/** Writes the cluster Secret, under its new name where it gets one; undefined where it cannot be written now. */
async function register(
  visit: Visit,
  { choice, accepted }: Pick<Course, 'choice' | 'accepted'>,
): Promise<Published | undefined> {
  const { pass, deps, status } = visit;
  const { name, from, blocked } = choice;
  const source = from === undefined ? undefined : deps.secrets.cached(from);
  const inherited =
    accepted === undefined && source !== undefined ? readClusterSecret(source)?.access : undefined;
  try {
    const published = await publishCluster(visit, {
      name,
      accepted,
      inherited,
      mayBeDrift: from === undefined,
    });
    if (from === undefined) status.registeredName = name;
    if (blocked !== undefined) pass.unmet('ClusterRegistered', 'RenameBlocked', blocked);
    return published;
  } catch (error) {
    refuse(visit, error);
    return undefined;
  }
}

/** Goes on beside a Secret that is not ours to write: the member is looked at, and nothing is lost. */
async function keepGoing(visit: Visit, course: Course): Promise<Resync> {
  const { deps, status } = visit;
  const secret = deps.secrets.cached(status.registeredName ?? '');
  if (secret !== undefined) return look(visit, { ...course, published: unchanged(secret) });
  const { pass } = visit;
  reportExpiry(pass, { credential: course.resolution.credential, isApplied: false });
  for (const type of ['CredentialValid', 'APIServerReachable'] as const) {
    pass.unknown(type, 'NotChecked', 'There is no cluster Secret to look at the member with');
  }
  pass.unknown('NamespaceCreated', 'NotAttempted', 'There is no cluster Secret');
  await compareClusters(visit);
  return nextLook(visit, [POLL_MS]);
}

function unchanged(secret: Published['secret']): Published {
  return { secret, did: 'nothing', wroteData: false, before: secret };
}

async function look(
  visit: Visit,
  course: Course & { readonly published: Published },
): Promise<Resync> {
  const { pass, status } = visit;
  const { resolution, choice, accepted, published } = course;
  const { secret } = published;
  const { isAlive, hasNewVersion, isSourceNewer } = await beat(visit, {
    secret,
    isSecretNew: published.did !== 'nothing' || choice.from !== undefined,
  });
  if (hasNewVersion) await writeVersion(visit, { published, accepted });
  await mirrorHealth(visit, { secret, isAlive });
  const access = readClusterSecret(secret)?.access;
  await keepNamespace(visit, { access, isAlive });
  if (choice.from !== undefined && access !== undefined && choice.name === secret.metadata.name) {
    await leaveOldName(visit, { from: choice.from, to: choice.name, access });
  }
  const refreshed = await refreshSelected(visit, secret);
  reportExpiry(pass, {
    credential: resolution.credential,
    isApplied: accepted !== undefined,
  });
  await compareClusters(visit);
  const wanted = wantedName(pass.observed);
  const names = [choice.name, choice.from ?? '', wanted, status.registeredName ?? ''];
  await leaveUnusedNames(visit, names);
  tellRenamed(visit, names);
  // Last: until here a crash leads back to the old name.
  if (choice.name === secret.metadata.name) status.registeredName = choice.name;
  if (isSourceNewer) return resyncAfter(0);
  return nextLook(visit, [
    resolution.retryAfterMs,
    refreshed.retryAfterMs,
    choice.blocked === undefined ? undefined : POLL_MS,
  ]);
}

/** A new version is ours to write; it must not undo what others are left to do with the Secret. */
async function writeVersion(
  visit: Visit,
  { published, accepted }: { readonly published: Published; readonly accepted: Accepted },
): Promise<void> {
  if (visit.remembered.driftLoop !== undefined) return;
  const name = published.secret.metadata.name ?? '';
  try {
    await publishCluster(visit, { name, accepted, mayBeDrift: false, after: published.did });
  } catch (error) {
    refuse(visit, error);
  }
}
