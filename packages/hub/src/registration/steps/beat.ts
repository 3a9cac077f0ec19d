import type { ClusterRegistration } from '@flotilla/api';
import type { Secret } from '@flotilla/client';
import { deepEqual, formatTime } from '@flotilla/machinery';
import type { MemberAccess } from '../../cluster-secret/member-access.ts';
import { readClusterSecret } from '../../cluster-secret/read-cluster-secret.ts';
import { credentialRevision } from '../../cluster-secret/revision.ts';
import { carry, saidBefore } from '../carry.ts';
import { beatDirectly, beatThroughGateway, type Heartbeat } from '../member/heartbeat.ts';
import { SourceProblem } from '../source/source-problem.ts';
import { isDue } from '../timers.ts';
import type { Visit } from '../visit.ts';
import { noteFailure } from './note-failure.ts';
import { markVerified, waive } from './try-credential.ts';
import { noteFacts, verifyCredential } from './verify-credential.ts';

/** What a look at the member came to. */
export interface Beaten {
  /** Whether the member answered in this pass. */
  readonly isAlive: boolean;
  /** Whether it told of another version than the status had. */
  readonly hasNewVersion: boolean;
  /** The source has another credential than the one that was just refused: begin again at once. */
  readonly isSourceNewer: boolean;
}

const NOT_LOOKED: Beaten = { isAlive: false, hasNewVersion: false, isSourceNewer: false };

/** Looks at a registered member where it is time to. */
export async function beat(
  visit: Visit,
  found: { readonly secret: Secret; readonly isSecretNew: boolean },
): Promise<Beaten> {
  const { pass, status, plan } = visit;
  if (visit.facts !== undefined) return { ...NOT_LOOKED, isAlive: true };
  const isFailing = saidBefore(pass, 'CredentialValid')?.status === 'False';
  carryCredential(visit);
  if (plan().intervalMs === 0) {
    const message = 'spec.config.heartbeatInterval is 0s';
    pass.unknown('APIServerReachable', 'HeartbeatDisabled', message);
    return NOT_LOOKED;
  }
  const last = status.lastHeartbeatTime;
  const sinceMs = last === undefined ? undefined : pass.now().getTime() - Date.parse(last);
  const access = readClusterSecret(found.secret)?.access;
  if (access === undefined || !isDue(plan(), sinceMs)) {
    carryReachable(visit);
    return NOT_LOOKED;
  }
  const isValidated = pass.observed.spec.config.validateCredentials;
  if (isFailing && isValidated) return lookAgain(visit, access);
  const beatNow = await ask(visit, { ...found, access });
  return take(visit, { heartbeat: beatNow, access });
}

async function ask(
  { pass, deps, member }: Visit,
  {
    secret,
    isSecretNew,
    access,
  }: {
    readonly secret: Secret;
    readonly isSecretNew: boolean;
    readonly access: MemberAccess;
  },
): Promise<Heartbeat> {
  const beganAt = deps.clock.elapsed();
  const session = member(access);
  const { endpoint, timeout, timeoutMs, conceal } = session;
  const cluster = secret.metadata.name ?? '';
  // The gateway hears of a Secret a moment after it was written.
  const isThrough = !isSecretNew && (await deps.findGateway(pass.signal)).state === 'available';
  const through = isThrough
    ? await beatThroughGateway(
        deps.hubClient,
        { cluster, endpoint, timeout, timeoutMs, conceal },
        pass.signal,
      )
    : undefined;
  const heartbeat = through ?? (await beatDirectly(session, pass.signal));
  deps.meter.heartbeat(deps.clock.elapsed() - beganAt);
  return heartbeat;
}

async function take(
  visit: Visit,
  { heartbeat, access }: { readonly heartbeat: Heartbeat; readonly access: MemberAccess },
): Promise<Beaten> {
  const { pass, deps, status } = visit;
  const how = heartbeat.via === 'gateway' ? 'through the gateway' : 'directly';
  if (heartbeat.result === 'failed') {
    deps.meter.heartbeatFailed(heartbeat.reason);
    noteFailure(visit, heartbeat);
    return NOT_LOOKED;
  }
  pass.mark(
    'APIServerReachable',
    'ConnectionSuccessful',
    `Connected ${how} to "${access.endpoint}"`,
  );
  status.lastHeartbeatTime = formatTime(pass.now());
  if (heartbeat.result === 'unauthorized') {
    deps.meter.heartbeatFailed('Unauthorized');
    return refused(visit, { access, how });
  }
  status.consecutiveFailures = 0;
  const wasRefused = saidBefore(pass, 'CredentialValid')?.status === 'False';
  if (wasRefused && !pass.observed.spec.config.validateCredentials) waive(visit);
  return { isAlive: true, isSourceNewer: false, hasNewVersion: noteVersion(visit, heartbeat) };
}

function noteVersion(
  { status }: Visit,
  { version }: { readonly version: NonNullable<Visit['facts']>['version'] },
): boolean {
  if (version === undefined || deepEqual(version, status.clusterInfo?.version)) return false;
  status.clusterInfo = { ...status.clusterInfo, version };
  return true;
}

/** The source may have got a newer credential this very moment: it is read once more before anybody is told. */
async function refused(
  visit: Visit,
  { access, how }: { readonly access: MemberAccess; readonly how: string },
): Promise<Beaten> {
  const { pass, deps, status } = visit;
  try {
    deps.forgetCredential(access.credential);
    const registration = pass.observed as ClusterRegistration;
    const source = await deps.resolveSource(registration, pass.signal);
    if (credentialRevision(source.member) !== credentialRevision(access)) {
      return { ...NOT_LOOKED, isSourceNewer: true };
    }
  } catch (error) {
    if (!(error instanceof SourceProblem)) throw error;
  }
  status.consecutiveFailures = (status.consecutiveFailures ?? 0) + 1;
  pass.unmet(
    'CredentialValid',
    'Unauthorized',
    `Cannot authenticate to "${access.endpoint}" (${how}): it answered 401, and the source has no other credential`,
  );
  return NOT_LOOKED;
}

/** A credential that was refused is proved again from the ground up: an answer alone would not do. */
async function lookAgain(visit: Visit, access: MemberAccess): Promise<Beaten> {
  const { pass, deps, status } = visit;
  const verification = await verifyCredential(pass, visit.member(access), deps);
  if (verification.result === 'verified') {
    visit.facts = verification.facts;
    const hasNewVersion = noteVersion(visit, verification.facts);
    noteFacts(pass, verification.facts);
    const isInUse = credentialRevision(access) === status.credential?.revision;
    const isSourceBad = visit.remembered.refused !== undefined;
    // What is in use works; the one that is to replace it does not.
    if (isInUse && !isSourceBad) markVerified(visit, { member: access });
    else
      pass.mark(
        'APIServerReachable',
        'ConnectionSuccessful',
        `Connected directly to "${access.endpoint}"`,
      );
    return { isAlive: true, hasNewVersion, isSourceNewer: false };
  }
  if (verification.result === 'unreachable') {
    noteFailure(visit, verification);
    return NOT_LOOKED;
  }
  const heartbeat = { via: 'direct', result: 'unauthorized' } as const;
  return take(visit, { heartbeat, access });
}

function carryCredential({ pass, isCredentialJudged }: Visit): void {
  if (isCredentialJudged) return;
  const message = 'Not tried yet';
  carry(pass, { type: 'CredentialValid', status: 'Unknown', reason: 'NotChecked', message });
}

function carryReachable({ pass, isReachJudged }: Visit): void {
  if (isReachJudged) return;
  const message = 'Not looked at yet';
  carry(pass, { type: 'APIServerReachable', status: 'Unknown', reason: 'NotChecked', message });
}
