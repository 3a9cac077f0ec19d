import { formatTime } from '@flotilla/machinery';
import type { RegistrationDeps } from '../deps.ts';
import type { MemberFault } from '../member/member-fault.ts';
import type { MemberSession } from '../member/member-session.ts';
import { type MemberFacts, preflight } from '../member/preflight.ts';
import { type RegistrationPass, statusOf } from '../types.ts';

/** How trying a credential ended. */
export type Verification =
  | { readonly result: 'verified'; readonly facts: MemberFacts }
  /** The member says no; `why` is for the condition. */
  | {
      readonly result: 'refused';
      readonly reason: 'Unauthorized' | 'Anonymous' | 'Expired';
      readonly message: string;
    }
  | ({ readonly result: 'unreachable' } & MemberFault);

/** More than this between two clocks breaks short-lived tokens. */
const MOST_SKEW_MS = 60_000;

/** Tries a credential at the member itself, before anything on the hub depends on it. */
export async function verifyCredential(
  pass: RegistrationPass,
  member: MemberSession,
  { clock, meter, memory }: Pick<RegistrationDeps, 'clock' | 'meter' | 'memory'>,
): Promise<Verification> {
  const beganAt = clock.elapsed();
  const found = await preflight(member, { now: clock.now, signal: pass.signal });
  meter.heartbeat(clock.elapsed() - beganAt);
  const { endpoint } = member;
  switch (found.result) {
    case 'welcome':
      tellSkew(pass, { member, skewMs: found.facts.clockSkewMs, memory });
      return { result: 'verified', facts: found.facts };
    case 'unauthorized':
      meter.heartbeatFailed('Unauthorized');
      return {
        result: 'refused',
        reason: 'Unauthorized',
        message: `Cannot authenticate to "${endpoint}": it answered 401; the credential is wrong, revoked or expired`,
      };
    case 'anonymous':
      meter.heartbeatFailed('Anonymous');
      return {
        result: 'refused',
        reason: 'Anonymous',
        message: `Cannot authenticate to "${endpoint}": it takes the credential for nobody's (system:anonymous)`,
      };
    case 'unreachable':
      meter.heartbeatFailed(found.reason);
      return found;
  }
}

/** Writes down what a member told about itself. */
export function noteFacts(pass: RegistrationPass, facts: MemberFacts): void {
  const status = statusOf(pass);
  const { version, clusterID, authenticatedAs, providerID } = facts;
  status.clusterInfo = {
    ...status.clusterInfo,
    ...(version === undefined ? {} : { version }),
    ...(clusterID === undefined ? {} : { clusterID }),
    ...(authenticatedAs === undefined ? {} : { authenticatedAs }),
    ...(providerID === undefined ? {} : { providerID }),
  };
  status.lastHeartbeatTime = formatTime(pass.now());
  status.consecutiveFailures = 0;
}

function tellSkew(
  pass: RegistrationPass,
  {
    member,
    skewMs,
    memory,
  }: {
    readonly member: MemberSession;
    readonly skewMs: number | undefined;
    readonly memory: RegistrationDeps['memory'];
  },
): void {
  const { said } = memory.of(pass.observed.metadata.uid ?? '');
  const isSkewed = skewMs !== undefined && Math.abs(skewMs) > MOST_SKEW_MS;
  if (!isSkewed) said.delete('ClockSkew');
  if (!isSkewed || said.has('ClockSkew')) return;
  said.add('ClockSkew');
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  const which = skewMs > 0 ? 'ahead of' : 'behind';
  pass.event({
    type: 'Warning',
    reason: 'ClockSkew',
    action: 'VerifyCredential',
    note: `The clock of "${member.endpoint}" is ${seconds} s ${which} the hub's; short-lived credentials may fail`,
  });
}
