import type { FleetCluster } from '../fleet/cluster.ts';
import type { InventoryDeps } from '../inventory/inventory-deps.ts';
import { NoClusters } from '../inventory/no-clusters.ts';
import type { Io } from '../io.ts';
import { type SelectedCluster, selectClusters } from './select-clusters.ts';

/** What choosing clusters needs; the session has it all. */
export interface ChooseDeps extends InventoryDeps {
  readonly io: InventoryDeps['io'] & Pick<Io, 'ask' | 'err' | 'terminal'>;
}

/**
 * The clusters of an inventory that flags and arguments mean. Throws NoClusters for an inventory that is empty, and
 * UsageError when nothing is left of one that is not.
 */
export async function chooseClusters(
  clusters: readonly FleetCluster[],
  deps: ChooseDeps,
  named: readonly string[] = [],
): Promise<SelectedCluster[]> {
  if (clusters.length === 0) throw new NoClusters(deps.settings);
  return await selectClusters(clusters, deps.settings.selection, {
    named,
    warn: deps.warn,
    placement: async (reference) =>
      await (await import('./placement.ts')).placementOf(reference, deps),
    pick: async (listed) =>
      await (await import('./pick-clusters.ts')).pickClusters(listed, deps.io),
  });
}
