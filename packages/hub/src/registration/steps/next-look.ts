import { type Resync, resyncAfter } from '@flotilla/runtime';
import { FLOOR_MS, heartbeatDelay, SAFETY_RESYNC_MS, spread } from '../timers.ts';
import type { Visit } from '../visit.ts';

/** Says when to look again: at the next heartbeat, when the credential wants to be renewed, or earlier where asked. */
export function nextLook(visit: Visit, earlierMs: readonly (number | undefined)[]): Resync {
  const { pass, status, deps, plan } = visit;
  const now = pass.now().getTime();
  const { intervalMs } = plan();
  const times: number[] = [];
  if (intervalMs === 0) times.push(SAFETY_RESYNC_MS);
  else {
    const last = status.lastHeartbeatTime;
    const sinceMs = last === undefined ? 0 : Math.max(0, now - Date.parse(last));
    times.push(spread(heartbeatDelay(plan()), deps.random) - Math.min(sinceMs, intervalMs));
  }
  const refresh = status.credential?.nextRefresh;
  // A time that has passed has had its look: the source had nothing newer.
  if (refresh !== undefined && Date.parse(refresh) > now) times.push(Date.parse(refresh) - now);
  const end = status.credential?.expiresAt;
  if (end !== undefined && Date.parse(end) > now) times.push(Date.parse(end) - now);
  for (const time of earlierMs) if (time !== undefined) times.push(time);
  return resyncAfter(Math.max(FLOOR_MS, Math.min(...times)));
}
