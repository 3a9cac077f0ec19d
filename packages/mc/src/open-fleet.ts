import { statSync } from 'node:fs';
import type { Access } from '@flotilla/client';
import { createCredentials } from './access/credentials/create-credentials.ts';
import type { RoutingDeps } from './access/routing-deps.ts';
import type { Fleet, RoutedCluster } from './fan-out/fleet.ts';
import type { FleetCluster } from './fleet/cluster.ts';
import type { DiscoverOptions } from './inventory/ask-hub.ts';
import { discoverFleet } from './inventory/discover-fleet.ts';
import { hubAccess } from './inventory/hub.ts';
import type { InventoryDeps } from './inventory/inventory-deps.ts';
import { chooseClusters } from './selection/choose-clusters.ts';
import { type SelectedCluster, wantsClustersets } from './selection/select-clusters.ts';
import type { Session } from './session.ts';
import type { ClusterMapping } from './settings/mapping-file.ts';

/** What finding a fleet needs: the part of a session that is there without it. */
export type FinderDeps = Pick<
  Session,
  'io' | 'settings' | 'paths' | 'note' | 'warn' | 'kubeconfig'
> &
  Pick<RoutingDeps, 'mayAsk'>;

/** Finds clusters, and the ways to them. */
export interface FleetFinder {
  /** Every cluster there is, before selection. */
  readonly inventory: (options?: DiscoverOptions) => Promise<readonly FleetCluster[]>;
  /** Those of an inventory that flags and arguments mean, each with its way. */
  readonly choose: (clusters: readonly FleetCluster[], named?: readonly string[]) => Promise<Fleet>;
  /** The same before ways are looked for. */
  readonly select: (
    clusters: readonly FleetCluster[],
    named?: readonly string[],
  ) => Promise<SelectedCluster[]>;
  /** What both are done with, for those who ask a hub, or look for one kind of way, themselves. */
  readonly deps: InventoryDeps & RoutingDeps;
}

/** Puts inventory, selection and access together; each reads and asks when it is needed. */
export function openFleet(session: FinderDeps): FleetFinder {
  const { settings, paths } = session;
  let mapping: Promise<ClusterMapping> | undefined;
  const deps = {
    ...session,
    credentials: createCredentials(session),
    mapping: async (): Promise<ClusterMapping> => {
      mapping ??= mappingAt(paths.mapping);
      return await mapping;
    },
    connect: async (access: Access) =>
      (await import('./connect-hub.ts')).connectHub(access, session),
  };
  const routing: RoutingDeps = {
    ...session,
    credentials: deps.credentials,
    hub: async (cluster) => await hubAccess(cluster, deps),
  };
  const select: FleetFinder['select'] = async (clusters, named) =>
    await chooseClusters(clusters, deps, named);
  return {
    deps: { ...deps, ...routing },
    inventory: async (options) =>
      await discoverFleet(deps, {
        wantsClustersets: wantsClustersets(settings.selection),
        ...options,
      }),
    select,
    choose: async (clusters, named) => {
      const chosen = await select(clusters, named);
      const { routeClusters } = await import('./access/route-clusters.ts');
      const routings = await routeClusters(
        chosen.map(({ cluster }) => cluster),
        routing,
      );
      return {
        clusters: chosen.flatMap(({ cluster, isNamed }, index): RoutedCluster[] => {
          const found = routings[index];
          return found === undefined ? [] : [{ cluster, isNamed, routing: found }];
        }),
      };
    },
  };
}

/** Those who have no mapping file need no parser for it. */
async function mappingAt(path: string): Promise<ClusterMapping> {
  if (isMissing(path)) return { clusters: [] };
  const { readMapping } = await import('./settings/mapping-file.ts');
  return await readMapping(path);
}

/** What else is wrong with it, whoever reads it says. */
function isMissing(path: string): boolean {
  try {
    statSync(path);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
