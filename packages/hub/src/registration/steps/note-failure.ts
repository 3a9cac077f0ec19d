import { formatTime } from '@flotilla/machinery';
import { saidBefore } from '../carry.ts';
import type { MemberFault } from '../member/member-fault.ts';
import type { Visit } from '../visit.ts';

/**
 * Counts a look that failed. The condition and with it the phase turn only at the threshold: a server that restarts is
 * no reason for an alarm, and each turn is an event.
 */
export function noteFailure(visit: Visit, { reason, message }: MemberFault): void {
  const { pass, status, plan } = visit;
  visit.isReachJudged = true;
  visit.fault = reason;
  status.consecutiveFailures = (status.consecutiveFailures ?? 0) + 1;
  status.lastHeartbeatTime = formatTime(pass.now());
  const { failures, failureThreshold } = plan();
  if (failures >= failureThreshold) {
    pass.unmet('APIServerReachable', reason, message);
    return;
  }
  const so = `${failures} of ${failureThreshold} looks failed: ${message}`;
  if (saidBefore(pass, 'APIServerReachable')?.status === 'True') {
    pass.mark('APIServerReachable', 'ConnectionSuccessful', so);
  } else pass.unknown('APIServerReachable', 'NotChecked', so);
}
