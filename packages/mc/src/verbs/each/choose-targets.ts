import { sharedServers } from '../../access/disagreement.ts';
import type { Fleet } from '../../fan-out/fleet.ts';
import type { Session } from '../../session.ts';
import { UsageError } from '../../usage-error.ts';
import type { EachCommand } from './read-command.ts';

/**
 * The clusters that a command runs on. One that may change something needs clusters that were chosen aloud and known to
 * the hub just now, and refuses where it might change what nobody meant.
 */
export async function chooseTargets(
  command: EachCommand,
  session: Pick<Session, 'settings' | 'fleet'>,
): Promise<Fleet> {
  if (command.isRead) return await session.fleet();
  if (!isChosen(session)) {
    const what = command.name === '' ? 'this command' : `"kubectl ${command.name}"`;
    throw new UsageError(
      `Use --all-clusters to run ${what} on all clusters, or --clusters to specify targets`,
    );
  }
  const fleet = await session.fleet(undefined, { forWrites: true });
  refuseDoubtful(fleet);
  return fleet;
}

function isChosen({ settings }: Pick<Session, 'settings'>): boolean {
  const { clusters, clusterSelector, placement, groups, allClusters, pick } = settings.selection;
  return (
    clusters.length > 0 ||
    groups.length > 0 ||
    allClusters ||
    pick ||
    clusterSelector !== undefined ||
    placement !== undefined ||
    settings.kubectl.context !== undefined
  );
}

function refuseDoubtful({ clusters }: Fleet): void {
  const routed = clusters.flatMap(({ cluster, routing }) =>
    'route' in routing ? [{ cluster, route: routing.route }] : [],
  );
  const [shared] = sharedServers(routed);
  if (shared !== undefined) {
    throw new UsageError(
      `Cannot run it on ${shared.join(' and ')}: they are one and the same server, which would be changed twice. Leave out all but one with --exclude`,
    );
  }
  const other = routed.find(({ route }) => route.mismatch !== undefined);
  if (other !== undefined) {
    throw new UsageError(
      `Cannot run it on ${other.cluster.name}: ${other.route.mismatch}. Pin the server in the mapping file if it is the right one, or leave it out with --exclude`,
    );
  }
  const guarded = routed.filter(({ cluster }) => cluster.mapping?.protected === true);
  if (guarded.length > 0) {
    const names = guarded.map(({ cluster }) => cluster.name).join(', ');
    throw new UsageError(
      `Cannot run it on protected clusters (${names}): nothing that each runs can be shown before it is done. Leave them out with --exclude`,
    );
  }
}
