import type { ClusterRegistration } from '@flotilla/api';
import { eventually } from '@flotilla/testkit';
import type { TestHub } from './world.ts';

/** More than the default interval of heartbeats, jitter included. */
const LEAP_MS = 6 * 60_000;
const ATTEMPTS = 4;
const WITHIN_MS = 5_000;

/** Sets the clock forth until the member is looked at again. */
export async function nextBeat(hub: TestHub, name: string): Promise<ClusterRegistration> {
  const last = (await hub.get(name)).status?.lastHeartbeatTime;
  const hasBeaten = ({ status }: ClusterRegistration) => status?.lastHeartbeatTime !== last;
  return await leapUntil(hub, name, { byMs: LEAP_MS, holds: hasBeaten });
}

/**
 * Sets the clock forth until something holds of a registration, or it has a phase. A status can be read a moment before
 * the pass that wrote it has set its next alarm, which then counts from after the leap: so there may have to be another.
 */
export async function leapUntil(
  hub: TestHub,
  name: string,
  { byMs, holds }: { byMs: number; holds: string | ((each: ClusterRegistration) => boolean) },
): Promise<ClusterRegistration> {
  const isThere = (each: ClusterRegistration) =>
    typeof holds === 'string' ? each.status?.phase === holds : holds(each);
  for (let attempt = 1; attempt < ATTEMPTS; attempt++) {
    hub.clock.leap(byMs);
    try {
      await eventually(() => hub.get(name), isThere, { withinMs: WITHIN_MS });
      break;
    } catch {
      // The last attempt says what is wrong.
    }
  }
  return await hub.until(name, holds);
}
