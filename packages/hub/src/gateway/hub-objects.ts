import type { MountedExchange } from '@flotilla/apiserver';
import type { Secret } from '@flotilla/client';
import { isNotFound, type KubeObject } from '@flotilla/machinery';
import { CREDENTIAL_TYPE_LABEL } from '../cluster-secret/names.ts';

/** OCM's cluster, as far as virtual clusters show it. */
export interface ManagedCluster extends KubeObject {
  spec?: { hubAcceptsClient?: boolean; managedClusterClientConfigs?: readonly unknown[] };
}

/**
 * The objects clusters are made of. They are read from the hub for every request, in process: a Secret that was written
 * before a request is seen by it, and nothing of Secrets is kept.
 */
export interface HubObjects {
  /** Undefined when there is none of that name. */
  readonly secret: (name: string) => Promise<Secret | undefined>;
  /** Those labelled as clusters. */
  readonly clusterSecrets: () => Promise<readonly Secret[]>;
  readonly annotateSecret: (
    secret: Secret,
    annotations: Readonly<Record<string, string>>,
    options: { readonly dryRun: boolean },
  ) => Promise<Secret>;
  /** Undefined when there is none, or the hub has no OCM. */
  readonly managedCluster: (name: string) => Promise<ManagedCluster | undefined>;
  /** None where the hub has no OCM. */
  readonly managedClusters: () => Promise<readonly ManagedCluster[]>;
}

const MANAGED_CLUSTERS = '/apis/cluster.open-cluster-management.io/v1/managedclusters';

/** Reads the hub that an exchange is with. */
export function hubObjects(
  { ask, request }: Pick<MountedExchange, 'ask' | 'request'>,
  namespace: string,
): HubObjects {
  const secrets = `/api/v1/namespaces/${encodeURIComponent(namespace)}/secrets`;
  const { signal } = request;
  const get = async <T>(path: string): Promise<T | undefined> => {
    try {
      return (await ask({ path, signal })) as T;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  };
  return {
    secret: (name) => get(`${secrets}/${encodeURIComponent(name)}`),
    clusterSecrets: async () => {
      const selector = encodeURIComponent(CREDENTIAL_TYPE_LABEL);
      const list = await get<{ items: Secret[] }>(`${secrets}?labelSelector=${selector}`);
      return list?.items ?? [];
    },
    annotateSecret: async ({ metadata }, annotations, { dryRun }) => {
      const { name = '', uid } = metadata;
      const options = `?fieldManager=cluster-gateway${dryRun ? '&dryRun=All' : ''}`;
      return (await ask({
        method: 'PATCH',
        path: `${secrets}/${encodeURIComponent(name)}${options}`,
        contentType: 'application/merge-patch+json',
        // The uid makes sure that it is still the one that was looked at.
        body: { metadata: { uid, annotations } },
        signal,
      })) as Secret;
    },
    managedCluster: (name) => get(`${MANAGED_CLUSTERS}/${encodeURIComponent(name)}`),
    managedClusters: async () => {
      const list = await get<{ items: ManagedCluster[] }>(MANAGED_CLUSTERS);
      return list?.items ?? [];
    },
  };
}
