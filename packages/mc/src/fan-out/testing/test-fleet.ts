import { type Access, Pods } from '@flotilla/client';
import { type Clock, systemClock } from '@flotilla/machinery';
import type { FleetCluster } from '../../fleet/cluster.ts';
import type { Route } from '../../fleet/route.ts';
import type { Settings } from '../../settings/settings.ts';
import { accessTo } from '../../testing/raw-member.ts';
import type { FanOutDeps } from '../create-fan-out.ts';
import type { Fleet, RoutedCluster } from '../fleet.ts';
import type { Member } from '../member.ts';
import type { Outcome } from '../outcome.ts';

/** A cluster of a test as the inventory would tell of it. */
export function clusterOf(name: string, changes: Partial<FleetCluster> = {}): FleetCluster {
  return {
    name,
    aliases: [],
    labels: {},
    properties: {},
    version: '',
    health: 'unknown',
    offers: [],
    ...changes,
  };
}

/** A route that leads to an access. */
export function routeOf(access: Access, changes: Partial<Route> = {}): Route {
  return {
    kind: 'mapping',
    source: 'context "test"',
    server: access.server,
    namespace: access.namespace,
    caSource: 'context "test"',
    open: async () => access,
    ...changes,
  };
}

/** A cluster with its route. */
export function routed(
  name: string,
  access: Access,
  { cluster = {}, route = {} }: { cluster?: Partial<FleetCluster>; route?: Partial<Route> } = {},
): RoutedCluster {
  return {
    cluster: clusterOf(name, cluster),
    routing: { route: routeOf(access, route) },
    isNamed: false,
  };
}

/** Clusters of these names at these accesses. */
export function fleetOf(members: Readonly<Record<string, Access>>): Fleet {
  return { clusters: Object.entries(members).map(([name, access]) => routed(name, access)) };
}

/** The settings' defaults where a run looks at them. */
export function settingsOf(
  execution: Partial<Settings['execution']> = {},
  others: Partial<Pick<Settings, 'verbosity' | 'discovery' | 'kubectl'>> = {},
): FanOutDeps['settings'] {
  return {
    execution: {
      maxConcurrency: 10,
      timeoutMs: 30_000,
      connectTimeoutMs: 5_000,
      retries: 1,
      unhealthy: 'last',
      failFast: false,
      allowPartial: false,
      requireAll: false,
      ...execution,
    },
    discovery: { cacheTtlMs: 300_000, api: 'clusterprofile', refresh: false, noCache: true },
    kubectl: { namespaces: [], asGroups: [], insecureSkipTlsVerify: false },
    verbosity: 0,
    ...others,
  };
}

/** What a run needs, and what it said. */
export function testDeps(
  changes: Partial<FanOutDeps> & { clock?: Clock; signal?: AbortSignal } = {},
): FanOutDeps & { notes: string[]; warnings: string[] } {
  const { clock = systemClock, signal = new AbortController().signal, ...others } = changes;
  const notes: string[] = [];
  const warnings: string[] = [];
  return {
    io: { clock, random: () => 0, env: {}, signal },
    settings: settingsOf(),
    paths: { cache: '/nowhere' },
    note: (_level, text) => void notes.push(text),
    warn: (text) => void warnings.push(text),
    notes,
    warnings,
    ...others,
  };
}

/** The names of the pods of a member: one list. */
export async function podNames({ client, signal }: Member): Promise<string[]> {
  const { items } = await client.list(Pods, { signal });
  return items.map(({ metadata }) => metadata.name ?? '');
}

/** Never answers, and ends with the member's signal. */
export function forever({ signal }: Member): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

/** Outcomes by the names of their clusters. */
export function statuses(outcomes: readonly Outcome<unknown>[]): Record<string, string> {
  return Object.fromEntries(outcomes.map(({ cluster, status }) => [cluster.name, status]));
}

/** Where nobody listens; for runs that open members and ask nothing over the wire. */
export const NOWHERE: Access = accessTo('https://127.0.0.1:1');

/** Clusters of these names that nobody will find. */
export function fleetNowhere(...names: string[]): Fleet {
  return { clusters: names.map((name) => routed(name, NOWHERE)) };
}
