import { routeClusters } from '../../../access/route-clusters.ts';
import type { OpenCluster, SetupRun } from '../setup-run.ts';

/** Clusters that are reached without a context need none, and nobody is asked about them. */
export async function leaveReachable(
  open: readonly OpenCluster[],
  run: SetupRun,
): Promise<OpenCluster[]> {
  const { routing, results } = run;
  const { settings } = routing;
  const order = settings.access.order.filter(
    (way) => way !== 'mapping' && way !== 'kubeconfig-match',
  );
  const routings = await routeClusters(
    // A mapping that is broken ends the search for every verb: such a cluster is not reached by other ways.
    open.filter(({ problem }) => problem === undefined).map(({ cluster }) => cluster),
    { ...routing, mayAsk: false, settings: { ...settings, access: { ...settings.access, order } } },
  );
  const clusters = open.filter(({ problem }) => problem === undefined);
  for (const [index, found] of routings.entries()) {
    const name = clusters[index]?.cluster.name;
    if (name === undefined || !('route' in found)) continue;
    results.set(name, { state: 'reachable', detail: `reached by ${found.route.source}` });
  }
  return open.filter(({ cluster }) => !results.has(cluster.name));
}
