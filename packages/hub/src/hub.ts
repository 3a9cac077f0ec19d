import { lookup } from 'node:dns/promises';
import { type Client, createInformers, Namespaces } from '@flotilla/client';
import { type Clock, isAlreadyExists, isForbidden } from '@flotilla/machinery';
import {
  type Controller,
  createManager,
  type HealthCheck,
  type LeaderElection,
  type Logger,
  type Metrics,
  silentLogger,
} from '@flotilla/runtime';
import { findGateway } from './cluster-secret/gateway-namespace.ts';
import { DEFAULT_GATEWAY_NAMESPACE } from './cluster-secret/names.ts';
import { inventoryControllers } from './inventory/inventory-controller.ts';
import { createRegistration } from './registration/create-registration.ts';
import type { EndpointPolicy, ResolveHost } from './registration/endpoint/endpoint-policy.ts';
import type { ExecProfile } from './registration/exec-profiles/exec-profile.ts';
import type { Mint, MintCredential } from './registration/exec-profiles/mint-credential.ts';
import {
  type RegistrationWebhook,
  startRegistrationWebhook,
  type WebhookPlace,
} from './registration/webhook/registration-webhook.ts';
import type { FindByName } from './registration/webhook/review-registration.ts';

/** How a hub is to work. */
export interface HubConfig {
  /** Where cluster Secrets are, unless the gateway's APIService says otherwise. */
  readonly gatewayNamespace: string;
  /** Where ClusterProfiles are. */
  readonly inventoryNamespace: string;
  /** Namespaces whose Secrets registrations of the gateway namespace may read. */
  readonly sourceNamespaces: readonly string[] | 'all';
  readonly endpoints: EndpointPolicy;
  readonly allowInsecureTls: boolean;
  readonly execProfiles: readonly ExecProfile[];
  /** Passes over registrations at the same time; most of them wait for a member. */
  readonly concurrency: number;
  /** Whether ClusterProfiles are written at all. */
  readonly publishesInventory: boolean;
  /** Whether cluster Secrets without a registration are in the inventory. */
  readonly includesUnregistered: boolean;
  /** Whether the hub itself is in the inventory. */
  readonly includesHub: boolean;
}

/** What a hub is like unless it is told otherwise. */
export const defaultHubConfig: HubConfig = {
  gatewayNamespace: DEFAULT_GATEWAY_NAMESPACE,
  inventoryNamespace: 'flotilla-inventory',
  sourceNamespaces: ['default'],
  endpoints: { allow: [], deny: [], allowsLoopback: false },
  allowInsecureTls: false,
  execProfiles: [],
  concurrency: 32,
  publishesInventory: true,
  includesUnregistered: true,
  includesHub: false,
};

/** What a hub is made of. */
export interface HubOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: () => number;
  readonly config: HubConfig;
  /** @default says nothing */
  readonly logger?: Logger;
  /** @default counts nothing */
  readonly metrics?: Metrics;
  /** Without, this process takes itself for the only one. */
  readonly leaderElection?: LeaderElection;
  /** The hub as agents on members reach it. @default unknown: those agents have to be told otherwise */
  readonly hubAddress?: { readonly server: string; readonly ca: string | undefined };
  /** Runs commands of exec profiles. @default none is ever run */
  readonly runExec?: MintCredential;
  /** @default the machine's resolver */
  readonly resolveHost?: ResolveHost;
  /** Told of a credential that a member refused; for whoever keeps what commands printed. @default nobody */
  readonly forgetCredential?: Mint['forget'];
  /** Where to serve the admission webhook. @default nowhere: it only tells early what the status tells anyway */
  readonly webhook?: WebhookPlace;
  /** Further controllers of the same process. */
  readonly controllers?: readonly Controller[];
}

/** The controllers of a hub. */
export interface Hub {
  /** Runs once, until the signal is aborted and everything has ended. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** For the health endpoints; empty until it runs. */
  readonly checks: readonly HealthCheck[];
}

const HUB_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;

/**
 * Makes the controllers of a hub, on any Kubernetes API that has our kinds.
 *
 * @example
 * const hub = createHub({ client, clock: systemClock, random: Math.random, config: defaultHubConfig });
 * await hub.run(signal);
 */
export function createHub(options: HubOptions): Hub {
  const { client, clock, random, config, logger = silentLogger } = options;
  const checks: HealthCheck[] = [];

  async function run(asked: AbortSignal): Promise<void> {
    const gatewayNamespace = await findNamespace(asked);
    if (gatewayNamespace === undefined) return;
    const informers = createInformers({
      client,
      clock,
      random,
      report: (err) => logger.warn('An informer met a failure', { err }),
    });
    const registration = createRegistration({
      client,
      informers,
      clock,
      random,
      logger,
      gatewayNamespace,
      concurrency: config.concurrency,
      metrics: options.metrics,
      forgetCredential: options.forgetCredential,
      hubAddress: options.hubAddress ?? { server: '', ca: undefined },
      source: {
        policy: {
          gatewayNamespace,
          sourceNamespaces: namespacesOf(config, gatewayNamespace),
          allowInsecureTls: config.allowInsecureTls,
          endpoints: config.endpoints,
          execProfiles: config.execProfiles,
        },
        resolveHost: options.resolveHost ?? resolveHost,
        runExec: options.runExec,
      },
    });
    const manager = createManager({
      client,
      informers,
      clock,
      random,
      logger,
      name: 'flotilla.dev/hub',
      controllers: [
        registration.controller,
        ...inventory(gatewayNamespace),
        ...(options.controllers ?? []),
      ],
      ...(options.metrics === undefined ? {} : { observer: options.metrics.observer }),
      ...(options.leaderElection === undefined ? {} : { leaderElection: options.leaderElection }),
    });
    checks.push(...manager.checks);
    // The caches outlive the passes that read them, and whoever fails ends all.
    const caches = new AbortController();
    const beside = new AbortController();
    const signal = AbortSignal.any([asked, beside.signal]);
    const informing = informers.start(caches.signal);
    const running = manager.run(signal);
    const besides = informers.synced(signal).then(async () => {
      await using _ = await serveWebhook(registration.findByName, signal);
      await registration.runBeside(() => manager.isLeading, signal);
    });
    try {
      await Promise.race([running, untilFailed(besides, signal)]);
    } finally {
      beside.abort();
      await Promise.allSettled([running, besides]);
      caches.abort();
      await informing;
    }
    await running;
  }

  function inventory(gatewayNamespace: string): readonly Controller[] {
    const { publishesInventory, inventoryNamespace, includesUnregistered, includesHub } = config;
    if (!publishesInventory) return [];
    const namespace = inventoryNamespace;
    const { hubAddress } = options;
    return inventoryControllers({
      client,
      clock,
      config: {
        namespace,
        includesUnregistered,
        includesHub,
        gatewayNamespace,
        ...(hubAddress === undefined
          ? {}
          : {
              hubRoute: {
                server: hubAddress.server,
                ...(hubAddress.ca === undefined ? {} : { ca: hubAddress.ca }),
              },
            }),
      },
    });
  }

  /** Serves the webhook where that is wanted. One that cannot be served keeps nothing else from working. */
  async function serveWebhook(
    findByName: FindByName,
    signal: AbortSignal,
  ): Promise<RegistrationWebhook | undefined> {
    const { webhook: place } = options;
    if (place === undefined) return undefined;
    try {
      return await startRegistrationWebhook({ client, clock, logger, place, findByName }, signal);
    } catch (err) {
      if (!signal.aborted) logger.error('Cannot serve the admission webhook', { err });
      return undefined;
    }
  }

  /** Waits for the hub: a controller that starts before its API server is nothing unusual. */
  async function findNamespace(signal: AbortSignal): Promise<string | undefined> {
    for (let delay = HUB_RETRY_MS; ; delay = Math.min(LONGEST_RETRY_MS, delay * 2)) {
      try {
        const { namespace } = await findGateway(client.get, config.gatewayNamespace, signal);
        await ensureNamespace(client, namespace, signal);
        return namespace;
      } catch (err) {
        if (signal.aborted) return undefined;
        logger.warn('Cannot use the hub yet', { err });
        await clock.wait(delay, signal).catch(() => {});
        if (signal.aborted) return undefined;
      }
    }
  }

  return { run, checks };
}

/** Settles only with a failure of its own; that it is told to end is none. */
function untilFailed(work: Promise<void>, signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    work.catch((error: unknown) => {
      if (!signal.aborted) reject(error as Error);
    });
  });
}

/** The gateway namespace is KubeVela's where that is installed; elsewhere somebody has to make it. */
async function ensureNamespace(
  client: Pick<Client, 'create'>,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    await client.create(Namespaces, namespace, { signal });
  } catch (error) {
    // Without the right to it the namespace must be there already; registrations say so where it is not.
    if (!isAlreadyExists(error) && !isForbidden(error)) throw error;
  }
}

function namespacesOf(
  { sourceNamespaces }: HubConfig,
  gatewayNamespace: string,
): readonly string[] | 'all' {
  return sourceNamespaces === 'all' ? 'all' : [...sourceNamespaces, gatewayNamespace];
}

async function resolveHost(host: string): Promise<readonly string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    return [];
  }
}
