import { GATEWAY_PREFIX } from '../cluster-secret/names.ts';

/** The API group of cluster-gateway. */
export const GATEWAY_GROUP = GATEWAY_PREFIX;
export const GATEWAY_VERSION = 'v1alpha1';
export const GATEWAY_API_VERSION = `${GATEWAY_GROUP}/${GATEWAY_VERSION}`;

/** As errors name it. */
export const CLUSTER_GATEWAYS = { group: GATEWAY_GROUP, resource: 'clustergateways' };
export const VIRTUAL_CLUSTERS = { group: GATEWAY_GROUP, resource: 'virtualclusters' };
