import type { Client } from '@flotilla/client';
import { isConflict, isNotFound } from '@flotilla/machinery';
import { isServed } from '../served-kinds.ts';
import { ResourceTrackers } from './kinds.ts';
import { isOn, trackedResources, withTrackedResources } from './tracked-resources.ts';
import { trackersNaming } from './trackers-naming.ts';

/** What scrubbing needs of a client of the hub. */
export type TrackersClient = Pick<Client, 'get' | 'pages' | 'replace' | 'raw'>;

/** How many trackers were written, and how many could not be read or written. */
export interface ScrubResult {
  readonly changed: number;
  readonly failed: number;
}

const TRIES = 5;

/**
 * Takes the entries of a cluster out of KubeVela's ResourceTrackers, so that Applications do not wait for a cluster that
 * is gone. What was deployed stays where it is. Throws where trackers cannot be listed; one that fails costs no other.
 */
export async function scrubResourceTrackers(
  client: TrackersClient,
  cluster: string,
  signal: AbortSignal,
): Promise<ScrubResult> {
  if (!(await isServed(client, ResourceTrackers, signal))) return { changed: 0, failed: 0 };
  const { naming, unreadable } = await trackersNaming(client, cluster, signal);
  let changed = 0;
  let failed = unreadable.length;
  for (const name of naming) {
    try {
      if (await scrubOne(client, { name, cluster }, signal)) changed += 1;
    } catch {
      signal.throwIfAborted();
      failed += 1;
    }
  }
  return { changed, failed };
}

/** Whether anything had to be written. */
async function scrubOne(
  client: TrackersClient,
  { name, cluster }: { name: string; cluster: string },
  signal: AbortSignal,
): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      const tracker = await client.get(ResourceTrackers, { name }, { signal });
      const resources = trackedResources(tracker);
      const others = resources.filter((one) => !isOn(one, cluster));
      if (others.length === resources.length) return false;
      // A whole write, as KubeVela's own: merge patches lose the nulls inside of lists.
      await client.replace(ResourceTrackers, withTrackedResources(tracker, others), { signal });
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      if (!isConflict(error) || attempt === TRIES) throw error;
    }
  }
}
