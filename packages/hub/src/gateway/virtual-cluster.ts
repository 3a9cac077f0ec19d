import type { MountedPrinter } from '@flotilla/apiserver';
import type { Secret } from '@flotilla/client';
import type { KubeObject, ObjectMeta } from '@flotilla/machinery';
import {
  ALIAS_ANNOTATION,
  CREDENTIAL_TYPE_LABEL,
  ENDPOINT_TYPE_LABEL,
  GATEWAY_PREFIX,
  LOCAL_CLUSTER,
} from '../cluster-secret/names.ts';
import { GATEWAY_API_VERSION } from './gateway-group.ts';
import type { ManagedCluster } from './hub-objects.ts';

/** A cluster without its credential, whatever it is made of. */
export interface VirtualCluster extends KubeObject {
  spec: { alias?: string; accepted?: true; endpoint: string; 'credential-type': string };
}

/** Says whether a virtual cluster is the hub. */
export const CONTROL_PLANE_LABEL = `${GATEWAY_PREFIX}/control-plane`;

/** Upstream says the same of a Secret without an endpoint. */
export const NO_CLUSTER_SECRET = 'secret is not a valid cluster secret, no credential type found';
export const NO_CLIENT_CONFIG = 'managed cluster has no client config';

/** What `kubectl get virtualclusters` prints. */
export const virtualClusterPrinter: MountedPrinter<VirtualCluster> = {
  columns: [
    { name: 'Name', type: 'string', format: 'name', description: 'the name of the cluster' },
    { name: 'Alias', type: 'string', description: 'the cluster provider type' },
    { name: 'Credential_Type', type: 'string', description: 'the credential type' },
    { name: 'Endpoint', type: 'string', description: 'the endpoint' },
    { name: 'Accepted', type: 'boolean', description: 'the acceptance of the cluster' },
    { name: 'Labels', type: 'string', description: 'the labels of the cluster' },
    {
      name: 'Creation_Timestamp',
      type: 'dateTime',
      description: 'the creation timestamp of the cluster',
      priority: 10,
    },
  ],
  cells: ({ metadata, spec }) => [
    metadata.name,
    spec.alias ?? '',
    spec['credential-type'],
    spec.endpoint,
    spec.accepted === true,
    Object.entries(metadata.labels ?? {})
      .map(([key, value]) => `${key}=${value}`)
      .sort()
      .join(','),
    metadata.creationTimestamp ?? null,
  ],
};

/** The hub itself. */
export function localCluster(): VirtualCluster {
  return virtualCluster(
    { name: LOCAL_CLUSTER },
    { accepted: true, endpoint: '-', 'credential-type': 'Internal' },
  );
}

/** The cluster of a Secret; undefined where its label or its endpoint is missing. */
export function clusterOfSecret({ metadata, data = {} }: Secret): VirtualCluster | undefined {
  const { labels = {} } = metadata;
  const endpoint =
    labels[ENDPOINT_TYPE_LABEL] ?? Buffer.from(data['endpoint'] ?? '', 'base64').toString();
  const type = labels[CREDENTIAL_TYPE_LABEL];
  if (endpoint === '' || type === undefined) return undefined;
  return virtualCluster(metadata, { accepted: true, endpoint, 'credential-type': type });
}

/** The cluster of OCM; undefined where nobody said how it is reached. */
export function clusterOfManagedCluster(managed: ManagedCluster): VirtualCluster | undefined {
  const { managedClusterClientConfigs = [], hubAcceptsClient } = managed.spec ?? {};
  if (managedClusterClientConfigs.length === 0) return undefined;
  return virtualCluster(managed.metadata, {
    ...(hubAcceptsClient === true ? { accepted: true as const } : {}),
    endpoint: '-',
    'credential-type': 'ManagedCluster',
  });
}

function virtualCluster(
  { name = '', creationTimestamp, labels = {}, annotations = {} }: ObjectMeta,
  spec: VirtualCluster['spec'],
): VirtualCluster {
  const alias = annotations[ALIAS_ANNOTATION] ?? '';
  const shown = [
    ...Object.entries(labels).filter(([key]) => !key.startsWith(GATEWAY_PREFIX)),
    [CONTROL_PLANE_LABEL, String(spec['credential-type'] === 'Internal')] as const,
  ];
  return {
    kind: 'VirtualCluster',
    apiVersion: GATEWAY_API_VERSION,
    metadata: {
      name,
      // Go writes a time that is not there as null.
      creationTimestamp: creationTimestamp ?? (null as unknown as string),
      // In the order of their keys, as Go writes them.
      labels: Object.fromEntries(shown.sort(([a], [b]) => (a < b ? -1 : 1))),
    },
    spec: { ...(alias === '' ? {} : { alias }), ...spec },
  };
}
