import {
  badRequest,
  matchesLabels,
  notFound,
  ParseError,
  parseLabelSelector,
  type Selector,
  StatusError,
  selectorOf,
} from '@flotilla/machinery';
import { LOCAL_CLUSTER } from '../cluster-secret/names.ts';
import { VIRTUAL_CLUSTERS } from './gateway-group.ts';
import type { HubObjects } from './hub-objects.ts';
import {
  CONTROL_PLANE_LABEL,
  clusterOfManagedCluster,
  clusterOfSecret,
  localCluster,
  NO_CLIENT_CONFIG,
  NO_CLUSTER_SECRET,
  type VirtualCluster,
} from './virtual-cluster.ts';

/** The virtual cluster of a name: the hub, one with a Secret, or one of OCM. */
export async function findVirtualCluster(hub: HubObjects, name: string): Promise<VirtualCluster> {
  if (name === LOCAL_CLUSTER) return localCluster();
  const secret = await hub.secret(name);
  const ofSecret = secret === undefined ? undefined : clusterOfSecret(secret);
  if (ofSecret !== undefined) return ofSecret;

  const managed = await hub.managedCluster(name);
  const ofManaged = managed === undefined ? undefined : clusterOfManagedCluster(managed);
  if (ofManaged !== undefined) return ofManaged;
  const problems = [
    ...(secret === undefined ? [] : [NO_CLUSTER_SECRET]),
    ...(managed === undefined ? [] : [NO_CLIENT_CONFIG]),
  ];
  if (problems.length === 0) throw notFound(VIRTUAL_CLUSTERS, name);
  const text = problems.length === 1 ? problems.join('') : `[${problems.join(', ')}]`;
  throw new StatusError(500, '', text);
}

/** All clusters a selector chooses: the hub first, then the youngest. */
export async function listVirtualClusters(
  hub: HubObjects,
  labelSelector: string,
): Promise<VirtualCluster[]> {
  const selector = selectorFrom(labelSelector);
  // What a cluster is made of must match too, with all of its labels; none of these knows whether it is the hub.
  const ofSource = selectorOf(
    selector.requirements.filter(({ key }) => key !== CONTROL_PLANE_LABEL),
  );
  const [secrets, managed] = await Promise.all([hub.clusterSecrets(), hub.managedClusters()]);
  const found = [
    localCluster(),
    ...secrets
      .filter(({ metadata }) => matchesLabels(ofSource, metadata.labels ?? {}))
      .flatMap((secret) => clusterOfSecret(secret) ?? []),
  ];
  const names = new Set(found.map(({ metadata }) => metadata.name));
  const others = managed
    .filter(({ metadata }) => matchesLabels(ofSource, metadata.labels ?? {}))
    .filter(({ metadata }) => !names.has(metadata.name))
    .flatMap((cluster) => clusterOfManagedCluster(cluster) ?? []);
  return [...found, ...others]
    .filter(({ metadata }) => matchesLabels(selector, metadata.labels ?? {}))
    .sort(inOrder);
}

function selectorFrom(text: string): Selector {
  try {
    return parseLabelSelector(text);
  } catch (error) {
    if (error instanceof ParseError) throw badRequest(error.message);
    throw error;
  }
}

function inOrder(a: VirtualCluster, b: VirtualCluster): number {
  const isHub = (cluster: VirtualCluster): number =>
    cluster.metadata.name === LOCAL_CLUSTER ? 0 : 1;
  const youngest = (b.metadata.creationTimestamp ?? '').localeCompare(
    a.metadata.creationTimestamp ?? '',
  );
  return (
    isHub(a) - isHub(b) || youngest || (a.metadata.name ?? '').localeCompare(b.metadata.name ?? '')
  );
}
