import type { Client } from '@flotilla/client';
import {
  createHub,
  createMint,
  defaultHubConfig,
  type ExecProfile,
  type HubConfig,
  installKinds,
} from '@flotilla/hub';
import { systemClock } from '@flotilla/machinery';
import type { Logger } from '@flotilla/runtime';

/** What the controllers of a hub in this process need. */
export interface HubControllersOptions {
  readonly client: Client;
  readonly random: () => number;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** How the hub is reached, for its own entry in the inventory and for agents of members. */
  readonly address: { readonly server: string; readonly ca: string };
  /** Whether members may be on this machine. */
  readonly dialsLoopback: boolean;
  /** Commands that kubeconfigs of members may name. */
  readonly execProfiles: readonly ExecProfile[];
}

/** How a hub of our own works: who may write to its gateway namespace is its admin, and may use any Secret. */
export function embeddedHubConfig({
  dialsLoopback,
  execProfiles,
}: Pick<HubControllersOptions, 'dialsLoopback' | 'execProfiles'>): HubConfig {
  return {
    ...defaultHubConfig,
    sourceNamespaces: 'all',
    execProfiles,
    endpoints: { ...defaultHubConfig.endpoints, allowsLoopback: dialsLoopback },
  };
}

/** Installs our kinds, then runs the controllers until the signal; `ended` rejects when they cannot go on. */
export async function startHubControllers(
  options: HubControllersOptions,
): Promise<{ readonly ended: Promise<void> }> {
  const { client, random, logger, signal, address } = options;
  await installKinds(client, { clusterProfiles: true }, signal);
  const mint = createMint({ clock: systemClock, logger });
  const hub = createHub({
    client,
    clock: systemClock,
    random,
    logger,
    ...(options.execProfiles.length === 0
      ? {}
      : { runExec: mint.mint, forgetCredential: mint.forget }),
    config: embeddedHubConfig(options),
    hubAddress: address,
  });
  const ended = hub.run(signal);
  // Whoever waits for it may come later than its failure.
  ended.catch(() => {});
  return { ended };
}
