import { createHash } from 'node:crypto';

/**
 * Says on an Application for which events it was refreshed, in the same write that refreshes it: whoever comes second,
 * or again after a crash, sees that nothing is left to do. What asks for the restart cannot say so itself, since
 * KubeVela takes `restart-workflow` off as soon as it has read it.
 */
export const REFRESHED_FOR = 'multicluster.oam.dev/refreshed-for';

/**
 * How many events are remembered. An event has to be remembered only until its registration has written down that it is
 * over, so this is how many registrations may be refreshing one Application at the same time. The list is short because
 * KubeVela hands annotations of Applications on to what it deploys.
 */
const REMEMBERED = 64;

const DIGEST_LENGTH = 12;

/** A short name of an event, of hex digits. */
export function eventDigest(token: string): string {
  return createHash('sha256').update(token).digest('hex').slice(0, DIGEST_LENGTH);
}

/** Whether an Application with these annotations was refreshed for an event. */
export function wasRefreshedFor(
  annotations: Readonly<Record<string, string>>,
  digest: string,
): boolean {
  return eventsIn(annotations).includes(digest);
}

/** The annotation's value once an event more is remembered; the newest is the last. */
export function refreshedForToo(
  annotations: Readonly<Record<string, string>>,
  digest: string,
): string {
  return [...eventsIn(annotations), digest].slice(-REMEMBERED).join(',');
}

function eventsIn(annotations: Readonly<Record<string, string>>): string[] {
  return (annotations[REFRESHED_FOR] ?? '').split(',').filter((one) => one !== '');
}
