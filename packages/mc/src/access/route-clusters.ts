import { lookPathIn } from '@flotilla/client';
import type { FleetCluster } from '../fleet/cluster.ts';
import type { NoRoute, Route, Routing } from '../fleet/route.ts';
import type { AccessWay } from '../settings/settings.ts';
import { AccessError } from './access-error.ts';
import { sharedServers } from './disagreement.ts';
import type { RoutingDeps } from './routing-deps.ts';
import { askTrust } from './trust/ask-trust.ts';
import { commandText } from './trust/command-text.ts';
import { createTrustFile, type TrustFile, trustDigest } from './trust/trust-file.ts';
import type { Untrusted, Way } from './way.ts';
import { contextRoute } from './ways/context-route.ts';
import { hubProxyWay } from './ways/hub-proxy-way.ts';
import { mappingWay } from './ways/mapping-way.ts';
import { matchWay } from './ways/match-way.ts';
import { propertiesWay } from './ways/properties-way.ts';
import { providerWay } from './ways/provider-way.ts';

/**
 * Finds how each cluster is reached, in the order given; nothing is dialled and no command runs. Files are read once for
 * all clusters. Commands that nobody has trusted yet are asked about here, one after the other, where somebody can answer.
 */
export async function routeClusters(
  clusters: readonly FleetCluster[],
  deps: RoutingDeps,
): Promise<Routing[]> {
  const trust = createTrustFile({
    path: deps.paths.trust,
    now: deps.io.clock.now,
    warn: deps.warn,
  });
  const ways = waysOf(deps, trust);
  const found: (Routing | Untrusted)[] = [];
  for (const cluster of clusters) found.push(await routeCluster(cluster, ways, deps));
  const routings = await settleTrust(found, trust, deps);
  warnOfOddities(clusters, routings, deps);
  return routings;
}

function waysOf(deps: RoutingDeps, trust: TrustFile): ReadonlyMap<AccessWay, Way> {
  const make: Record<AccessWay, () => Way> = {
    mapping: () => mappingWay(deps),
    'provider-file': () => providerWay(deps),
    properties: () => propertiesWay(deps, trust.isTrusted),
    'kubeconfig-match': () => matchWay(deps),
    'hub-proxy': () => hubProxyWay(deps),
  };
  return new Map(deps.settings.access.order.map((way) => [way, make[way]()]));
}

/**
 * The first way that leads somewhere. What the user configured and is broken ends the search, so that nobody is led
 * elsewhere than they said; what a profile got wrong does not, and is told when no other way is left. A command that
 * would have to be trusted first waits for the same.
 */
async function routeCluster(
  cluster: FleetCluster,
  ways: ReadonlyMap<AccessWay, Way>,
  deps: RoutingDeps,
): Promise<Routing | Untrusted> {
  if (cluster.context !== undefined && cluster.mapping?.context === undefined) {
    return await ownContext(cluster, cluster.context, deps);
  }
  let untrusted: Untrusted | undefined;
  let problem: NoRoute | undefined;
  for (const way of ways.values()) {
    try {
      const found = await way(cluster);
      if (found === undefined) continue;
      if (!('untrusted' in found)) return found;
      untrusted ??= found;
    } catch (error) {
      if (!(error instanceof AccessError)) throw error;
      problem ??= error.none;
    }
  }
  if (untrusted !== undefined) return untrusted;
  return { none: problem ?? nobodysWay(cluster) };
}

/** A cluster that is a context: of an inventory made of contexts, or the one of `--context`. */
async function ownContext(
  cluster: FleetCluster,
  name: string,
  deps: RoutingDeps,
): Promise<Routing> {
  const kubeconfig = await deps.kubeconfig();
  if (!kubeconfig.contexts.has(name)) {
    return { none: { status: 'noaccess', message: `context "${name}" does not exist` } };
  }
  return { route: contextRoute(cluster, { kubeconfig, name, kind: 'kubeconfig' }, deps) };
}

function nobodysWay({ name }: FleetCluster): NoRoute {
  return {
    status: 'skipped',
    message: `nothing says how to reach "${name}": no mapping, no provider, no matching context`,
    hint: 'run kubectl mc setup',
  };
}

/** Each command is asked about once, however many clusters name it. */
async function settleTrust(
  found: readonly (Routing | Untrusted)[],
  trust: TrustFile,
  deps: RoutingDeps,
): Promise<Routing[]> {
  const { io } = deps;
  let mayAsk = deps.mayAsk ?? (io.terminal.in && io.terminal.err);
  const lookPath = lookPathIn(io.env['PATH'] ?? '');
  const answers = new Map<string, boolean>();
  const isTrusted = async (each: Untrusted): Promise<boolean> => {
    const digest = trustDigest(each.untrusted);
    const answered = answers.get(digest);
    if (answered !== undefined || !mayAsk) return answered ?? false;
    const path = await lookPath(each.untrusted.command);
    const answer = await askTrust(each, { ask: io.ask, path });
    if (answer === 'stop') mayAsk = false;
    answers.set(digest, answer === 'yes');
    if (answer === 'yes') await remember(each, trust, deps);
    return answer === 'yes';
  };
  const routings: Routing[] = [];
  for (const each of found) {
    if (!('untrusted' in each)) routings.push(each);
    else if (await isTrusted(each)) routings.push({ route: each.whenTrusted });
    else routings.push({ none: untrustedCommand(each, deps) });
  }
  return routings;
}

/** A yes counts for this run even where it cannot be written down. */
async function remember(
  { untrusted }: Untrusted,
  trust: TrustFile,
  { warn }: RoutingDeps,
): Promise<void> {
  try {
    await trust.trust(untrusted);
  } catch (error) {
    warn(`${(error as Error).message}: you will be asked again`);
  }
}

function untrustedCommand({ untrusted }: Untrusted, { paths }: RoutingDeps): NoRoute {
  return {
    status: 'untrusted',
    message: `its profile wants to run ${commandText(untrusted)}, which nobody has trusted on this machine`,
    hint: `run kubectl mc on a terminal to be asked, or list it under access.allowedCommands in ${paths.config}`,
  };
}

/** Says once what a typing mistake in the mapping would look like. */
function warnOfOddities(
  clusters: readonly FleetCluster[],
  routings: readonly Routing[],
  deps: RoutingDeps,
): void {
  const routed: { cluster: FleetCluster; route: Route }[] = [];
  for (const [index, routing] of routings.entries()) {
    const cluster = clusters[index];
    if (cluster === undefined || !('route' in routing)) continue;
    // Several contexts of one server are nothing odd where contexts are what is listed.
    if (cluster.context === undefined) routed.push({ cluster, route: routing.route });
  }
  const astray = routed.filter(({ route }) => route.mismatch !== undefined);
  for (const { cluster, route } of astray) deps.note(1, `${cluster.name}: ${route.mismatch}`);
  if (astray.length > 0) {
    const names = named(astray.map(({ cluster }) => cluster.name));
    deps.warn(
      `The mapped contexts of ${names} differ from what their profiles say of their servers; add server to their entries in ${deps.paths.mapping} if that is meant`,
    );
  }
  for (const names of sharedServers(routed)) {
    deps.warn(`${named(names)} lead to one and the same server; check ${deps.paths.mapping}`);
  }
}

const MOST_NAMED = 5;

function named(names: readonly string[]): string {
  if (names.length <= MOST_NAMED) return names.join(', ');
  return `${names.slice(0, MOST_NAMED).join(', ')} and ${names.length - MOST_NAMED} more`;
}
