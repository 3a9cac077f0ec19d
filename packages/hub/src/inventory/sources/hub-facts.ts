import { type Client, Namespaces, Nodes } from '@flotilla/client';
import { isForbidden, isJsonObject } from '@flotilla/machinery';
import { LOCAL_CLUSTER } from '../../cluster-secret/names.ts';
import { vendorHints } from '../vendor/vendor-hints.ts';
import type { ClusterFacts } from './cluster-facts.ts';
import { routeOf } from './route.ts';

/** What of the hub consumers may use; without, they must know the way to it themselves. */
export interface HubRoute {
  readonly server: string;
  /** PEM. */
  readonly ca?: string;
}

/** Asks the hub what it is, for its own profile. */
export async function hubFacts(
  client: Pick<Client, 'raw' | 'get' | 'pages'>,
  route: HubRoute | undefined,
  signal: AbortSignal,
): Promise<ClusterFacts> {
  const version = await client.raw({ path: '/version', signal });
  const system = await client.get(Namespaces, { name: 'kube-system' }, { signal });
  const server = routeOf(route?.server, undefined);
  const providerId = await firstProviderId(client, signal);
  return {
    name: LOCAL_CLUSTER,
    source: 'hub',
    displayName: 'hub',
    labels: {},
    clusterSet: undefined,
    isUnmanaged: false,
    health: { status: 'True', reason: 'Healthy', message: 'The hub answers' },
    joined: { status: 'True', reason: 'Hub', message: 'This is the hub itself' },
    version: gitVersion(version),
    clusterId: system.metadata.uid,
    registration: undefined,
    route: server === undefined ? undefined : { ...server, ca: route?.ca },
    vendor: vendorHints({ marked: [], plain: {}, server: server?.server, providerId }),
  };
}

function gitVersion(answer: unknown): string | undefined {
  const version = isJsonObject(answer) ? answer['gitVersion'] : undefined;
  return typeof version === 'string' ? version : undefined;
}

/** Any node knows where the cluster runs. */
async function firstProviderId(
  client: Pick<Client, 'pages'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    for await (const { items } of client.pages(Nodes, { pageSize: 1, signal })) {
      const id = items[0]?.spec?.['providerID'];
      return typeof id === 'string' ? id : undefined;
    }
  } catch (error) {
    // Worth a hint, not a right that every hub has to give.
    if (!isForbidden(error)) throw error;
  }
  return undefined;
}
