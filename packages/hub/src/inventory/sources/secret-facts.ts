import type { Secret } from '@flotilla/client';
import { readClusterSecret } from '../../cluster-secret/read-cluster-secret.ts';
import { CLUSTER_SET_LABEL } from '../names.ts';
import { vendorHints } from '../vendor/vendor-hints.ts';
import type { ClusterFacts } from './cluster-facts.ts';
import { routeOf } from './route.ts';

/** What a cluster Secret that no registration owns says about its cluster; undefined for other Secrets. */
export function secretFacts(secret: Secret): ClusterFacts | undefined {
  const cluster = readClusterSecret(secret);
  if (cluster === undefined) return undefined;
  const { namespace = '', labels, annotations } = secret.metadata;
  const { name } = cluster;
  const route = routeOf(cluster.endpoint, secret);
  return {
    name,
    source: `secret ${namespace}/${name}`,
    displayName: cluster.alias ?? name,
    labels: cluster.labels,
    clusterSet: cluster.labels[CLUSTER_SET_LABEL],
    isUnmanaged: true,
    health: {
      status: 'Unknown',
      reason: 'Unmanaged',
      message: 'No registration looks after this cluster: nobody knows how it is',
    },
    joined: {
      status: 'True',
      reason: 'SecretFound',
      message: `Joined by cluster Secret ${namespace}/${name}`,
    },
    version: cluster.version?.gitVersion || undefined,
    clusterId: undefined,
    registration: undefined,
    route,
    vendor: vendorHints({
      marked: [labels, annotations],
      plain: cluster.labels,
      server: route?.server,
    }),
  };
}
