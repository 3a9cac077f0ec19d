import type { Fleet } from '../../../fan-out/fleet.ts';
import { openFleet } from '../../../open-fleet.ts';
import type { Session } from '../../../session.ts';

/** The clusters that flags mean, or the one that is named, each with its way. Nobody is asked to trust anything. */
export async function quietFleet(session: Session, cluster: string | undefined): Promise<Fleet> {
  const finder = openFleet({ ...session, mayAsk: false });
  return await finder.choose(await session.inventory(), cluster === undefined ? [] : [cluster]);
}
