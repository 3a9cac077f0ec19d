import {
  at,
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  keyed,
  notSupported,
  required,
  validateLabels,
} from '@flotilla/machinery';
import { validateDNSSubdomain, validateQualifiedName } from './fields.ts';
import { validateEndpointIp, validateLegacyCidr, validateLegacyIp } from './ip-fields.ts';
import { validateClusterIps, validateClusterIpsUpdate } from './service-cluster-ips.ts';
import { validateServicePorts } from './service-ports.ts';
import {
  isExternallyAccessible,
  isHeadless,
  needsHealthCheck,
  type Service,
  TOPOLOGY_HINTS,
  TOPOLOGY_MODE,
} from './service-types.ts';

const SOURCE_RANGES = 'service.beta.kubernetes.io/load-balancer-source-ranges';

/** A day: the longest a client may stay with its endpoint. */
const MAX_AFFINITY_SECONDS = 86_400;

const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const affinities = ['ClientIP', 'None'];
const trafficPolicies = ['Cluster', 'Local'];
const trafficDistributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
const onlyForLoadBalancers = "may only be used when `type` is 'LoadBalancer'";

/** The rules of Services, in upstream's order; `old` is what is stored, on an update. */
export function validateService(service: Service, old: Service | undefined): FieldError[] {
  return [
    ...validateTopologyAnnotations(service),
    ...validateTypeFields(service),
    ...validateServicePorts(service),
    ...(service.spec.selector === undefined
      ? []
      : validateLabels(service.spec.selector, 'spec.selector')),
    ...validateAffinity(service),
    ...validateClusterIps(service, old),
    ...validateExternalIps(service, old),
    ...validateType(service),
    ...validateNodePorts(service),
    ...validateUniquePorts(service),
    ...validateSourceRanges(service, old),
    ...validateLoadBalancerNodePorts(service),
    ...validateLoadBalancerClass(service, undefined),
    ...validateExternalTrafficPolicy(service),
    ...validateInternalTrafficPolicy(service),
    ...validateTrafficDistribution(service),
  ];
}

/** What may change in a Service, and then all rules of `validateService`. */
export function validateServiceUpdate(service: Service, old: Service): FieldError[] {
  const errors = [
    ...validateClusterIpsUpdate(service, old),
    ...validateLoadBalancerClass(service, old),
  ];
  if (
    needsHealthCheck(old) &&
    needsHealthCheck(service) &&
    old.spec.healthCheckNodePort !== service.spec.healthCheckNodePort
  ) {
    errors.push(forbidden('spec.healthCheckNodePort', 'field is immutable'));
  }
  return [...errors, ...validateService(service, old)];
}

function validateTopologyAnnotations({ metadata }: Service): FieldError[] {
  const hints = metadata.annotations?.[TOPOLOGY_HINTS];
  const mode = metadata.annotations?.[TOPOLOGY_MODE];
  if (hints === undefined || mode === undefined || hints === mode) return [];
  return [
    invalid(
      keyed('metadata.annotations', TOPOLOGY_MODE),
      mode,
      `must match annotations[${TOPOLOGY_HINTS}] when both are specified`,
    ),
  ];
}

function validateTypeFields(service: Service): FieldError[] {
  const { spec } = service;
  const errors: FieldError[] = [];
  const headless = isHeadless(service);
  if (!spec.ports?.length && !headless && spec.type !== 'ExternalName') {
    errors.push(required('spec.ports'));
  }
  if (headless && (spec.type === 'LoadBalancer' || spec.type === 'NodePort')) {
    errors.push(
      invalid('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${spec.type} services`),
    );
  }
  if (spec.type !== 'ExternalName') return errors;
  const detail = 'may not be set for ExternalName services';
  if (spec.clusterIPs?.length) errors.push(forbidden('spec.clusterIPs', detail));
  if (spec.ipFamilies?.length) errors.push(forbidden('spec.ipFamilies', detail));
  if (spec.ipFamilyPolicy !== undefined) errors.push(forbidden('spec.ipFamilyPolicy', detail));
  // A final dot marks the name as fully qualified and is no part of it.
  const name = (spec.externalName ?? '').replace(/\.$/, '');
  if (name === '') errors.push(required('spec.externalName'));
  else errors.push(...validateDNSSubdomain(name, 'spec.externalName'));
  return errors;
}

function validateAffinity({ spec }: Service): FieldError[] {
  const { sessionAffinity, sessionAffinityConfig: config } = spec;
  const path = 'spec.sessionAffinityConfig';
  if (!sessionAffinity) return [required('spec.sessionAffinity')];
  if (sessionAffinity === 'None') {
    return config === undefined
      ? []
      : [forbidden(path, 'must not be set when session affinity is None')];
  }
  if (sessionAffinity !== 'ClientIP') {
    return [notSupported('spec.sessionAffinity', sessionAffinity, affinities)];
  }
  const missing = 'when session affinity type is ClientIP';
  if (config === undefined) return [required(path, missing)];
  if (config.clientIP === undefined) return [required(`${path}.clientIP`, missing)];
  const { timeoutSeconds } = config.clientIP;
  if (timeoutSeconds === undefined) return [required(`${path}.clientIP.timeoutSeconds`, missing)];
  if (timeoutSeconds > 0 && timeoutSeconds <= MAX_AFFINITY_SECONDS) return [];
  return [
    invalid(
      `${path}.clientIP.timeoutSeconds`,
      timeoutSeconds,
      `must be greater than 0 and less than ${MAX_AFFINITY_SECONDS}`,
    ),
  ];
}

function validateExternalIps(service: Service, old: Service | undefined): FieldError[] {
  return (service.spec.externalIPs ?? []).flatMap((ip, index) => {
    const path = at('spec.externalIPs', index);
    const errors = validateLegacyIp(ip, path, old?.spec.externalIPs);
    return errors.length > 0 ? errors : validateEndpointIp(ip, path);
  });
}

function validateType({ spec }: Service): FieldError[] {
  if (!spec.type) return [required('spec.type')];
  return types.includes(spec.type) ? [] : [notSupported('spec.type', spec.type, types)];
}

function validateNodePorts({ spec }: Service): FieldError[] {
  const errors: FieldError[] = [];
  const ports = spec.ports ?? [];
  if (spec.type === 'ClusterIP') {
    for (const [index, { nodePort }] of ports.entries()) {
      if (!nodePort) continue;
      errors.push(
        forbidden(
          `${at('spec.ports', index)}.nodePort`,
          "may not be used when `type` is 'ClusterIP'",
        ),
      );
    }
  }
  const seen = new Set<string>();
  for (const [index, { nodePort, protocol = '' }] of ports.entries()) {
    if (!nodePort) continue;
    const key = `${protocol}/${nodePort}`;
    if (seen.has(key)) errors.push(duplicate(`${at('spec.ports', index)}.nodePort`, nodePort));
    seen.add(key);
  }
  return errors;
}

function validateUniquePorts({ spec }: Service): FieldError[] {
  const seen = new Set<string>();
  return (spec.ports ?? []).flatMap(({ port, protocol = '' }, index) => {
    const key = `${protocol}/${port}`;
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    // Upstream shows its internal port with everything but the key unset.
    const shown = {
      Name: '',
      Protocol: protocol,
      AppProtocol: null,
      Port: port,
      TargetPort: 0,
      NodePort: 0,
    };
    return [duplicate(at('spec.ports', index), shown)];
  });
}

function validateSourceRanges(service: Service, old: Service | undefined): FieldError[] {
  const { spec, metadata } = service;
  const balanced = spec.type === 'LoadBalancer';
  if (spec.loadBalancerSourceRanges?.length) {
    const path = 'spec.LoadBalancerSourceRanges';
    const existing = (old?.spec.loadBalancerSourceRanges ?? []).map((range) => range.trim());
    return [
      ...(balanced ? [] : [forbidden(path, onlyForLoadBalancers)]),
      ...spec.loadBalancerSourceRanges.flatMap((range, index) =>
        validateLegacyCidr(range.trim(), at(path, index), existing),
      ),
    ];
  }
  const annotation = metadata.annotations?.[SOURCE_RANGES];
  if (annotation === undefined) return [];
  const path = keyed('metadata.annotations', SOURCE_RANGES);
  const errors = balanced ? [] : [forbidden(path, onlyForLoadBalancers)];
  if (old?.metadata.annotations?.[SOURCE_RANGES] === annotation || annotation.trim() === '') {
    return errors;
  }
  return [
    ...errors,
    ...annotation.split(',').flatMap((range) => validateLegacyCidr(range.trim(), path)),
  ];
}

function validateLoadBalancerNodePorts({ spec }: Service): FieldError[] {
  const set = spec.allocateLoadBalancerNodePorts !== undefined;
  if (set === (spec.type === 'LoadBalancer')) return [];
  return set
    ? [forbidden('spec.allocateLoadBalancerNodePorts', onlyForLoadBalancers)]
    : [required('allocateLoadBalancerNodePorts')];
}

function validateLoadBalancerClass(service: Service, old: Service | undefined): FieldError[] {
  const path = 'spec.loadBalancerClass';
  const { type, loadBalancerClass } = service.spec;
  const errors: FieldError[] = [];
  if (
    type === 'LoadBalancer' &&
    old?.spec.type === 'LoadBalancer' &&
    old.spec.loadBalancerClass !== loadBalancerClass
  ) {
    errors.push(invalid(path, loadBalancerClass ?? null, 'may not change once set'));
  }
  if (loadBalancerClass === undefined) return errors;
  if (type !== 'LoadBalancer') return [...errors, forbidden(path, onlyForLoadBalancers)];
  return [...errors, ...validateQualifiedName(loadBalancerClass, path)];
}

function validateExternalTrafficPolicy(service: Service): FieldError[] {
  const { externalTrafficPolicy: policy = '', healthCheckNodePort: port = 0 } = service.spec;
  const path = 'spec.externalTrafficPolicy';
  const errors: FieldError[] = [];
  if (!isExternallyAccessible(service)) {
    if (policy !== '') {
      errors.push(invalid(path, policy, 'may only be set for externally-accessible services'));
    }
  } else if (policy === '') errors.push(required(path));
  else if (!trafficPolicies.includes(policy)) {
    errors.push(notSupported(path, policy, trafficPolicies));
  }
  const portPath = 'spec.healthCheckNodePort';
  if (!needsHealthCheck(service)) {
    if (port !== 0) {
      errors.push(
        invalid(
          portPath,
          port,
          "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
        ),
      );
    }
  } else if (port === 0) errors.push(required(portPath));
  else if (port < 1 || port > 65535) {
    errors.push(invalid(portPath, port, 'must be between 1 and 65535, inclusive'));
  }
  return errors;
}

function validateInternalTrafficPolicy({ spec }: Service): FieldError[] {
  const path = 'spec.internalTrafficPolicy';
  const policy = spec.internalTrafficPolicy;
  if (policy === undefined) {
    return ['NodePort', 'LoadBalancer', 'ClusterIP'].includes(spec.type ?? '')
      ? [required(path)]
      : [];
  }
  return trafficPolicies.includes(policy) ? [] : [notSupported(path, policy, trafficPolicies)];
}

function validateTrafficDistribution({ spec }: Service): FieldError[] {
  const distribution = spec.trafficDistribution;
  if (distribution === undefined || trafficDistributions.includes(distribution)) return [];
  return [notSupported('spec.trafficDistribution', distribution, trafficDistributions)];
}
