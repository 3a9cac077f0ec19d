import { resolve } from 'node:path';
import { type Kubeconfig, loadKubeconfig } from '@flotilla/client';
import type { ClusterMappingEntry, FleetCluster } from '../../fleet/cluster.ts';
import type { NoRoute } from '../../fleet/route.ts';
import { disagreement } from '../disagreement.ts';
import type { RoutingDeps } from '../routing-deps.ts';
import { canonicalServer } from '../servers.ts';
import type { Way } from '../way.ts';
import { contextRoute } from './context-route.ts';

/** What the user wrote: the context that the mapping file names for a cluster. */
export function mappingWay(deps: RoutingDeps): Way {
  const kubeconfigOf = kubeconfigFiles(deps);
  return async (cluster) => {
    const entry = cluster.mapping;
    if (entry === undefined || !namesContext(entry)) return undefined;
    let kubeconfig: Kubeconfig;
    try {
      kubeconfig = await kubeconfigOf(entry.kubeconfig);
    } catch (error) {
      // Without a file of its own it is everybody's kubeconfig, and nothing works without it.
      if (entry.kubeconfig === undefined) throw error;
      return { none: unreadable(cluster, (error as Error).message, deps) };
    }
    const name = entry.context ?? kubeconfig.currentContext;
    if (!kubeconfig.contexts.has(name))
      return { none: absent(cluster, name, { kubeconfig, deps }) };
    const route = contextRoute(cluster, { kubeconfig, name, kind: 'mapping' }, deps);
    if (
      entry.server !== undefined &&
      canonicalServer(entry.server) !== canonicalServer(route.server)
    ) {
      return { none: repointed(cluster, route, deps) };
    }
    const mismatch = disagreement(cluster, route, kubeconfig);
    return { route: mismatch === undefined ? route : { ...route, mismatch } };
  };
}

function namesContext({ context, kubeconfig }: ClusterMappingEntry): boolean {
  return context !== undefined || kubeconfig !== undefined;
}

/** Each file is read once, however many clusters are mapped to it. */
function kubeconfigFiles({ io, kubeconfig }: RoutingDeps) {
  const files = new Map<string, Promise<Kubeconfig>>();
  return async (path: string | undefined): Promise<Kubeconfig> => {
    if (path === undefined) return await kubeconfig();
    const expanded = path.startsWith('~/') ? resolve(io.homeFolder, path.slice(2)) : path;
    const file = resolve(io.homeFolder, '.kube', expanded);
    const known = files.get(file);
    if (known !== undefined) return await known;
    const loading = loadKubeconfig({ env: io.env, home: io.homeFolder, cwd: io.cwd, path: file });
    files.set(file, loading);
    return await loading;
  };
}

function unreadable({ name }: FleetCluster, state: string, { paths }: RoutingDeps): NoRoute {
  return {
    status: 'noaccess',
    message: `Cannot use the kubeconfig that ${paths.mapping} names for "${name}": ${state}`,
    hint: `correct the entry in ${paths.mapping}, or run kubectl mc setup`,
  };
}

function absent(
  { name }: FleetCluster,
  context: string,
  { kubeconfig, deps }: { kubeconfig: Kubeconfig; deps: RoutingDeps },
): NoRoute {
  const { mapping } = deps.paths;
  const files = kubeconfig.files.join(', ');
  return {
    status: 'noaccess',
    message: `${mapping} maps "${name}" to context "${context}", which is not in ${files}`,
    hint: `correct the entry in ${mapping}, or run kubectl mc setup`,
  };
}

function repointed(
  { name, mapping }: FleetCluster,
  route: { readonly context?: string | undefined; readonly server: string },
  { paths }: RoutingDeps,
): NoRoute {
  return {
    status: 'noaccess',
    message: `context "${route.context}" leads to ${route.server}, but ${paths.mapping} pins "${name}" to ${mapping?.server}`,
    hint: `correct server in ${paths.mapping} if the cluster has moved`,
  };
}
