import { setImmediate } from 'node:timers/promises';
import type { Client } from '@flotilla/client';
import { collect } from '../served-kinds.ts';
import { ResourceTrackers } from './kinds.ts';
import { isOn, trackedResources } from './tracked-resources.ts';

/** Names of the trackers that list something on a cluster, and of those that cannot be read. */
export async function trackersNaming(
  client: Pick<Client, 'pages'>,
  cluster: string,
  signal: AbortSignal,
): Promise<{ naming: string[]; unreadable: string[] }> {
  const unreadable = new Set<string>();
  const naming = await collect(client, ResourceTrackers, {
    signal,
    pick: async (tracker) => {
      // Unpacking takes milliseconds, which others should not have to wait for together.
      if (tracker.spec?.compression?.data !== undefined) await setImmediate();
      const { name = '' } = tracker.metadata;
      try {
        return trackedResources(tracker).some((one) => isOn(one, cluster)) ? name : undefined;
      } catch {
        unreadable.add(name);
        return undefined;
      }
    },
  });
  return { naming, unreadable: [...unreadable] };
}
