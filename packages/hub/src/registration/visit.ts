import { durationToMs, parseDuration } from '@flotilla/machinery';
import type { MemberAccess } from '../cluster-secret/member-access.ts';
import { credentialRevision } from '../cluster-secret/revision.ts';
import type { RegistrationDeps } from './deps.ts';
import type { MemberSession } from './member/member-session.ts';
import type { MemberFacts } from './member/preflight.ts';
import type { Remembered } from './memory.ts';
import type { HeartbeatPlan } from './timers.ts';
import { type DraftStatus, type RegistrationPass, statusOf } from './types.ts';

/** One pass over one registration with all that its steps share. */
export interface Visit extends AsyncDisposable {
  readonly pass: RegistrationPass;
  readonly deps: RegistrationDeps;
  readonly status: DraftStatus;
  readonly remembered: Remembered;
  /** Whether the spec has changed since the last pass that came to its end. */
  readonly isNewGeneration: boolean;
  /** Opens a connection, or gives the one there is. */
  readonly member: (access: MemberAccess) => MemberSession;
  /** How the member stands now, for timers. */
  readonly plan: () => HeartbeatPlan;
  /** What the member told in this very pass. */
  facts: MemberFacts | undefined;
  /** Why the member could not be reached in this pass. */
  fault: string | undefined;
  /** Whether CredentialValid was said in this pass, and is not to be carried over from the last. */
  isCredentialJudged: boolean;
  /** The same of APIServerReachable. */
  isReachJudged: boolean;
}

/** Begins a visit; disposing of it closes every connection that it opened. */
export function openVisit(pass: RegistrationPass, deps: RegistrationDeps): Visit {
  const { spec, metadata, status: before } = pass.observed;
  const { connectionTimeout, heartbeatInterval, failureThreshold } = spec.config;
  const limits = { timeout: connectionTimeout, timeoutMs: toMs(connectionTimeout) };
  const intervalMs = toMs(heartbeatInterval);
  const sessions = new Map<string, MemberSession>();
  const status = statusOf(pass);
  return {
    pass,
    deps,
    status,
    remembered: deps.memory.of(metadata.uid ?? ''),
    isNewGeneration: before?.observedGeneration !== metadata.generation,
    facts: undefined,
    fault: undefined,
    isCredentialJudged: false,
    isReachJudged: false,
    plan: () => ({ intervalMs, failureThreshold, failures: status.consecutiveFailures ?? 0 }),
    member: (access) => {
      const revision = credentialRevision(access);
      const session = sessions.get(revision) ?? deps.openMember(access, limits);
      sessions.set(revision, session);
      return session;
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...sessions.values()].map((each) => each[Symbol.asyncDispose]()));
    },
  };
}

function toMs(duration: string): number {
  return durationToMs(parseDuration(duration));
}
