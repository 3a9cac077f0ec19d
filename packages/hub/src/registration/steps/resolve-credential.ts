import type { ClusterRegistration } from '@flotilla/api';
import type { MemberAccess } from '../../cluster-secret/member-access.ts';
import { credentialRevision } from '../../cluster-secret/revision.ts';
import type { RegistrationDeps } from '../deps.ts';
import type { ResolvedSource } from '../source/resolved-source.ts';
import { SourceProblem } from '../source/source-problem.ts';
import { POLL_MS } from '../timers.ts';
import { type RegistrationPass, statusOf } from '../types.ts';

/** A credential from its source, with the name by which it is told from the next. */
export interface SourcedCredential {
  readonly source: ResolvedSource;
  readonly member: MemberAccess;
  readonly revision: string;
}

/** What the source gave; a registered cluster goes on with what it has when that is nothing. */
export interface Resolution {
  readonly credential: SourcedCredential | undefined;
  /** When to look again because nothing will tell; undefined where something will. */
  readonly retryAfterMs: number | undefined;
}

/** Reads the source, anew with every pass: what may be read, and what may be dialled, can have changed. */
export async function resolveCredential(
  pass: RegistrationPass,
  deps: Pick<RegistrationDeps, 'resolveSource' | 'followSource' | 'memory'>,
): Promise<Resolution> {
  // Neither the source nor anything it is handed to changes the registration.
  const registration = pass.observed as ClusterRegistration;
  try {
    const source = await deps.resolveSource(registration, pass.signal);
    const isWatched = deps.followSource(pass.key, source.reads, source.resourceVersion);
    conceal(pass, source.member);
    pass.mark('SourceResolved', source.reason, `Resolved from ${source.description}`);
    warnOnce(pass, source, deps);
    const { member } = source;
    const credential = { source, member, revision: credentialRevision(member) };
    return { credential, retryAfterMs: isWatched ? undefined : POLL_MS };
  } catch (error) {
    if (!(error instanceof SourceProblem)) throw error;
    // A kind that the hub does not have cannot be watched; that it appears is noticed otherwise.
    const isServed = error.reason !== 'ExternalSecretsNotInstalled';
    deps.followSource(pass.key, isServed ? error.reads : [], undefined);
    const { reason, message, isWaiting, retryAfterMs } = error;
    if (statusOf(pass).registeredName !== undefined) {
      pass.unmet('SourceResolved', reason, message);
      return { credential: undefined, retryAfterMs: retryAfterMs ?? POLL_MS };
    }
    if (isWaiting || retryAfterMs !== undefined) {
      const afterMs = retryAfterMs ?? POLL_MS;
      throw pass.waiting('SourceResolved', reason, { message, afterMs });
    }
    throw pass.stalled('SourceResolved', reason, message);
  }
}

function conceal(pass: RegistrationPass, { credential }: MemberAccess): void {
  pass.conceal(credential.type === 'ServiceAccountToken' ? credential.token : credential.key);
}

function warnOnce(
  pass: RegistrationPass,
  { warnings }: ResolvedSource,
  { memory }: Pick<RegistrationDeps, 'memory'>,
): void {
  const { said } = memory.of(pass.observed.metadata.uid ?? '');
  for (const { reason, message } of warnings) {
    if (said.has(reason)) continue;
    said.add(reason);
    pass.event({ type: 'Warning', reason, action: 'ResolveSource', note: message });
  }
}
