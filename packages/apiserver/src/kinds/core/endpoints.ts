import {
  at,
  child,
  deepEqual,
  type FieldError,
  type KubeObject,
  required,
} from '@flotilla/machinery';
import type { KindBehaviour } from '../behaviour.ts';
import { age, nameCell } from './cells.ts';
import { validateDNSLabel, validateDNSSubdomain, validateQualifiedName } from './fields.ts';
import { ipWarnings, validateEndpointIp, validateLegacyIp } from './ip-fields.ts';
import { validatePortNumber, validateProtocol } from './service-ports.ts';

const MANAGED_BY = 'endpoints.kubernetes.io/managed-by';
const CONTROLLER = 'endpoint-controller';
const SHOWN_ENDPOINTS = 3;

interface EndpointAddress {
  ip: string;
  hostname?: string;
  nodeName?: string;
}

interface EndpointPort {
  name?: string;
  port: number;
  protocol?: string;
  appProtocol?: string;
}

interface EndpointSubset {
  addresses?: EndpointAddress[];
  notReadyAddresses?: EndpointAddress[];
  ports?: EndpointPort[];
}

interface Endpoints extends KubeObject {
  subsets?: EndpointSubset[];
}

/** The addresses behind a Service, the older way. */
export const endpoints: KindBehaviour<Endpoints> = {
  createOnUpdate: true,
  defaults: (object) => {
    for (const { ports = [] } of object.subsets ?? []) {
      for (const port of ports) port.protocol ||= 'TCP';
    }
  },
  validate: (object) => validateSubsets(object.subsets ?? []),
  validateOnUpdate: false,
  validateUpdate: (object, old) => {
    const errors = validateSubsets(object.subsets ?? []);
    // Stored addresses may have passed older rules: unchanged ones stay accepted.
    return errors.length > 0 && deepEqual(object.subsets, old.subsets) ? [] : errors;
  },
  warnings: (object) => {
    if (object.metadata.labels?.[MANAGED_BY] === CONTROLLER) return [];
    return (object.subsets ?? []).flatMap((subset, index) => [
      ...addressWarnings(subset.addresses, `${at('subsets', index)}.addresses`),
      ...addressWarnings(subset.notReadyAddresses, `${at('subsets', index)}.notReadyAddresses`),
    ]);
  },
  cells: (object, { now }) => [
    nameCell(object),
    endpointsCell(object.subsets ?? []),
    age(object, now),
  ],
};

function validateSubsets(subsets: readonly EndpointSubset[]): FieldError[] {
  return subsets.flatMap((subset, index) => {
    const path = at('subsets', index);
    const { addresses = [], notReadyAddresses = [], ports = [] } = subset;
    const errors: FieldError[] = [];
    if (addresses.length === 0 && notReadyAddresses.length === 0) {
      errors.push(required(path, 'must specify `addresses` or `notReadyAddresses`'));
    }
    for (const [i, address] of addresses.entries()) {
      errors.push(...validateAddress(address, at(`${path}.addresses`, i)));
    }
    for (const [i, address] of notReadyAddresses.entries()) {
      errors.push(...validateAddress(address, at(`${path}.notReadyAddresses`, i)));
    }
    for (const [i, port] of ports.entries()) {
      errors.push(...validatePort(port, ports.length > 1, at(`${path}.ports`, i)));
    }
    return errors;
  });
}

function validateAddress(address: EndpointAddress, path: string): FieldError[] {
  return [
    ...validateLegacyIp(address.ip, child(path, 'ip')),
    ...(address.hostname ? validateDNSLabel(address.hostname, child(path, 'hostname')) : []),
    ...(address.nodeName === undefined
      ? []
      : validateDNSSubdomain(address.nodeName, child(path, 'nodeName'))),
    ...validateEndpointIp(address.ip, child(path, 'ip')),
  ];
}

function validatePort(port: EndpointPort, needsName: boolean, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (port.name) errors.push(...validateDNSLabel(port.name, child(path, 'name')));
  else if (needsName) errors.push(required(child(path, 'name')));
  errors.push(
    ...validatePortNumber(port.port, child(path, 'port')),
    ...validateProtocol(port.protocol, child(path, 'protocol')),
  );
  if (port.appProtocol !== undefined) {
    errors.push(...validateQualifiedName(port.appProtocol, child(path, 'appProtocol')));
  }
  return errors;
}

function addressWarnings(
  addresses: readonly EndpointAddress[] | undefined,
  path: string,
): string[] {
  return (addresses ?? []).flatMap(({ ip }, index) => ipWarnings(ip, `${at(path, index)}.ip`));
}

function endpointsCell(subsets: readonly EndpointSubset[]): string {
  if (subsets.length === 0) return '<none>';
  const all = subsets.flatMap(({ addresses = [], ports = [] }) =>
    ports.length === 0
      ? addresses.map(({ ip }) => ip)
      : ports.flatMap(({ port }) => addresses.map(({ ip }) => joinHostPort(ip, port))),
  );
  const shown = all.slice(0, SHOWN_ENDPOINTS).join(',');
  return all.length > SHOWN_ENDPOINTS
    ? `${shown} + ${all.length - SHOWN_ENDPOINTS} more...`
    : shown;
}

function joinHostPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
