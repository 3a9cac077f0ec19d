import {
  at,
  type FieldError,
  internalError,
  invalid,
  invalidObject,
  type StatusError,
} from '@flotilla/machinery';
import { isIpv6 } from './ip-address.ts';
import { validateClusterIps } from './service-cluster-ips.ts';
import type { Allocation } from './service-ip.ts';
import {
  HEADLESS,
  isHeadless,
  needsClusterIp,
  needsHealthCheck,
  type Service,
  type ServicePort,
  sameTexts,
} from './service-types.ts';

const POLICY = 'spec.ipFamilyPolicy';

/** The family of a cluster with one stack. */
const CLUSTER_FAMILY = 'IPv4';

/** Where addresses and ports come from; each reserves what it returns until it is released. */
export interface ServicePools {
  /** An address of the Service network: the wanted one, or any free one. */
  readonly clusterIp: (wanted?: string) => Allocation<string>;
  /** A port of the node port range: the wanted one, or any free one. */
  readonly nodePort: (wanted?: number) => Allocation<number>;
}

/** What a write took and what it gives back once it has succeeded. */
export interface ServiceClaims {
  readonly ips: readonly string[];
  readonly ports: readonly number[];
  readonly releasedIps: readonly string[];
  readonly releasedPorts: readonly number[];
}

/**
 * Fills in the cluster IP, family fields and node ports of a Service about to be written, for a cluster with IPv4
 * only. It runs after defaults and admission and before the prepare functions and validation, as upstream's does.
 * Throws what the client is to see; what had been taken until then is in the pools' hands to give back.
 */
export function allocateService(
  service: Service,
  old: Service | undefined,
  pools: ServicePools,
): ServiceClaims {
  if (old !== undefined) keepAllocatedValues(service, old);
  syncClusterIps(service, old);
  initFamilies(service, old);
  const claims = {
    ips: [] as string[],
    ports: [] as number[],
    releasedIps: [] as string[],
    releasedPorts: [] as number[],
  };
  claimClusterIp(service, old, { pools, claims });
  claimNodePorts(service, old, { pools, claims });
  return claims;
}

/** Everything a stored Service holds: what a restart must mark as taken, and what a delete gives back. */
export function serviceHoldings(service: Service): { ips: string[]; ports: number[] } {
  const ips =
    needsClusterIp(service) && !isHeadless(service) ? [...(service.spec.clusterIPs ?? [])] : [];
  const ports = nodePorts(service);
  const health = service.spec.healthCheckNodePort;
  if (needsHealthCheck(service) && health) ports.push(health);
  return { ips, ports };
}

type Claiming = {
  pools: ServicePools;
  claims: { ips: string[]; ports: number[]; releasedIps: string[]; releasedPorts: number[] };
};

/** Whoever applies the same manifest again must not lose what the server filled in. */
function keepAllocatedValues(service: Service, old: Service): void {
  const { spec } = service;
  if (needsClusterIp(old) && needsClusterIp(service)) {
    if (!spec.clusterIP && old.spec.clusterIP) spec.clusterIP = old.spec.clusterIP;
    if (!spec.clusterIPs?.length && old.spec.clusterIPs?.length) {
      spec.clusterIPs = [...old.spec.clusterIPs];
    }
  }
  if (allocatesNodePorts(old) && allocatesNodePorts(service)) {
    const wanted = new Set(nodePorts(service));
    const used = new Set(nodePorts(old).filter((port) => wanted.has(port)));
    const byName = new Map((old.spec.ports ?? []).map((port) => [port.name ?? '', port.nodePort]));
    for (const port of spec.ports ?? []) {
      const before = byName.get(port.name ?? '');
      if (!port.nodePort && before && !used.has(before)) port.nodePort = before;
    }
  }
  if (needsHealthCheck(old) && needsHealthCheck(service) && old.spec.healthCheckNodePort) {
    spec.healthCheckNodePort ||= old.spec.healthCheckNodePort;
  }
}

/** Old clients know only `clusterIP`; `clusterIPs` follows it. */
function syncClusterIps({ spec }: Service, old: Service | undefined): void {
  if (old === undefined) {
    if (spec.clusterIP && !spec.clusterIPs?.length) spec.clusterIPs = [spec.clusterIP];
    return;
  }
  const before = old.spec;
  const sameIp = (before.clusterIP ?? '') === (spec.clusterIP ?? '');
  if (before.clusterIPs?.length && !spec.clusterIPs?.length && sameIp) {
    spec.clusterIPs = [...before.clusterIPs];
  }
  if (sameIp || !sameTexts(before.clusterIPs, spec.clusterIPs)) return;
  if (spec.clusterIP) spec.clusterIPs = [spec.clusterIP];
  else delete spec.clusterIPs;
}

function initFamilies(service: Service, old: Service | undefined): void {
  const { spec } = service;
  if (spec.type === 'ExternalName' || keepsPreferredDualStack(service, old)) return;
  const selectorless = spec.clusterIP === HEADLESS && Object.keys(spec.selector ?? {}).length === 0;
  spec.ipFamilyPolicy ??=
    old?.spec.ipFamilyPolicy ?? (selectorless ? 'RequireDualStack' : 'SingleStack');
  refuse(service, validateClusterIps(service, old));
  refuse(service, [
    ...(old === undefined ? [] : shrinkToSingleStack(service, old)),
    ...checkPolicy(service),
    ...inferFamilies(service),
  ]);

  // Nobody routes to a headless Service without selector, so it may name families the cluster has not.
  if (selectorless) {
    const first = spec.ipFamilies?.[0] ?? CLUSTER_FAMILY;
    spec.ipFamilies ??= [first];
    if (spec.ipFamilies.length < 2 && spec.ipFamilyPolicy !== 'SingleStack') {
      spec.ipFamilies = [first, first === 'IPv4' ? 'IPv6' : 'IPv4'];
    }
    return;
  }
  const errors: FieldError[] = [];
  if (spec.ipFamilyPolicy === 'RequireDualStack') {
    errors.push(
      invalid(
        POLICY,
        spec.ipFamilyPolicy,
        'this cluster is not configured for dual-stack services',
      ),
    );
  }
  for (const [index, family] of (spec.ipFamilies ?? []).entries()) {
    if (family !== CLUSTER_FAMILY) {
      errors.push(invalid(at('spec.ipFamilies', index), family, 'not configured on this cluster'));
    }
  }
  refuse(service, errors);
  if (!spec.ipFamilies?.length) spec.ipFamilies = [CLUSTER_FAMILY];
}

/** Unchanged Services that prefer two stacks stay as they are, whatever the cluster has become. */
function keepsPreferredDualStack(service: Service, old: Service | undefined): boolean {
  return (
    old !== undefined &&
    service.spec.ipFamilyPolicy === 'PreferDualStack' &&
    (old.spec.ipFamilyPolicy ?? 'PreferDualStack') === 'PreferDualStack' &&
    old.spec.type === service.spec.type &&
    ['ClusterIP', 'NodePort', 'LoadBalancer'].includes(service.spec.type ?? '') &&
    sameTexts(old.spec.clusterIPs, service.spec.clusterIPs) &&
    sameTexts(old.spec.ipFamilies, service.spec.ipFamilies)
  );
}

function shrinkToSingleStack({ spec }: Service, old: Service): FieldError[] {
  const ips = spec.clusterIPs ?? [];
  const families = spec.ipFamilies ?? [];
  if (spec.ipFamilyPolicy === 'SingleStack') {
    if (sameTexts(old.spec.clusterIPs, ips) && ips.length > 1) spec.clusterIPs = ips.slice(0, 1);
    if (sameTexts(old.spec.ipFamilies, families) && families.length > 1) {
      spec.ipFamilies = families.slice(0, 1);
    }
    return [];
  }
  const errors: FieldError[] = [];
  const release = (what: string) =>
    invalid(POLICY, spec.ipFamilyPolicy, `must be 'SingleStack' to release the secondary ${what}`);
  if (ips.length > 0 && ips.length < (old.spec.clusterIPs?.length ?? 0)) {
    errors.push(release('cluster IP'));
  }
  if (families.length > 0 && families.length < (old.spec.ipFamilies?.length ?? 0)) {
    errors.push(release('IP family'));
  }
  return errors;
}

function checkPolicy({ spec }: Service): FieldError[] {
  if (spec.ipFamilyPolicy !== 'SingleStack') return [];
  const errors: FieldError[] = [];
  const needsDual = (what: string) =>
    invalid(
      POLICY,
      spec.ipFamilyPolicy,
      `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`,
    );
  if (spec.clusterIPs?.length === 2) errors.push(needsDual('cluster IPs'));
  if (spec.ipFamilies?.length === 2) errors.push(needsDual('IP families'));
  return errors;
}

/** Addresses without a family entry of their own name their family. */
function inferFamilies({ spec }: Service): FieldError[] {
  const errors: FieldError[] = [];
  const ips = spec.clusterIPs ?? [];
  for (const [index, ip] of ips.entries()) {
    if (ip === HEADLESS) break;
    if (index < (spec.ipFamilies?.length ?? 0)) continue;
    const family = isIpv6(ip) ? 'IPv6' : 'IPv4';
    if (family === CLUSTER_FAMILY) spec.ipFamilies = [...(spec.ipFamilies ?? []), family];
    else {
      const detail = `${family} is not configured on this cluster`;
      errors.push(invalid(at('spec.clusterIPs', index), ips, detail));
    }
  }
  return errors;
}

function claimClusterIp(
  service: Service,
  old: Service | undefined,
  { pools, claims }: Claiming,
): void {
  const { spec } = service;
  const arrives = old === undefined || !needsClusterIp(old);
  if (!arrives && !isHeadless(old) && !needsClusterIp(service)) {
    claims.releasedIps.push(...(old.spec.clusterIPs ?? []));
  }
  if (!arrives || !needsClusterIp(service) || isHeadless(service)) return;
  const wanted = spec.clusterIPs?.[0] ?? '';
  const answer = pools.clusterIp(wanted === '' ? undefined : wanted);
  if (!answer.ok) {
    if (wanted === '') throw internalError(`failed to allocate a serviceIP: ${answer.error}`);
    const detail = `failed to allocate IP ${wanted}: ${answer.error}`;
    throw refusal(service, [invalid('spec.clusterIPs', spec.clusterIPs, detail)]);
  }
  claims.ips.push(answer.value);
  const ip = wanted === '' ? answer.value : wanted;
  spec.clusterIPs = [ip, ...(spec.clusterIPs ?? []).slice(1)];
  spec.clusterIP = ip;
}

function claimNodePorts(service: Service, old: Service | undefined, claiming: Claiming): void {
  const { spec } = service;
  const { pools, claims } = claiming;
  const held = new Set(old === undefined ? [] : nodePorts(old));
  if (spec.type === 'NodePort' || spec.type === 'LoadBalancer') {
    if (old === undefined) claimNewPorts(service, claiming);
    else claimChangedPorts(service, held, claiming);
  }
  const kept = new Set(nodePorts(service));
  const usesPorts = spec.type === 'NodePort' || spec.type === 'LoadBalancer';
  for (const port of held) if (!usesPorts || !kept.has(port)) claims.releasedPorts.push(port);

  const needed = old !== undefined && needsHealthCheck(old);
  if (needed && !needsHealthCheck(service) && old.spec.healthCheckNodePort) {
    claims.releasedPorts.push(old.spec.healthCheckNodePort);
  }
  if (needed || !needsHealthCheck(service)) return;
  const wanted = spec.healthCheckNodePort ?? 0;
  const answer = pools.nodePort(wanted === 0 ? undefined : wanted);
  if (!answer.ok) {
    throw internalError(
      wanted === 0
        ? `failed to allocate a HealthCheck NodePort 0: ${answer.error}`
        : `failed to allocate requested HealthCheck NodePort ${wanted}: ${answer.error}`,
    );
  }
  claims.ports.push(answer.value);
  spec.healthCheckNodePort = answer.value;
}

/** Ports of one number (TCP and UDP) share one node port, as long as nobody asks for different ones. */
function claimNewPorts(service: Service, claiming: Claiming): void {
  const ports = service.spec.ports ?? [];
  const byPort = new Map<number, number>();
  for (const [index, port] of ports.entries()) {
    if (!port.nodePort && !allocatesNodePorts(service)) continue;
    const shared = byPort.get(port.port);
    if (shared === undefined) {
      const wanted = ports.find((other) => other.port === port.port && other.nodePort)?.nodePort;
      port.nodePort = claimPort(service, { index, wanted, ...claiming });
      byPort.set(port.port, port.nodePort);
    } else if (!port.nodePort) port.nodePort = shared;
    else if (port.nodePort !== shared)
      claimPort(service, { index, wanted: port.nodePort, ...claiming });
  }
}

function claimChangedPorts(service: Service, held: Set<number>, claiming: Claiming): void {
  const claimed = new Set<number>();
  const seen = new Set<string>();
  for (const [index, port] of (service.spec.ports ?? []).entries()) {
    if (!port.nodePort && !allocatesNodePorts(service)) continue;
    const wanted = port.nodePort;
    if (!wanted || (!held.has(wanted) && !claimed.has(wanted))) {
      port.nodePort = claimPort(service, { index, wanted, ...claiming });
      claimed.add(port.nodePort);
    }
    refuseRepeatedPort(port, seen);
  }
}

function refuseRepeatedPort({ protocol = '', nodePort }: ServicePort, seen: Set<string>): void {
  const key = `{${protocol} ${nodePort}}`;
  if (seen.has(key)) throw internalError(`duplicate nodePort: ${key}`);
  seen.add(key);
}

function claimPort(
  service: Service,
  { index, wanted, pools, claims }: Claiming & { index: number; wanted: number | undefined },
): number {
  const answer = pools.nodePort(wanted || undefined);
  if (answer.ok) {
    claims.ports.push(answer.value);
    return answer.value;
  }
  if (!wanted) throw internalError(`failed to allocate a nodePort: ${answer.error}`);
  const path = `${at('spec.ports', index)}.nodePort`;
  throw refusal(service, [invalid(path, wanted, answer.error)]);
}

function allocatesNodePorts({ spec }: Service): boolean {
  return (
    spec.type === 'NodePort' ||
    (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false)
  );
}

function nodePorts({ spec }: Service): number[] {
  return (spec.ports ?? []).flatMap(({ nodePort }) => (nodePort ? [nodePort] : []));
}

function refuse(service: Service, errors: FieldError[]): void {
  if (errors.length > 0) throw refusal(service, errors);
}

function refusal(service: Service, errors: FieldError[]): StatusError {
  return invalidObject({ group: '', kind: 'Service' }, service.metadata.name ?? '', errors);
}
