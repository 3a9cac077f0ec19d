import type { Kubeconfig } from '@flotilla/client';
import { nearNames, suggestion } from '../flags/suggest.ts';
import type { FleetCluster } from '../fleet/cluster.ts';
import { UsageError } from '../usage-error.ts';
import { byNameOrder } from './merge-profiles.ts';

/** Every context as a cluster of its name. */
export function clustersOfKubeconfig({ contexts }: Kubeconfig): FleetCluster[] {
  return [...contexts.keys()].map(clusterOfContext).sort(byNameOrder);
}

/** The one context of `--context`. */
export function clusterNamedByContext(context: string, kubeconfig: Kubeconfig): FleetCluster {
  if (!kubeconfig.contexts.has(context)) {
    const near = nearNames(context, kubeconfig.contexts.keys());
    throw new UsageError(`context "${context}" does not exist${suggestion(near)}`);
  }
  return clusterOfContext(context);
}

/** A cluster of which nothing is known but its context. */
export function clusterOfContext(context: string): FleetCluster {
  return {
    name: context,
    aliases: [],
    labels: {},
    properties: {},
    version: '',
    health: 'unknown',
    offers: [],
    context,
  };
}
