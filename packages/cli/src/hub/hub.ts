import { createClient, createTransport, loadKubeconfig, resolveAccess } from '@flotilla/client';
import { createHub, createMint, installKinds, type WebhookPlace } from '@flotilla/hub';
import { systemClock as clock } from '@flotilla/machinery';
import {
  createClientMeter,
  createHealth,
  createLogger,
  createMetrics,
  type HealthCheck,
  type LeaderElection,
  serveRoutes,
} from '@flotilla/runtime';
import type { Io } from '../io.ts';
import { HUB_NAME, type HubCommandConfig } from './config.ts';

/** Where a Service is expected to listen. */
const WEBHOOK_SERVICE_PORT = 443;

/** Runs the controllers of a hub against a Kubernetes API server until the process is told to end. */
export async function runHub(
  config: HubCommandConfig,
  io: Pick<Io, 'err' | 'env' | 'homeFolder' | 'signal'>,
  random: () => number,
): Promise<number> {
  const { env, signal } = io;
  const logger = createLogger({ sink: { write: io.err }, clock, level: config.logLevel });
  const kubeconfig = await loadKubeconfig({ env, home: io.homeFolder, path: config.kubeconfig });
  const access = await resolveAccess(kubeconfig, { env, context: config.context });
  const metrics = createMetrics({ processMetrics: true });
  const { meter } = createClientMeter(metrics, { clock });
  const transport = createTransport({ access, clock, random, env });
  await using client = createClient(meter(transport, 'hub'));
  if (config.installs) await installKinds(client, { clusterProfiles: false }, signal);
  const mint = createMint({ clock, logger });
  const hub = createHub({
    client,
    clock,
    random,
    logger,
    metrics,
    config: config.hub,
    hubAddress: { server: access.server, ca: access.tls.ca },
    ...(config.hub.execProfiles.length === 0
      ? {}
      : { runExec: mint.mint, forgetCredential: mint.forget }),
    ...leaderElection(config),
    ...webhook(config),
  });
  await using _ = await serveMetrics();
  logger.info('Running the controllers of the hub', { server: access.server });
  await hub.run(signal);
  return 0;

  async function serveMetrics(): Promise<AsyncDisposable | undefined> {
    if (config.metrics === undefined) return undefined;
    // The checks of the manager come when it runs; until then the process is alive and not ready.
    const checks: HealthCheck[] = ['livez', 'readyz'].map((endpoint) => ({
      name: `hub-${endpoint}`,
      on: [endpoint as 'livez' | 'readyz'],
      check: async (asked) => {
        const wanted = hub.checks.filter(({ on }) => on.includes(endpoint as 'livez' | 'readyz'));
        if (endpoint === 'readyz' && wanted.length === 0) throw new Error('Not started');
        for (const { check } of wanted) await check(asked);
      },
    }));
    const health = createHealth({ checks, clock, logger });
    return serveRoutes({ ...config.metrics, routes: [metrics.route, health], logger });
  }
}

function leaderElection({ leaseNamespace, identity }: HubCommandConfig): {
  leaderElection?: LeaderElection;
} {
  if (leaseNamespace === undefined) return {};
  return { leaderElection: { namespace: leaseNamespace, name: HUB_NAME, identity } };
}

function webhook({ webhook: wanted }: HubCommandConfig): { webhook?: WebhookPlace } {
  if (wanted === undefined) return {};
  const { port, namespace, name } = wanted;
  return {
    webhook: {
      port,
      reachedAt: { service: { namespace, name, port: WEBHOOK_SERVICE_PORT } },
      secret: { namespace, name: `${HUB_NAME}-webhook` },
    },
  };
}
