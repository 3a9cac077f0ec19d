import type { Client } from '@flotilla/client';
import { formatKey, keyOfObject } from '@flotilla/machinery';
import { ResourceTrackers } from '../resource-trackers/kinds.ts';
import { trackersNaming } from '../resource-trackers/trackers-naming.ts';
import { collect, isServed } from '../served-kinds.ts';
import { Applications } from './kinds.ts';
import { topologiesOf } from './topology.ts';

/** What looking for references needs of a client of the hub. */
export type ReferencesClient = Pick<Client, 'pages' | 'raw'>;

/** How many are named. */
const NAMED = 10;

/**
 * Who names a cluster, and would be left behind by a new name: at most ten, then how many more there are. A tracker that
 * cannot be read counts, as nobody knows whether it names the cluster.
 */
export async function clusterReferences(
  client: ReferencesClient,
  cluster: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const references: string[] = [];
  if (await isServed(client, Applications, signal)) {
    references.push(
      ...(await collect(client, Applications, {
        signal,
        pick: (application) =>
          topologiesOf(application).topologies.some(({ clusters }) => clusters?.includes(cluster))
            ? `application ${formatKey(keyOfObject(application))}`
            : undefined,
      })),
    );
  }
  if (await isServed(client, ResourceTrackers, signal)) {
    const { naming, unreadable } = await trackersNaming(client, cluster, signal);
    references.push(
      ...naming.map((name) => `resourcetracker ${name}`),
      ...unreadable.map((name) => `resourcetracker ${name} (which cannot be read)`),
    );
  }
  const more = references.length - NAMED;
  return more > 0 ? [...references.slice(0, NAMED), `and ${more} more`] : references;
}
