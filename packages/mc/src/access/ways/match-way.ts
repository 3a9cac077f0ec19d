import { readFile } from 'node:fs/promises';
import type { Kubeconfig, KubeconfigCluster } from '@flotilla/client';
import type { AccessOffer, FleetCluster } from '../../fleet/cluster.ts';
import { once } from '../once.ts';
import type { RoutingDeps } from '../routing-deps.ts';
import { canonicalServer, isSameAuthority } from '../servers.ts';
import type { Way } from '../way.ts';
import { contextRoute } from './context-route.ts';

/** A context of the user's own that leads to the server of the profile, by the same authority. */
export function matchWay(deps: RoutingDeps): Way {
  const load = once(async () => {
    const kubeconfig = await deps.kubeconfig();
    return { kubeconfig, byServer: contextsByServer(kubeconfig) };
  });
  const readAuthority = authorityReader();
  return async (cluster) => {
    if (cluster.offers.length === 0) return undefined;
    const { kubeconfig, byServer } = await load();
    for (const offer of cluster.offers) {
      const candidates = byServer.get(canonicalServer(offer.server)) ?? [];
      const matching: string[] = [];
      for (const name of candidates) {
        const entry = clusterOf(kubeconfig, name);
        if (await isSame(offer, entry, readAuthority)) matching.push(name);
      }
      const name = preferred(matching, cluster, kubeconfig);
      if (name === undefined) continue;
      if (matching.length > 1) {
        deps.note(1, `${cluster.name}: contexts ${matching.join(', ')} lead there; using ${name}`);
      }
      return { route: contextRoute(cluster, { kubeconfig, name, kind: 'kubeconfig' }, deps) };
    }
    return undefined;
  };
}

function clusterOf(kubeconfig: Kubeconfig, context: string): KubeconfigCluster {
  return kubeconfig.clusters.get(kubeconfig.contexts.get(context)?.cluster ?? '') ?? {};
}

function contextsByServer(kubeconfig: Kubeconfig): ReadonlyMap<string, readonly string[]> {
  const byServer = new Map<string, string[]>();
  for (const [name, context] of kubeconfig.contexts) {
    const server = kubeconfig.clusters.get(context.cluster ?? '')?.server;
    if (server === undefined || leadsBackToUs(kubeconfig, context.user)) continue;
    const key = canonicalServer(server);
    const names = byServer.get(key);
    if (names === undefined) byServer.set(key, [name]);
    else names.push(name);
  }
  return byServer;
}

/** A context that `kubectl mc kubeconfig` wrote would ask us, who would ask it. */
export function leadsBackToUs(kubeconfig: Kubeconfig, user: string | undefined): boolean {
  const args = kubeconfig.users.get(user ?? '')?.exec?.args ?? [];
  return args.includes('credential') && args.includes('--cluster');
}

/** Where both name an authority, it must be the same: a port may have been given to another cluster since. */
async function isSame(
  offer: AccessOffer,
  entry: KubeconfigCluster,
  readAuthority: (path: string) => Promise<string | undefined>,
): Promise<boolean> {
  if (offer.ca === undefined) return true;
  const data = entry['certificate-authority-data'];
  const path = entry['certificate-authority'];
  if (data === undefined && path === undefined) return true;
  const authority = data === undefined ? await readAuthority(path ?? '') : data.toString('latin1');
  return authority !== undefined && isSameAuthority(offer.ca, authority);
}

function authorityReader(): (path: string) => Promise<string | undefined> {
  const files = new Map<string, Promise<string | undefined>>();
  return async (path) => {
    const known = files.get(path);
    if (known !== undefined) return await known;
    const reading = readFile(path, 'latin1').catch(() => undefined);
    files.set(path, reading);
    return await reading;
  };
}

/** Of several contexts with one server, which differ in user or namespace: the current one, one of the cluster's name, the first. */
function preferred(
  names: readonly string[],
  { name, aliases }: FleetCluster,
  { currentContext }: Kubeconfig,
): string | undefined {
  if (names.includes(currentContext)) return currentContext;
  return names.find((each) => each === name || aliases.includes(each)) ?? names[0];
}
