import type { KubeObject } from '@flotilla/machinery';

/** One port of a Service. */
export interface ServicePort {
  name?: string;
  protocol?: string;
  appProtocol?: string;
  port: number;
  targetPort: number | string;
  nodePort?: number;
}

/** What a Service asks for. */
export interface ServiceSpec {
  ports?: ServicePort[];
  selector?: Record<string, string>;
  clusterIP?: string;
  clusterIPs?: string[];
  type?: string;
  externalIPs?: string[];
  sessionAffinity?: string;
  loadBalancerIP?: string;
  loadBalancerSourceRanges?: string[];
  externalName?: string;
  externalTrafficPolicy?: string;
  healthCheckNodePort?: number;
  sessionAffinityConfig?: { clientIP?: { timeoutSeconds?: number } };
  ipFamilies?: string[];
  ipFamilyPolicy?: string;
  allocateLoadBalancerNodePorts?: boolean;
  loadBalancerClass?: string;
  internalTrafficPolicy?: string;
  trafficDistribution?: string;
}

/** Where a load balancer answers. */
export interface LoadBalancerIngress {
  ip?: string;
  hostname?: string;
  ipMode?: string;
}

/** A Service as the type tables decode it. */
export interface Service extends KubeObject {
  spec: ServiceSpec;
  status: { loadBalancer: { ingress?: LoadBalancerIngress[] }; conditions?: unknown[] };
}

/** The cluster IP of Services that want none. */
export const HEADLESS = 'None';

/** The annotation that asked for topology hints before `TOPOLOGY_MODE`. */
export const TOPOLOGY_HINTS = 'service.kubernetes.io/topology-aware-hints';

/** The annotation that asks for endpoints near the client. */
export const TOPOLOGY_MODE = 'service.kubernetes.io/topology-mode';

/** True for Services that have asked for no cluster IP at all. */
export function isHeadless({ spec }: Service): boolean {
  return spec.clusterIPs?.length === 1 && spec.clusterIPs[0] === HEADLESS;
}

/** True for types that need a cluster IP, or `None` in its place. */
export function needsClusterIp({ spec }: Service): boolean {
  return spec.type !== 'ExternalName';
}

/** True for types whose ports are reached on every node. */
export function needsNodePort({ spec }: Service): boolean {
  return spec.type === 'NodePort' || spec.type === 'LoadBalancer';
}

/** True when a load balancer asks each node whether it has endpoints. */
export function needsHealthCheck({ spec }: Service): boolean {
  return spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local';
}

/** True when traffic from outside can reach the Service. */
export function isExternallyAccessible({ spec }: Service): boolean {
  return (
    spec.type === 'LoadBalancer' ||
    spec.type === 'NodePort' ||
    (spec.type === 'ClusterIP' && (spec.externalIPs?.length ?? 0) > 0)
  );
}

/** True when two lists hold the same texts in the same order; absent and empty are alike. */
export function sameTexts(a: readonly string[] = [], b: readonly string[] = []): boolean {
  return a.length === b.length && a.every((text, index) => text === b[index]);
}
