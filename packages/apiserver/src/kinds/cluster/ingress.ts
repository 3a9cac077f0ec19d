import {
  at,
  child,
  type FieldError,
  invalid,
  isDNS1035Label,
  isDNS1123Subdomain,
  isValidPortName,
  isValidPortNum,
  isWildcardDNS1123Subdomain,
  type KubeObject,
  notSupported,
  required,
} from '@flotilla/machinery';
import type { KindBehaviour } from '../behaviour.ts';
import { age, loadBalancerAddresses, nameCell } from '../core/cells.ts';
import { validateDNSSubdomain } from '../core/fields.ts';
import { parseIp } from '../core/ip-address.ts';
import { ipWarnings, validateLegacyIp } from '../core/ip-fields.ts';
import { validateHostname } from '../core/service-status.ts';
import { type TypedLocalReference, validateTypedLocalReference } from './ingress-class.ts';

const CLASS_ANNOTATION = 'kubernetes.io/ingress.class';
const SHOWN_HOSTS = 3;

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];
const forbiddenSequences = ['//', '/./', '/../', '%2f', '%2F'];
const forbiddenSuffixes = ['/..', '/.'];

interface IngressBackend {
  service?: { name: string; port?: { name?: string; number?: number } };
  resource?: TypedLocalReference;
}

interface HttpPath {
  path?: string;
  pathType: string | null;
  backend: IngressBackend;
}

interface IngressRule {
  host?: string;
  http?: { paths: HttpPath[] | null };
}

interface Ingress extends KubeObject {
  spec: {
    ingressClassName?: string;
    defaultBackend?: IngressBackend;
    tls?: { hosts?: string[]; secretName?: string }[];
    rules?: IngressRule[];
  };
  status: { loadBalancer: { ingress?: { ip?: string; hostname?: string }[] } };
}

/** What stored objects may keep although newer rules refuse it. */
interface Tolerance {
  readonly secretNames: boolean;
  readonly wildcardRules: boolean;
}

const strict: Tolerance = { secretNames: false, wildcardRules: false };

/** Which hosts and paths lead to which Services. */
export const ingress: KindBehaviour<Ingress> = {
  generation: 'spec',
  prepareForCreate: (object) => {
    object.status = { loadBalancer: {} };
  },
  validate: (object) => [...validateSpec(object, strict), ...validateClassAnnotation(object)],
  validateOnUpdate: false,
  validateUpdate: (object, old) => validateSpec(object, toleranceOf(old)),
  validateStatusUpdate: (object, old) => {
    const existing = (old.status.loadBalancer.ingress ?? []).flatMap(({ ip }) => (ip ? [ip] : []));
    return (object.status.loadBalancer.ingress ?? []).flatMap(({ ip, hostname }, index) => {
      const path = at('status.loadBalancer.ingress', index);
      return [
        ...(ip ? validateLegacyIp(ip, child(path, 'ip'), existing) : []),
        ...validateHostname(hostname, child(path, 'hostname')),
      ];
    });
  },
  warnings: (object, old, { subresource }) => {
    if (subresource === 'status') {
      return (object.status.loadBalancer.ingress ?? []).flatMap(({ ip }, index) =>
        ip ? ipWarnings(ip, at('status.loadBalancer.ingress', index)) : [],
      );
    }
    const annotated = Object.hasOwn(object.metadata.annotations ?? {}, CLASS_ANNOTATION);
    return old === undefined && annotated && object.spec.ingressClassName === undefined
      ? [
          `annotation "${CLASS_ANNOTATION}" is deprecated, please use 'spec.ingressClassName' instead`,
        ]
      : [];
  },
  cells: (object, { now }) => [
    nameCell(object),
    object.spec.ingressClassName ?? '<none>',
    hostsCell(object.spec.rules ?? []),
    loadBalancerAddresses(object.status.loadBalancer.ingress),
    object.spec.tls?.length ? '80, 443' : '80',
    age(object, now),
  ],
};

function validateClassAnnotation({ metadata, spec }: Ingress): FieldError[] {
  const annotation = metadata.annotations?.[CLASS_ANNOTATION];
  if (annotation === undefined || spec.ingressClassName === undefined) return [];
  if (annotation === spec.ingressClassName) return [];
  const detail = 'must match `ingressClassName` when both are specified';
  return [invalid(`annotations.${CLASS_ANNOTATION}`, annotation, detail)];
}

function validateSpec({ spec }: Ingress, tolerance: Tolerance): FieldError[] {
  const errors: FieldError[] = [];
  const rules = spec.rules ?? [];
  if (rules.length === 0 && spec.defaultBackend === undefined) {
    const detail = 'either `defaultBackend` or `rules` must be specified';
    errors.push(invalid('spec', spec.rules ?? null, detail));
  }
  if (spec.defaultBackend !== undefined) {
    errors.push(...validateBackend(spec.defaultBackend, 'spec.defaultBackend'));
  }
  for (const [index, rule] of rules.entries()) {
    errors.push(...validateRule(rule, tolerance, at('spec.rules', index)));
  }
  for (const [index, { hosts = [], secretName = '' }] of (spec.tls ?? []).entries()) {
    const path = at('spec.tls', index);
    for (const [i, host] of hosts.entries()) {
      errors.push(...validateHostPattern(host, at(child(path, 'hosts'), i)));
    }
    if (!tolerance.secretNames && secretName !== '') {
      errors.push(...validateDNSSubdomain(secretName, child(path, 'secretName')));
    }
  }
  if (spec.ingressClassName !== undefined) {
    errors.push(...validateDNSSubdomain(spec.ingressClassName, 'spec.ingressClassName'));
  }
  return errors;
}

function validateRule(rule: IngressRule, tolerance: Tolerance, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { host = '', http } = rule;
  const hostPath = child(path, 'host');
  if (host !== '') {
    if (parseIp(host) !== undefined) {
      errors.push(invalid(hostPath, host, 'must be a DNS name, not an IP address'));
    }
    errors.push(...validateHostPattern(host, hostPath));
  }
  if (http === undefined || (host.includes('*') && tolerance.wildcardRules)) return errors;
  return [...errors, ...validateHttp(http, child(path, 'http'))];
}

function validateHostPattern(host: string, path: string): FieldError[] {
  const rule = host.includes('*') ? isWildcardDNS1123Subdomain : isDNS1123Subdomain;
  return rule(host).map((message) => invalid(path, host, message));
}

function validateHttp(http: { paths: HttpPath[] | null }, path: string): FieldError[] {
  const paths = http.paths ?? [];
  if (paths.length === 0) return [required(child(path, 'paths'))];
  return paths.flatMap((entry, index) => validateHttpPath(entry, at(child(path, 'paths'), index)));
}

function validateHttpPath(entry: HttpPath, path: string): FieldError[] {
  const { pathType, path: text = '' } = entry;
  const textPath = child(path, 'path');
  const errors: FieldError[] = [];
  switch (pathType) {
    case null:
    case undefined:
      return [required(child(path, 'pathType'), 'pathType must be specified')];
    case 'Exact':
    case 'Prefix':
      if (!text.startsWith('/')) errors.push(invalid(textPath, text, 'must be an absolute path'));
      for (const sequence of forbiddenSequences.filter((part) => text.includes(part))) {
        errors.push(invalid(textPath, text, `must not contain '${sequence}'`));
      }
      for (const suffix of forbiddenSuffixes.filter((part) => text.endsWith(part))) {
        errors.push(invalid(textPath, text, `cannot end with '${suffix}'`));
      }
      break;
    case 'ImplementationSpecific':
      if (text !== '' && !text.startsWith('/')) {
        errors.push(invalid(textPath, text, 'must be an absolute path'));
      }
      break;
    default:
      errors.push(notSupported(child(path, 'pathType'), pathType, pathTypes));
  }
  return [...errors, ...validateBackend(entry.backend, child(path, 'backend'))];
}

function validateBackend({ service, resource }: IngressBackend, path: string): FieldError[] {
  if (resource !== undefined && service !== undefined) {
    return [invalid(path, '', 'cannot set both resource and service backends')];
  }
  if (resource !== undefined) return validateTypedLocalReference(resource, child(path, 'resource'));
  if (service === undefined) return [invalid(path, '', 'resource or service backend is required')];
  const errors: FieldError[] = [];
  const namePath = child(path, 'service', 'name');
  if (service.name === '') errors.push(required(namePath));
  for (const message of service.name === '' ? [] : isDNS1035Label(service.name)) {
    errors.push(invalid(namePath, service.name, message));
  }
  const { name = '', number = 0 } = service.port ?? {};
  if (name !== '' && number !== 0) {
    errors.push(invalid(path, '', 'cannot set both port name & port number'));
  } else if (name !== '') {
    for (const message of isValidPortName(name)) {
      errors.push(invalid(child(path, 'service', 'port', 'name'), name, message));
    }
  } else if (number !== 0) {
    for (const message of isValidPortNum(number)) {
      errors.push(invalid(child(path, 'service', 'port', 'number'), number, message));
    }
  } else errors.push(required(path, 'port name or number is required'));
  return errors;
}

function toleranceOf({ spec }: Ingress): Tolerance {
  return {
    secretNames: (spec.tls ?? []).some(
      ({ secretName = '' }) => secretName !== '' && isDNS1123Subdomain(secretName).length > 0,
    ),
    wildcardRules: (spec.rules ?? []).some(
      ({ host = '', http }) =>
        host.includes('*') && http !== undefined && validateHttp(http, '').length > 0,
    ),
  };
}

/** Three hosts at most; rules without a host count as well once there are more. */
function hostsCell(rules: readonly IngressRule[]): string {
  const hosts: string[] = [];
  let more = false;
  for (const { host } of rules) {
    if (hosts.length === SHOWN_HOSTS) more = true;
    if (!more && host) hosts.push(host);
  }
  if (hosts.length === 0) return '*';
  const shown = hosts.join(',');
  return more ? `${shown} + ${rules.length - SHOWN_HOSTS} more...` : shown;
}
