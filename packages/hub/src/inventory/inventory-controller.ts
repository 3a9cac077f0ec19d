import { ClusterProfiles } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import type { Clock, Kind } from '@flotilla/machinery';
import type { Controller } from '@flotilla/runtime';
import { prepareInventory } from './prepare-inventory.ts';
import type { HubRoute } from './sources/hub-facts.ts';

/** What the inventory holds, and where. */
export interface InventoryConfig {
  /** Where profiles are. */
  readonly namespace: string;
  /** Whether clusters that no registration looks after are in it, too. */
  readonly includesUnregistered: boolean;
  readonly includesHub: boolean;
  /** Where cluster Secrets are. */
  readonly gatewayNamespace: string;
  /** The way to the hub for consumers, where they are to have one. */
  readonly hubRoute?: HubRoute;
}

/** What the inventory is made of. */
export interface InventoryDeps {
  readonly client: Client;
  readonly clock: Clock;
  readonly config: InventoryConfig;
}

/**
 * Writes all ClusterProfiles of the hub: from registrations, from cluster Secrets without one, and of the hub itself. One
 * controller, so that a cluster has one profile whoever speaks for it, and keeps it when the speaker changes.
 */
export function inventoryControllers(deps: InventoryDeps): readonly Controller[] {
  const listeners = new Set<(name: string) => void>();
  return [
    {
      name: 'inventory',
      kind: ClusterProfiles as unknown as Kind,
      prepare: (context) => prepareInventory(deps, context, listeners),
      enqueue: ({ name }) => {
        for (const listener of listeners) listener(name);
      },
    },
  ];
}
