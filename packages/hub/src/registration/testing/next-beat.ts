import type { ClusterRegistration } from '@flotilla/api';
import { eventually } from '@flotilla/testkit';
import type { TestHub } from './world.ts';

/** More than the default interval of heartbeats, jitter included. */
const LEAP_MS = 6 * 60_000;
const ATTEMPTS = 4;
const BEAT_WITHIN_MS = 5_000;

/**
 * Sets the clock forth until the member is looked at again. A status can be read a moment before the pass that wrote it
 * has set its next alarm, which then counts from after the leap: so there may have to be another.
 */
export async function nextBeat(hub: TestHub, name: string): Promise<ClusterRegistration> {
  const last = (await hub.get(name)).status?.lastHeartbeatTime;
  const hasBeaten = ({ status }: ClusterRegistration) => status?.lastHeartbeatTime !== last;
  for (let attempt = 1; attempt < ATTEMPTS; attempt++) {
    hub.clock.leap(LEAP_MS);
    try {
      await eventually(() => hub.get(name), hasBeaten, { withinMs: BEAT_WITHIN_MS });
      break;
    } catch {
      // The last attempt says what is wrong.
    }
  }
  return hub.until(name, hasBeaten);
}
