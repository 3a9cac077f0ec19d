import { createClient, type Kubeconfig, resolveAccess } from '@flotilla/client';
import { defineKind, isDNS1123Subdomain, type KubeObject } from '@flotilla/machinery';
import type { FleetCluster } from '../fleet/cluster.ts';
import { type DiscoverOptions, keepHub } from './ask-hub.ts';
import { fieldOf, pairsOf } from './fields.ts';
import { clusterOfContext } from './from-kubeconfig.ts';
import { keyOf } from './hub.ts';
import { isFresh, mayStandIn, readCachedHub } from './inventory-cache.ts';
import type { InventoryDeps } from './inventory-deps.ts';
import { byNameOrder } from './merge-profiles.ts';
import { CLUSTERSET_LABEL, type ProfileRecord } from './profile-record.ts';

const ClusterProperties = defineKind<KubeObject>({
  group: 'about.k8s.io',
  version: 'v1alpha1',
  kind: 'ClusterProperty',
  plural: 'clusterproperties',
  namespaced: false,
});

type Properties = Readonly<Record<string, string>>;

/** What a cluster calls itself: the present property, and the one of older texts. */
const ID_PROPERTIES = ['cluster.clusterset.k8s.io', 'id.k8s.io'];
const SET_PROPERTY = 'clusterset.k8s.io';
const LIMITS = { count: 1_024, name: 512, value: 16_384 };

/**
 * Every context as a cluster, called what the cluster calls itself in its ClusterProperties. Contexts of one and the same
 * cluster are one; the current context counts first. A cluster that cannot be asked is called what it was called last,
 * else by its context. What clusters said is kept for as long as what hubs say.
 */
export async function clustersByAbout(
  kubeconfig: Kubeconfig,
  deps: InventoryDeps,
  options: DiscoverOptions,
): Promise<FleetCluster[]> {
  const { currentContext } = kubeconfig;
  const contexts = [...kubeconfig.contexts.keys()].sort(
    (a, b) => Number(b === currentContext) - Number(a === currentContext),
  );
  const properties = await propertiesByContext(contexts, { kubeconfig, deps, options });
  const clusters = new Map<string, FleetCluster>();
  for (const context of contexts) {
    const cluster = clusterOf(context, properties.get(context) ?? {});
    const known = clusters.get(cluster.name);
    if (known === undefined) {
      clusters.set(cluster.name, cluster);
      continue;
    }
    deps.note(1, `Contexts "${known.context}" and "${context}" are one cluster, "${cluster.name}"`);
    clusters.set(cluster.name, { ...known, aliases: [...known.aliases, context] });
  }
  return [...clusters.values()].sort(byNameOrder);
}

interface Asking {
  readonly kubeconfig: Kubeconfig;
  readonly deps: InventoryDeps;
  readonly options: DiscoverOptions;
}

async function propertiesByContext(
  contexts: readonly string[],
  { kubeconfig, deps, options }: Asking,
): Promise<Map<string, Properties>> {
  const { settings, paths, io } = deps;
  const { noCache, refresh, cacheTtlMs } = settings.discovery;
  const key = keyOf([
    'about',
    ...contexts.flatMap((context) => {
      const { cluster = '', user = '' } = kubeconfig.contexts.get(context) ?? {};
      return [context, kubeconfig.clusters.get(cluster)?.server ?? '', user];
    }),
  ]);
  const cached = noCache ? undefined : readCachedHub(paths.cache, key);
  const last = new Map(cached?.profiles.map((each) => [each.name, each.properties]));
  const mayUse = !refresh && options.forWrites !== true;
  if (cached !== undefined && mayUse && isFresh(cached, io.clock.now(), cacheTtlMs)) return last;

  const answers = await inTurns(contexts, settings.execution.maxConcurrency, (context) =>
    propertiesOf(context, kubeconfig, deps),
  );
  const isRecent = cached !== undefined && mayStandIn(cached, io.clock.now());
  const found = new Map(
    contexts.map((context, at) => [
      context,
      answers[at] ?? (isRecent ? last.get(context) : undefined) ?? {},
    ]),
  );
  if (!noCache) {
    const profiles = [...found].map(([context, said]) => recordOf(context, said));
    await keepHub(key, { savedAt: io.clock.now(), server: 'about.k8s.io', profiles }, deps);
  }
  return found;
}

/** The cache keeps profiles; a context is one of which only the properties are known. */
function recordOf(context: string, properties: Properties): ProfileRecord {
  return {
    namespace: '',
    name: context,
    manager: '',
    displayName: '',
    clusterName: context,
    labels: {},
    properties,
    version: '',
    health: 'unknown',
    offers: [],
  };
}

function clusterOf(context: string, properties: Properties): FleetCluster {
  const plain = clusterOfContext(context);
  const id = ID_PROPERTIES.map((name) => properties[name]).find(
    (value) => value !== undefined && isDNS1123Subdomain(value).length === 0,
  );
  const set = properties[SET_PROPERTY];
  return {
    ...plain,
    ...(id === undefined || id === context ? {} : { name: id, aliases: [context] }),
    properties,
    labels: set === undefined ? {} : { [CLUSTERSET_LABEL]: set },
  };
}

/** Undefined when the cluster cannot be asked. */
async function propertiesOf(
  context: string,
  kubeconfig: Kubeconfig,
  { io, connect, note, settings, warn, credentials }: InventoryDeps,
): Promise<Properties | undefined> {
  try {
    const { env, clock } = io;
    await using client = createClient(
      await connect(
        await resolveAccess(kubeconfig, { context, env, clock, pool: credentials.pool, warn }),
      ),
    );
    const { items } = await client.list(ClusterProperties, {
      signal: io.signal,
      timeoutMs: settings.execution.timeoutMs,
    });
    const pairs = items.map((item) => [
      String(item.metadata.name ?? ''),
      fieldOf(fieldOf(item, 'spec'), 'value'),
    ]);
    return pairsOf(pairs, LIMITS);
  } catch (error) {
    io.signal.throwIfAborted();
    note(1, `${context}: it does not say what it is called: ${(error as Error).message}`);
    return undefined;
  }
}

/** Runs `work` over items, `atOnce` at a time; results are in the order of the items. */
async function inTurns<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) {
      const item = items[at];
      if (item !== undefined) results[at] = await work(item);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(atOnce, items.length)) }, worker));
  return results;
}
