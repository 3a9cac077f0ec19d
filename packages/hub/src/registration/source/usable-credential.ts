import type { ClusterRegistration } from '@flotilla/api';
import { hostOf } from '../../cluster-secret/cluster-endpoint.ts';
import type { MemberCredential } from '../../cluster-secret/member-access.ts';
import { ExecFailure } from '../exec-profiles/exec-failure.ts';
import { matchProfile } from '../exec-profiles/match-profile.ts';
import type { Candidate } from './candidate.ts';
import { type Lifetime, lifetimeOf } from './expiry.ts';
import type { SourceDeps, SourceWarning } from './resolved-source.ts';
import { SourceProblem } from './source-problem.ts';

/** A command may fail for a moment. */
const EXEC_RETRY_MS = 30_000;

/** A credential that can be written, and what is known of it. */
export interface UsableCredential {
  readonly credential: MemberCredential;
  readonly lifetime: Lifetime;
  readonly warnings: readonly SourceWarning[];
}

/** The credential itself: what the source has, or what an allowed command makes of it. */
export async function usableCredential(
  deps: SourceDeps,
  asked: {
    readonly candidate: Candidate;
    readonly endpoint: string;
    readonly registration: ClusterRegistration;
  },
  signal: AbortSignal,
): Promise<UsableCredential> {
  const { credential } = asked.candidate;
  if (credential.type !== 'Exec') {
    return { credential, lifetime: lifetimeOf(credential), warnings: [] };
  }
  const { policy, runExec } = deps;
  const { plugin } = credential;
  const match = matchProfile(policy.execProfiles, plugin, {
    host: hostOf(asked.endpoint),
    namespace: asked.registration.metadata.namespace ?? '',
    gatewayNamespace: policy.gatewayNamespace,
  });
  if ('refusal' in match || runExec === undefined) {
    throw new SourceProblem(
      'ExecNotAllowed',
      'refusal' in match ? match.refusal : 'Cannot run the command of the user: this hub runs none',
    );
  }
  try {
    const madeAfter = refusalTime(asked.registration);
    const minted = await runExec({ profile: match.profile, plugin, madeAfter }, signal);
    const own = lifetimeOf(minted.credential);
    return {
      credential: minted.credential,
      lifetime: { issuedAt: minted.issuedAt, expiresAt: minted.expiresAt ?? own.expiresAt },
      warnings: match.warnings,
    };
  } catch (error) {
    if (!(error instanceof ExecFailure)) throw error;
    throw new SourceProblem('ExecFailed', error.message, { retryAfterMs: EXEC_RETRY_MS });
  }
}

/** When the member began to refuse the credential it has: what was minted before is worth nothing. */
function refusalTime({ status }: ClusterRegistration): Date | undefined {
  const refusal = status?.conditions?.find(
    ({ type, reason }) => type === 'CredentialValid' && reason === 'Unauthorized',
  );
  const time = Date.parse(refusal?.lastTransitionTime ?? '');
  // Conditions count in seconds: the refusal was in this one.
  return Number.isNaN(time) ? undefined : new Date(time + 999);
}
