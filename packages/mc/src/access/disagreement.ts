import type { Kubeconfig } from '@flotilla/client';
import type { FleetCluster } from '../fleet/cluster.ts';
import type { Route } from '../fleet/route.ts';
import { canonicalServer, isSameAuthority } from './servers.ts';

/**
 * How the user's own context for a cluster differs from everything its profile offers; undefined when it agrees with
 * one of the offers, when there is none, or when the mapping pins the server: the user has looked then.
 */
export function disagreement(
  { mapping, offers }: FleetCluster,
  route: Route,
  kubeconfig: Kubeconfig,
): string | undefined {
  if (offers.length === 0 || mapping?.server !== undefined) return undefined;
  const server = canonicalServer(route.server);
  const sameServer = offers.filter((offer) => canonicalServer(offer.server) === server);
  if (sameServer.length === 0) {
    return `its profile says ${offers[0]?.server}, context ${route.context} says ${route.server}`;
  }
  const entry = kubeconfig.clusters.get(
    kubeconfig.contexts.get(route.context ?? '')?.cluster ?? '',
  );
  const authority = entry?.['certificate-authority-data']?.toString('latin1');
  if (authority === undefined) return undefined;
  const agrees = sameServer.some(({ ca }) => ca === undefined || isSameAuthority(ca, authority));
  return agrees
    ? undefined
    : `its profile and context ${route.context} expect different certificates of ${route.server}`;
}

/** Clusters whose routes lead to one and the same server, each group in the order given. */
export function sharedServers(
  routed: readonly { readonly cluster: FleetCluster; readonly route: Route }[],
): string[][] {
  const byIdentity = new Map<string, string[]>();
  for (const { cluster, route } of routed) {
    const key = route.identity ?? canonicalServer(route.server);
    const names = byIdentity.get(key);
    if (names === undefined) byIdentity.set(key, [cluster.name]);
    else names.push(cluster.name);
  }
  return [...byIdentity.values()].filter((names) => names.length > 1);
}
