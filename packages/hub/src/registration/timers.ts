/** The shortest time between two passes that nothing but a timer asks for. */
export const FLOOR_MS = 5_000;
/** After which everything is looked at again, whatever the watches say. */
export const SAFETY_RESYNC_MS = 600_000;
/** How often a source is read that nobody may watch. */
export const POLL_MS = 60_000;

const TRANSIENT_MS = 5_000;
const LONGEST_TRANSIENT_MS = 300_000;
const DEGRADED_MS = 15_000;

/** How a registration stands with its member, for the next look. */
export interface HeartbeatPlan {
  readonly intervalMs: number;
  readonly failureThreshold: number;
  /** Looks that failed since the last that did not. */
  readonly failures: number;
}

/** How long to wait after this many failures in a row: 5 s, doubled each time, up to 5 minutes. */
export function transientDelay(failures: number): number {
  return doubled(TRANSIENT_MS, failures - 1, LONGEST_TRANSIENT_MS);
}

/** The time from one look at a member to the next, without jitter. */
export function heartbeatDelay({ intervalMs, failureThreshold, failures }: HeartbeatPlan): number {
  if (failures === 0) return intervalMs;
  const isDegraded = failures >= failureThreshold;
  const delay = isDegraded
    ? doubled(DEGRADED_MS, failures - failureThreshold, intervalMs)
    : transientDelay(failures);
  return Math.min(delay, intervalMs);
}

/** Spreads a time over a tenth below and above it. The runtime adds up to a tenth by itself. */
export function spread(delayMs: number, random: () => number): number {
  return delayMs * (0.9 + 0.1 * random());
}

/** Whether it is time to look, with the tenth by which a timer may come early. */
export function isDue(plan: HeartbeatPlan, sinceLastMs: number | undefined): boolean {
  if (plan.intervalMs === 0) return false;
  return sinceLastMs === undefined || sinceLastMs >= heartbeatDelay(plan) * 0.9 - 1_000;
}

function doubled(first: number, times: number, most: number): number {
  return Math.min(most, first * 2 ** Math.min(30, Math.max(0, times)));
}
