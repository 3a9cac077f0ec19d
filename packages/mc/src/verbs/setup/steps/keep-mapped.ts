import type { RoutedCluster } from '../../../fan-out/fleet.ts';
import type { FleetCluster } from '../../../fleet/cluster.ts';
import { isAnotherCluster, tryMapping } from '../accept-contexts.ts';
import type { OpenCluster, SetupRun } from '../setup-run.ts';
import { verifyClusters } from '../verify-clusters.ts';

/** Clusters whose mapping works stay as they are; so do those that are contexts themselves. */
export async function keepMapped(
  clusters: readonly FleetCluster[],
  run: SetupRun,
): Promise<OpenCluster[]> {
  const open: OpenCluster[] = [];
  const kept: RoutedCluster[] = [];
  for (const cluster of clusters) {
    const { mapping, context } = cluster;
    const isMapped = mapping?.context !== undefined || mapping?.kubeconfig !== undefined;
    if (context !== undefined && !isMapped) {
      run.results.set(cluster.name, { state: 'kept', context, detail: 'it is a context itself' });
      continue;
    }
    const found = isMapped ? await tryMapping(cluster, run) : { problem: undefined };
    if ('route' in found) {
      kept.push({ cluster, routing: { route: found.route }, isNamed: true });
    } else open.push({ cluster, problem: found.problem });
  }

  const { isVerifying, isDryRun } = run.choices;
  const verified =
    isVerifying && !isDryRun && kept.length > 0
      ? await verifyClusters(kept, run.session)
      : undefined;
  for (const { cluster, routing } of kept) {
    if (!('route' in routing)) continue;
    const { context = '' } = routing.route;
    const verification = verified?.get(cluster.name);
    if (isAnotherCluster(verification)) {
      open.push({ cluster, problem: `context ${context} leads to another cluster` });
    } else {
      const detail = routing.route.mismatch ?? 'already mapped';
      run.results.set(cluster.name, { state: 'kept', context, detail, verification });
    }
  }
  return open;
}
