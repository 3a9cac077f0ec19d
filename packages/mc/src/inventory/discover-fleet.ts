import type { FleetCluster } from '../fleet/cluster.ts';
import { askHub, type DiscoverOptions } from './ask-hub.ts';
import { attachMapping } from './attach-mapping.ts';
import { clusterNamedByContext, clustersOfKubeconfig } from './from-kubeconfig.ts';
import { type Hub, hubsOf } from './hub.ts';
import { HubError } from './hub-error.ts';
import type { InventoryDeps } from './inventory-deps.ts';
import { type FoundProfile, mergeProfiles } from './merge-profiles.ts';

/**
 * Every cluster there is, in the order of names, each with its entry of the mapping file. With `--context` that is the
 * cluster of this context alone.
 */
export async function discoverFleet(
  deps: InventoryDeps,
  options: DiscoverOptions = {},
): Promise<readonly FleetCluster[]> {
  // In this order, since nobody waits for the mapping when there is no fleet.
  const clusters = await foundClusters(deps, options);
  const { clusters: entries } = await deps.mapping();
  return attachMapping(clusters, entries, deps.warn);
}

async function foundClusters(
  deps: InventoryDeps,
  options: DiscoverOptions,
): Promise<readonly FleetCluster[]> {
  const { kubectl, discovery } = deps.settings;
  if (kubectl.context !== undefined) {
    return [clusterNamedByContext(kubectl.context, await deps.kubeconfig())];
  }
  if (discovery.api === 'clusterprofile') return await clustersOfHubs(deps, options);
  if (discovery.api === 'kubeconfig') return clustersOfKubeconfig(await deps.kubeconfig());
  if (discovery.api === 'about') {
    const { clustersByAbout } = await import('./from-about.ts');
    return await clustersByAbout(await deps.kubeconfig(), deps, options);
  }
  const { clustersOfFile } = await import('./from-file.ts');
  return await clustersOfFile(discovery.api.file, deps.io);
}

async function clustersOfHubs(
  deps: InventoryDeps,
  options: DiscoverOptions,
): Promise<FleetCluster[]> {
  const hubs = await hubsOf(deps);
  const answers = await Promise.allSettled(hubs.map((hub) => profilesOf(hub, deps, options)));
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const failed = answers.flatMap((answer) =>
    answer.status === 'rejected' ? [answer.reason as unknown] : [],
  );
  const isBearable =
    deps.settings.execution.allowPartial &&
    options.forWrites !== true &&
    failed.length < hubs.length &&
    failed.every((error) => error instanceof HubError);
  if (failed.length > 0 && !isBearable) throw failed[0];
  for (const error of failed as HubError[]) deps.warn(error.message);
  return mergeProfiles(found);
}

async function profilesOf(
  hub: Hub,
  deps: InventoryDeps,
  options: DiscoverOptions,
): Promise<FoundProfile[]> {
  const { profiles, clustersets } = await askHub(hub, deps, options);
  return profiles.map((record) => ({
    record,
    hub: hub.context,
    clusterset:
      clustersets !== undefined && Object.hasOwn(clustersets, record.namespace)
        ? clustersets[record.namespace]
        : undefined,
  }));
}
