import { brief } from '../brief.ts';
import type { Visit } from '../visit.ts';

const MOST_NAMED = 5;

/** Warns where two registrations lead to one cluster, or a registration to the hub itself. */
export async function compareClusters({ pass, deps, status }: Visit): Promise<void> {
  const clusterID = status.clusterInfo?.clusterID;
  if (clusterID === undefined) {
    const message = 'The member does not tell which cluster it is';
    pass.unknown('DuplicateCluster', 'NotChecked', message);
    return;
  }
  if (clusterID === (await deps.hubClusterID(pass.signal))) {
    pass.mark('DuplicateCluster', 'SameClusterID', 'This cluster is the hub itself');
    return;
  }
  const others = deps.sameCluster(clusterID, pass.key);
  if (others.length === 0) {
    pass.unmet('DuplicateCluster', 'Unique', 'No other registration leads to this cluster');
    return;
  }
  const named = others.slice(0, MOST_NAMED).join(', ');
  const more = others.length > MOST_NAMED ? ` and ${others.length - MOST_NAMED} more` : '';
  const message = `The same cluster is registered by ${named}${more}`;
  pass.mark('DuplicateCluster', 'SameClusterID', brief(message));
}
