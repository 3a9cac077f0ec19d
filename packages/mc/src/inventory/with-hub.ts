import { createClient } from '@flotilla/client';
import type { Hub } from './hub.ts';
import { hubErrorOf } from './hub-error.ts';
import type { InventoryDeps } from './inventory-deps.ts';
import type { ListingHub } from './list-profiles.ts';

/** Asks a hub something; what goes wrong is told with the hub's name. */
export async function withHub<T>(
  hub: Hub,
  deps: InventoryDeps,
  ask: (asked: ListingHub) => Promise<T>,
): Promise<T> {
  const access = await hub.access();
  await using client = createClient(await deps.connect(access));
  try {
    return await ask({ client, hub, deps });
  } catch (error) {
    deps.io.signal.throwIfAborted();
    throw hubErrorOf(error, hub);
  }
}
