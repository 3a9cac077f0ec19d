import { at, child } from '@flotilla/machinery';
import type { KindBehaviour } from '../behaviour.ts';
import { age, labelsCell, loadBalancerAddresses, nameCell } from './cells.ts';
import { cidrWarnings, ipWarnings } from './ip-fields.ts';
import { validateLoadBalancerStatus } from './service-status.ts';
import {
  HEADLESS,
  isExternallyAccessible,
  needsClusterIp,
  needsHealthCheck,
  needsNodePort,
  type Service,
  type ServicePort,
  sameTexts,
  TOPOLOGY_HINTS,
  TOPOLOGY_MODE,
} from './service-types.ts';
import { validateService, validateServiceUpdate } from './service-validation.ts';

/** Three hours: how long a client stays with its endpoint when affinity is asked for without a duration. */
const DEFAULT_AFFINITY_SECONDS = 10_800;

/**
 * A name for endpoints. Cluster IPs and node ports are given out by `allocateService`, which handlers call after
 * defaults and before the prepare functions and validation here.
 */
export const service: KindBehaviour<Service> = {
  nameRule: 'label-1035',
  createOnUpdate: true,
  defaults: setDefaults,
  prepareForCreate: (object) => {
    object.status = { loadBalancer: {} };
    hideTrafficPolicy(object);
  },
  prepareForUpdate: (object, old) => {
    dropTypeDependentFields(object, old);
    hideTrafficPolicy(object);
  },
  validate: (object) => validateService(object, undefined),
  validateOnUpdate: false,
  validateUpdate: validateServiceUpdate,
  validateStatusUpdate: validateLoadBalancerStatus,
  warnings: (object, _old, { subresource }) =>
    subresource === 'status' ? statusWarnings(object) : specWarnings(object),
  selectableFields: {
    'spec.clusterIP': ({ spec }) => spec.clusterIP ?? '',
    'spec.type': ({ spec }) => spec.type ?? '',
  },
  cells: (object, { now }) => [
    nameCell(object),
    object.spec.type ?? '',
    object.spec.clusterIPs?.[0] ?? '<none>',
    externalAddress(object),
    portsCell(object.spec.ports ?? []),
    age(object, now),
    labelsCell(object.spec.selector),
  ],
};

function setDefaults(object: Service): void {
  const { spec } = object;
  spec.sessionAffinity ||= 'None';
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (
    spec.sessionAffinity === 'ClientIP' &&
    spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined
  ) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: DEFAULT_AFFINITY_SECONDS } };
  }
  spec.type ||= 'ClusterIP';
  for (const port of spec.ports ?? []) {
    port.protocol ||= 'TCP';
    if (port.targetPort === 0 || port.targetPort === '') port.targetPort = port.port;
  }
  if (isExternallyAccessible(object)) spec.externalTrafficPolicy ||= 'Cluster';
  if (needsNodePort(object) || spec.type === 'ClusterIP') {
    spec.internalTrafficPolicy ??= 'Cluster';
  }
  if (spec.type !== 'LoadBalancer') return;
  spec.allocateLoadBalancerNodePorts ??= true;
  for (const ingress of object.status.loadBalancer.ingress ?? []) {
    if (ingress.ip) ingress.ipMode ??= 'VIP';
  }
}

/** Nothing routes an ExternalName inside the cluster; upstream hides the field when it reads one. */
function hideTrafficPolicy({ spec }: Service): void {
  if (spec.type === 'ExternalName') delete spec.internalTrafficPolicy;
}

/**
 * A Service that changes its type loses what belonged to the old one, as far as the user left it unchanged: values
 * the user did change are for validation to judge.
 */
function dropTypeDependentFields(object: Service, old: Service): void {
  const next = object.spec;
  const before = old.spec;
  if (needsClusterIp(old) && !needsClusterIp(object)) {
    if (
      (before.clusterIP ?? '') === (next.clusterIP ?? '') &&
      sameTexts(before.clusterIPs, next.clusterIPs)
    ) {
      delete next.clusterIP;
      delete next.clusterIPs;
    }
    if (sameTexts(before.ipFamilies, next.ipFamilies)) delete next.ipFamilies;
    if (before.ipFamilyPolicy === next.ipFamilyPolicy) delete next.ipFamilyPolicy;
  }
  if (needsNodePort(old) && !needsNodePort(object) && addsNoNodePort(object, old)) {
    for (const port of next.ports ?? []) delete port.nodePort;
  }
  if (
    needsHealthCheck(old) &&
    !needsHealthCheck(object) &&
    before.healthCheckNodePort === next.healthCheckNodePort
  ) {
    delete next.healthCheckNodePort;
  }
  if (before.type === 'LoadBalancer' && next.type !== 'LoadBalancer') {
    if (before.allocateLoadBalancerNodePorts === next.allocateLoadBalancerNodePorts) {
      delete next.allocateLoadBalancerNodePorts;
    }
    if (before.loadBalancerClass === next.loadBalancerClass) delete next.loadBalancerClass;
  }
  if (
    isExternallyAccessible(old) &&
    !isExternallyAccessible(object) &&
    before.externalTrafficPolicy === next.externalTrafficPolicy
  ) {
    delete next.externalTrafficPolicy;
  }
  if (next.type !== 'LoadBalancer') object.status = { ...object.status, loadBalancer: {} };
}

function addsNoNodePort(object: Service, old: Service): boolean {
  const before = new Set((old.spec.ports ?? []).map(({ nodePort }) => nodePort));
  return (object.spec.ports ?? []).every(({ nodePort }) => !nodePort || before.has(nodePort));
}

function specWarnings({ metadata, spec }: Service): string[] {
  const warnings: string[] = [];
  if (Object.hasOwn(metadata.annotations ?? {}, TOPOLOGY_HINTS)) {
    warnings.push(
      `annotation ${TOPOLOGY_HINTS} is deprecated, please use ${TOPOLOGY_MODE} instead`,
    );
  }
  const headless = spec.type === 'ClusterIP' && spec.clusterIP === HEADLESS;
  if (needsClusterIpWarnings(spec.clusterIP)) {
    for (const [index, ip] of (spec.clusterIPs ?? []).entries()) {
      warnings.push(...ipWarnings(ip, at('spec.clusterIPs', index)));
    }
  }
  if (headless) {
    if (spec.loadBalancerIP) warnings.push('spec.loadBalancerIP is ignored for headless services');
    if (spec.externalIPs?.length)
      warnings.push('spec.externalIPs is ignored for headless services');
    if (spec.sessionAffinity !== 'None') {
      warnings.push('spec.SessionAffinity is ignored for headless services');
    }
  }
  for (const [index, ip] of (spec.externalIPs ?? []).entries()) {
    warnings.push(...ipWarnings(ip, at('spec.externalIPs', index)));
  }
  if (spec.loadBalancerIP) warnings.push(...ipWarnings(spec.loadBalancerIP, 'spec.loadBalancerIP'));
  for (const [index, cidr] of (spec.loadBalancerSourceRanges ?? []).entries()) {
    warnings.push(...cidrWarnings(cidr, at('spec.loadBalancerSourceRanges', index)));
  }
  if (spec.type === 'ExternalName' && spec.externalIPs?.length) {
    warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  }
  if (spec.type !== 'ExternalName' && spec.externalName) {
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  }
  return warnings;
}

function needsClusterIpWarnings(clusterIp: string | undefined): boolean {
  return clusterIp !== undefined && clusterIp !== '' && clusterIp !== HEADLESS;
}

function statusWarnings({ status }: Service): string[] {
  const path = child('status', 'loadBalancer', 'ingress');
  return (status.loadBalancer.ingress ?? []).flatMap(({ ip }, index) =>
    ip ? ipWarnings(ip, at(path, index)) : [],
  );
}

function externalAddress({ spec, status }: Service): string {
  const externalIps = spec.externalIPs ?? [];
  switch (spec.type) {
    case 'ClusterIP':
    case 'NodePort':
      return externalIps.length > 0 ? externalIps.join(',') : '<none>';
    case 'LoadBalancer': {
      const addresses = loadBalancerAddresses(status.loadBalancer.ingress);
      const all = addresses === '' ? externalIps : [addresses, ...externalIps];
      return all.length === 0 ? '<pending>' : all.join(',');
    }
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return '<unknown>';
  }
}

function portsCell(ports: readonly ServicePort[]): string {
  const texts = ports.map(({ port, nodePort, protocol = '' }) =>
    nodePort ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`,
  );
  return texts.length === 0 ? '<none>' : texts.join(',');
}
