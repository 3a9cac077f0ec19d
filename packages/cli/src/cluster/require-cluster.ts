import { type FleetCluster, findCluster } from './fleet.ts';
import type { HubSession } from './hub-session.ts';

/** The cluster of that name; who means none is told what there is to do. */
export async function requireCluster(hub: HubSession, name: string): Promise<FleetCluster> {
  const found = await findCluster(hub, name);
  if (found !== undefined) return found;
  throw new Error(
    `Cannot find cluster "${name}": no such cluster; flotilla cluster list shows all`,
  );
}
