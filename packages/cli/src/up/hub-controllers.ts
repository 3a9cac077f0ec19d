import type { Client } from '@flotilla/client';
import { createHub, defaultHubConfig, type HubConfig, installKinds } from '@flotilla/hub';
import { systemClock } from '@flotilla/machinery';
import type { Logger } from '@flotilla/runtime';

/** What the controllers of a hub in this process need. */
export interface HubControllersOptions {
  readonly client: Client;
  readonly random: () => number;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** How a hub on somebody's own machine works: its members may be there, too. */
export const localHubConfig: HubConfig = {
  ...defaultHubConfig,
  endpoints: { ...defaultHubConfig.endpoints, allowsLoopback: true },
};

/** Installs our kinds, then runs the controllers until the signal; `ended` rejects when they cannot go on. */
export async function startHubControllers(
  options: HubControllersOptions,
): Promise<{ readonly ended: Promise<void> }> {
  const { client, random, logger, signal } = options;
  await installKinds(client, { clusterProfiles: true }, signal);
  const hub = createHub({ client, clock: systemClock, random, logger, config: localHubConfig });
  const ended = hub.run(signal);
  // Whoever waits for it may come later than its failure.
  ended.catch(() => {});
  return { ended };
}
