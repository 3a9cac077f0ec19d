import type { AccessOffer, FleetCluster } from '../fleet/cluster.ts';

/**
 * One profile as far as we need it: what was read from a hub or a file, checked, and what the cache keeps. Plain data, so
 * that `JSON.parse` brings it back as it was.
 */
export interface ProfileRecord {
  readonly namespace: string;
  readonly name: string;
  /** Empty where the profile names none. */
  readonly manager: string;
  readonly displayName: string;
  /** What its manager calls the cluster; tells profiles of one cluster in several namespaces. */
  readonly clusterName: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly properties: Readonly<Record<string, string>>;
  readonly version: string;
  readonly health: FleetCluster['health'];
  readonly offers: readonly AccessOffer[];
  readonly cloudProvider?: string;
  readonly region?: string;
}

/** Says who keeps a profile. */
export const MANAGER_LABEL = 'x-k8s.io/cluster-manager';

/** Says which set of clusters a profile, or a namespace of profiles, belongs to. */
export const CLUSTERSET_LABEL = 'multicluster.x-k8s.io/clusterset';

/** What OCM calls the cluster, in each of the namespaces it is bound to. */
export const OCM_NAME_LABEL = 'open-cluster-management.io/cluster-name';

/** Set by newer managers on all profiles of one cluster, whoever keeps them. */
export const MEMBER_ID_LABEL = 'multicluster.x-k8s.io/inventory-member-id';
