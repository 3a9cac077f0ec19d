import {
  at,
  type FieldError,
  forbidden,
  invalid,
  isDNS1123Subdomain,
  notSupported,
  required,
} from '@flotilla/machinery';
import { parseIp } from './ip-address.ts';
import { validateLegacyIp } from './ip-fields.ts';
import type { LoadBalancerIngress, Service } from './service-types.ts';

const ipModes = ['Proxy', 'VIP'];
const PATH = 'status.loadBalancer.ingress';

/** The addresses a load balancer reports, which only Services of that type may have. */
export function validateLoadBalancerStatus(service: Service, old: Service): FieldError[] {
  const ingress = service.status.loadBalancer.ingress ?? [];
  if (service.spec.type !== 'LoadBalancer' && ingress.length > 0) {
    return [forbidden(PATH, "may only be used when `spec.type` is 'LoadBalancer'")];
  }
  const existing = (old.status.loadBalancer.ingress ?? []).flatMap(({ ip }) => (ip ? [ip] : []));
  return ingress.flatMap((entry, index) => {
    const path = at(PATH, index);
    return [
      ...(entry.ip ? validateLegacyIp(entry.ip, `${path}.ip`, existing) : []),
      ...validateIpMode(entry, `${path}.ipMode`),
      ...validateHostname(entry.hostname, `${path}.hostname`),
    ];
  });
}

/** A DNS name that is no IP address; absent is fine. */
export function validateHostname(hostname: string | undefined, path: string): FieldError[] {
  if (!hostname) return [];
  const errors = isDNS1123Subdomain(hostname).map((message) => invalid(path, hostname, message));
  if (parseIp(hostname) !== undefined) {
    errors.push(invalid(path, hostname, 'must be a DNS name, not an IP address'));
  }
  return errors;
}

function validateIpMode({ ip, ipMode }: LoadBalancerIngress, path: string): FieldError[] {
  if (ipMode === undefined) {
    return ip ? [required(path, 'must be specified when `ip` is set')] : [];
  }
  if (!ip) return [forbidden(path, 'may not be specified when `ip` is not set')];
  return ipModes.includes(ipMode) ? [] : [notSupported(path, ipMode, ipModes)];
}
