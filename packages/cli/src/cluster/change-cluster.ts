import { type ClusterRegistration, ClusterRegistrations } from '@flotilla/api';
import { Secrets } from '@flotilla/client';
import type { KubeObject } from '@flotilla/machinery';
import { type FleetCluster, ManagedClusters } from './fleet.ts';
import type { HubSession } from './hub-session.ts';

/** What to change of a cluster, by what makes it one: merge patches; null removes. */
export interface ClusterChange {
  readonly registration: object;
  /** Of a cluster Secret or a ManagedCluster. */
  readonly metadata: object;
}

/** Changes the object that makes it a cluster, onto the version that was seen. */
export async function changeCluster(
  hub: HubSession,
  cluster: FleetCluster,
  change: ClusterChange,
): Promise<KubeObject> {
  const { client, io } = hub;
  const { signal } = io;
  const write = { type: 'merge', fieldManager: 'flotilla-cli', signal } as const;
  if (cluster.registration !== undefined) {
    const key = keyOf(cluster.registration);
    return await client.patch<ClusterRegistration>(ClusterRegistrations, key, {
      ...write,
      body: change.registration,
    });
  }
  const body = (object: KubeObject) => ({
    metadata: { ...change.metadata, resourceVersion: object.metadata.resourceVersion },
  });
  if (cluster.secret !== undefined) {
    return await client.patch(Secrets, keyOf(cluster.secret), {
      ...write,
      body: body(cluster.secret),
    });
  }
  if (cluster.managedCluster !== undefined) {
    return await client.patch(ManagedClusters, keyOf(cluster.managedCluster), {
      ...write,
      body: body(cluster.managedCluster),
    });
  }
  throw new Error(`Cannot change cluster "${cluster.name}": it is the hub itself`);
}

/** Namespace and name of an object that came from the hub. */
export function keyOf({ metadata }: KubeObject): { namespace?: string; name: string } {
  const { namespace, name = '' } = metadata;
  return namespace === undefined ? { name } : { namespace, name };
}
