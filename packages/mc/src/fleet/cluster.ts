/** One cluster of the inventory, as people name it; profiles that mean the same one are already one. */
export interface FleetCluster {
  /** As shown and as chosen: the plain name, or `namespace/name` where plain names would mean two clusters. */
  readonly name: string;
  /** Other names it answers to: plain name, `namespace/name`, displayName, aliases of the mapping file. */
  readonly aliases: readonly string[];
  /** Absent for inventories without profiles (kubeconfig, about, file). */
  readonly profile?: ProfileRef | undefined;
  /** Of the profile, with the clusterset label of its namespace. */
  readonly labels: Readonly<Record<string, string>>;
  /** `status.properties`. */
  readonly properties: Readonly<Record<string, string>>;
  /** `status.version.kubernetes`, empty when unknown. */
  readonly version: string;
  readonly health: 'healthy' | 'unhealthy' | 'unknown';
  /** What the profile offers to reach it by: accessProviders over the deprecated credentialProviders, by name. */
  readonly offers: readonly AccessOffer[];
  /** For inventories that are made of contexts: the one it is. */
  readonly context?: string | undefined;
  /** The entry of the mapping file that is about it. */
  readonly mapping?: ClusterMappingEntry | undefined;
}

/** Which profile a cluster came from. */
export interface ProfileRef {
  readonly namespace: string;
  readonly name: string;
  readonly manager: string;
  readonly displayName: string;
  /** The older, pruned fields of the spec where a hub still has them. */
  readonly cloudProvider?: string | undefined;
  readonly region?: string | undefined;
  /** The context of the hub that has it; absent for profiles of a file. */
  readonly hub?: string | undefined;
}

/** One way in that a profile describes; never trusted with commands or paths. */
export interface AccessOffer {
  readonly name: string;
  readonly server: string;
  readonly serverName?: string | undefined;
  readonly insecure?: boolean | undefined;
  /** PEM, decoded; undefined when none is given. */
  readonly ca?: string | undefined;
  readonly proxyUrl?: string | undefined;
  readonly disableCompression?: boolean | undefined;
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** What the user wrote about one cluster in `~/.kube/kubectl-mc-clusters.yaml`. */
export interface ClusterMappingEntry {
  /** A profile's name, or `namespace/name`. */
  readonly name: string;
  readonly context?: string | undefined;
  /** Of the profile, not of requests. */
  readonly namespace?: string | undefined;
  readonly aliases?: readonly string[] | undefined;
  readonly defaultNamespace?: string | undefined;
  readonly server?: string | undefined;
  readonly caSha256?: string | undefined;
  readonly clusterId?: string | undefined;
  readonly kubeconfig?: string | undefined;
  readonly proxyUrl?: string | undefined;
  readonly cloudProvider?: string | undefined;
  readonly region?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly protected?: boolean | undefined;
}
