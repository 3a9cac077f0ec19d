import {
  type ApiResponse,
  type Mount,
  type MountedExchange,
  type MountedResource,
  showList,
  showObject,
  type Tenant,
} from '@flotilla/apiserver';
import { type Clock, notFound } from '@flotilla/machinery';
import { clusterGatewayOf, clusterGatewayPrinter } from './cluster-gateway.ts';
import { findVirtualCluster, listVirtualClusters } from './find-virtual-clusters.ts';
import {
  CLUSTER_GATEWAYS,
  GATEWAY_API_VERSION,
  GATEWAY_GROUP,
  GATEWAY_VERSION,
} from './gateway-group.ts';
import { readHealth, writeHealth } from './health.ts';
import { type HubObjects, hubObjects } from './hub-objects.ts';
import { parseProxyConfiguration } from './identity/proxy-configuration.ts';
import type { FindMemberDeps } from './proxy/find-member.ts';
import { createMembers, type DialPolicy, type MemberLimits } from './proxy/members.ts';
import { proxyRequest } from './proxy/proxy-request.ts';
import { tunnel } from './proxy/tunnel.ts';
import { gatewaySchemas } from './schemas.ts';
import { virtualClusterPrinter } from './virtual-cluster.ts';

/** How the gateway of an embedded hub is to work. */
export interface GatewayOptions {
  /** Where cluster Secrets are. */
  readonly namespace: string;
  readonly clock: Clock;
  /** What may be dialled. @default everything that a cluster Secret names, as upstream's gateway does */
  readonly policy?: Partial<DialPolicy>;
  /** Whether members see who asks, upstream's feature gate ClientIdentityPenetration. @default only where a request says `impersonate=true` */
  readonly passesIdentityOn?: boolean;
  /** Text of a ClusterGatewayProxyConfiguration for all clusters; a cluster's own comes first. @default no rules */
  readonly proxyConfiguration?: string;
  readonly limits?: Partial<MemberLimits>;
  /** Which control planes have the gateway. @default all */
  readonly isServedFor?: (tenant: Tenant) => boolean;
}

const LIMITS: MemberLimits = {
  // About 100 KB each. More would mostly be members that only heartbeats lead to, minutes apart.
  members: 64,
  connections: 1000,
  idleConnections: 16,
  // Many load balancers close after a minute, and must not do it in the middle of a request.
  idleMs: 55_000,
};

const RESOURCES: readonly MountedResource[] = [
  {
    name: 'clustergateways',
    kind: 'ClusterGateway',
    namespaced: false,
    verbs: ['get', 'list'],
  },
  {
    name: 'clustergateways/health',
    kind: 'ClusterGateway',
    namespaced: false,
    verbs: ['get', 'patch', 'update'],
  },
  {
    name: 'clustergateways/proxy',
    kind: 'ClusterGatewayProxyOptions',
    namespaced: false,
    verbs: ['create', 'delete', 'get', 'patch', 'update'],
    connects: true,
  },
  {
    name: 'virtualclusters',
    kind: 'VirtualCluster',
    namespaced: false,
    verbs: ['get', 'list'],
    shortNames: ['vc', 'vcluster', 'vclusters', 'virtual-cluster', 'virtual-clusters'],
  },
];

/** The name under which upstream's chart installs its own gateway. */
const SERVICE = { name: 'gateway-service', port: 9443 };

/**
 * Serves cluster-gateway's API inside an embedded hub, in upstream's shape. Throws ProxyConfigurationError when the
 * configuration for all clusters cannot be read.
 */
export function mountGateway(options: GatewayOptions): Mount {
  const { namespace, clock, policy = {}, isServedFor } = options;
  const members = createMembers({
    clock,
    limits: { ...LIMITS, ...options.limits },
    policy: {
      checkEndpoint: policy.checkEndpoint ?? (async () => undefined),
      allowsAddress: policy.allowsAddress ?? (() => true),
    },
  });
  const deps: FindMemberDeps = {
    namespace,
    members,
    passesIdentityOn: options.passesIdentityOn ?? false,
    proxyConfiguration: parseProxyConfiguration(options.proxyConfiguration ?? ''),
  };
  return {
    group: GATEWAY_GROUP,
    version: GATEWAY_VERSION,
    resources: RESOURCES,
    schemas: gatewaySchemas,
    // KubeVela's tools look for cluster Secrets in the namespace of the service.
    service: { namespace, ...SERVICE },
    handle: (exchange) => answer(deps, exchange),
    upgrade: (exchange, socket, head) =>
      exchange.resource.name === 'clustergateways/proxy'
        ? tunnel(deps, exchange, { socket, head })
        : answer(deps, exchange),
    close: members.close,
    ...(isServedFor === undefined ? {} : { isServedFor }),
  };
}

async function answer(deps: FindMemberDeps, exchange: MountedExchange): Promise<ApiResponse> {
  const { info, request, resource } = exchange;
  if (resource.name === 'clustergateways/proxy') return proxyRequest(deps, exchange);
  const hub = hubObjects(exchange, deps.namespace);
  if (resource.name === 'clustergateways/health') {
    const isRead = info.verb === 'get';
    const gateway = isRead ? await readHealth(hub, info.name) : await writeHealth(hub, exchange);
    return showObject(request, clusterGatewayPrinter, gateway);
  }
  const isList = info.verb === 'list';
  if (resource.name === 'clustergateways') {
    return isList ? listGateways(hub, exchange) : getGateway(hub, exchange);
  }
  if (!isList) {
    return showObject(request, virtualClusterPrinter, await findVirtualCluster(hub, info.name));
  }
  return showList(request, virtualClusterPrinter, {
    kind: 'VirtualClusterList',
    apiVersion: GATEWAY_API_VERSION,
    items: await listVirtualClusters(hub, request.query.get('labelSelector') ?? ''),
    itemsHaveKinds: true,
  });
}

async function getGateway(hub: HubObjects, { info, request }: MountedExchange) {
  const secret = await hub.secret(info.name);
  const gateway = secret === undefined ? undefined : clusterGatewayOf(secret);
  if (gateway === undefined) throw notFound(CLUSTER_GATEWAYS, info.name);
  return showObject(request, clusterGatewayPrinter, gateway);
}

async function listGateways(hub: HubObjects, { request }: MountedExchange): Promise<ApiResponse> {
  const secrets = await hub.clusterSecrets();
  return showList(request, clusterGatewayPrinter, {
    kind: 'ClusterGatewayList',
    apiVersion: GATEWAY_API_VERSION,
    items: secrets.flatMap((secret) => clusterGatewayOf(secret) ?? []),
  });
}
