import { saidBefore } from '../carry.ts';
import { expiryState } from '../source/expiry.ts';
import { heartbeatDelay, transientDelay } from '../timers.ts';
import type { Visit } from '../visit.ts';
import { noteFailure } from './note-failure.ts';
import type { SourcedCredential } from './resolve-credential.ts';
import { noteFacts, type Verification, verifyCredential } from './verify-credential.ts';

/** A credential that may be written, or the reason why what is there stays. */
export interface Trial {
  readonly accepted: SourcedCredential | undefined;
}

/**
 * Tries what the source gave where it is new. Nothing that failed is written: a cluster that is not registered stays so,
 * one that is goes on with its last good credential.
 */
export async function tryCredential(visit: Visit, credential: SourcedCredential): Promise<Trial> {
  const { pass, status, remembered } = visit;
  const isRegistered = status.registeredName !== undefined;
  const isValidated = pass.observed.spec.config.validateCredentials;
  const isInUse = isRegistered && status.credential?.revision === credential.revision;
  const wasWaived = saidBefore(pass, 'CredentialValid')?.reason === 'ValidationSkipped';
  // What the status says is about the one that was refused meanwhile.
  const isBack = isInUse && remembered.refused !== undefined;
  if (isInUse) remembered.refused = undefined;
  if (isInUse && !(isValidated && (wasWaived || isBack))) return { accepted: credential };
  if (!isValidated) {
    waive(visit);
    return { accepted: credential };
  }
  if (isRegistered && wasRefusedLately(visit, credential)) {
    sayRefused(visit);
    return { accepted: undefined };
  }
  const verification = await verify(visit, credential);
  if (verification.result === 'verified') {
    remembered.refused = undefined;
    visit.facts = verification.facts;
    noteFacts(pass, verification.facts);
    markVerified(visit, credential);
    return { accepted: credential };
  }
  if (!isRegistered) throw refusal(visit, verification);
  // Heartbeats judge the one that is in use.
  if (isBack) return { accepted: credential };
  visit.deps.meter.rotationFailed();
  keepOld(visit, credential, verification);
  return { accepted: undefined };
}

/** Says that the member knows whom the credential stands for. */
export function markVerified(visit: Visit, { member }: Pick<SourcedCredential, 'member'>): void {
  const { pass, status } = visit;
  visit.isCredentialJudged = true;
  visit.isReachJudged = true;
  const { endpoint, credential } = member;
  const user = status.clusterInfo?.authenticatedAs;
  const reason =
    credential.type === 'ServiceAccountToken' ? 'TokenVerified' : 'CertificateVerified';
  const who = user === undefined ? '' : ` as "${user}"`;
  pass.mark('CredentialValid', reason, `Authenticated to "${endpoint}"${who}`);
  pass.mark('APIServerReachable', 'ConnectionSuccessful', `Connected directly to "${endpoint}"`);
}

/** Says that the spec does not want the credential tried. */
export function waive(visit: Visit): void {
  visit.isCredentialJudged = true;
  const message = 'spec.config.validateCredentials is false';
  visit.pass.unknown('CredentialValid', 'ValidationSkipped', message);
}

async function verify(visit: Visit, credential: SourcedCredential): Promise<Verification> {
  const { pass, deps } = visit;
  const { source, member } = credential;
  if (expiryState(source, pass.now()) === 'Expired') {
    return {
      result: 'refused',
      reason: 'Expired',
      message: `Cannot use the credential for "${member.endpoint}": it has expired; put a new one into its source`,
    };
  }
  return verifyCredential(pass, visit.member(member), deps);
}

function wasRefusedLately({ remembered, deps, plan }: Visit, { revision }: SourcedCredential) {
  const { refused } = remembered;
  if (refused?.revision !== revision) return false;
  const { intervalMs, ...rest } = plan();
  const delay = heartbeatDelay({ ...rest, intervalMs: intervalMs || transientDelay(9) });
  return deps.clock.now() - refused.at < delay * 0.9 - 1_000;
}

/** Ends the first attempt of a registration. */
function refusal(visit: Visit, verification: Exclude<Verification, { result: 'verified' }>): Error {
  const { pass, status } = visit;
  const { message } = verification;
  if (verification.result === 'unreachable') {
    const failures = (status.consecutiveFailures ?? 0) + 1;
    status.consecutiveFailures = failures;
    pass.unknown('CredentialValid', 'Unreachable', `Not tried: ${message}`);
    return pass.waiting('APIServerReachable', verification.reason, {
      message,
      afterMs: transientDelay(failures),
    });
  }
  if (verification.reason !== 'Expired') {
    pass.mark('APIServerReachable', 'ConnectionSuccessful', 'It answered');
  }
  return pass.stalled('CredentialValid', verification.reason, message);
}

/** A registered cluster whose next credential is no good. */
function keepOld(
  visit: Visit,
  { revision }: SourcedCredential,
  verification: Exclude<Verification, { result: 'verified' }>,
): void {
  visit.remembered.refused = {
    revision,
    at: visit.deps.clock.now(),
    claim:
      verification.result === 'refused'
        ? {
            reason: verification.reason,
            message: `${verification.message}. The credential in use stays`,
          }
        : undefined,
  };
  if (verification.result === 'refused') sayRefused(visit);
  else noteFailure(visit, verification);
}

/** Says once more what the member said of the credential that is to come. */
function sayRefused(visit: Visit): void {
  const { claim } = visit.remembered.refused ?? {};
  if (claim === undefined) return;
  visit.isCredentialJudged = true;
  visit.pass.unmet('CredentialValid', claim.reason, claim.message);
}
