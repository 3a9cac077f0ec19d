import {
  at,
  child,
  deepEqual,
  duplicate,
  type FieldError,
  invalid,
  isValidLabelValue,
  type KubeObject,
  notSupported,
  required,
  tooMany,
  validateFullyQualifiedDomainName,
  validateImmutable,
  validateLabels,
} from '@flotilla/machinery';
import type { KindBehaviour } from '../behaviour.ts';
import { age, firstItems, nameCell } from './cells.ts';
import { validateDNSLabel, validateDNSSubdomain, validateQualifiedName } from './fields.ts';
import { isIpv6 } from './ip-address.ts';
import { ipWarnings, validateEndpointIp, validateLegacyIp, validateStrictIp } from './ip-fields.ts';
import { validateProtocol } from './service-ports.ts';

const MAX_ENDPOINTS = 1000;
const MAX_ADDRESSES = 100;
const MAX_PORTS = 20_000;
const MAX_TOPOLOGY_LABELS = 16;
const MAX_HINTS = 8;
const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';

const addressTypes = ['FQDN', 'IPv4', 'IPv6'];
const controllers = ['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io'];

interface Endpoint {
  addresses: string[] | null;
  hostname?: string;
  nodeName?: string;
  deprecatedTopology?: Record<string, string>;
  hints?: { forZones?: { name: string }[]; forNodes?: { name: string }[] };
}

interface EndpointPort {
  name?: string;
  port?: number;
  protocol?: string;
  appProtocol?: string;
}

interface EndpointSlice extends KubeObject {
  addressType: string;
  endpoints: Endpoint[] | null;
  ports: EndpointPort[] | null;
}

/** The addresses behind a Service, in pieces of bounded size. */
export const endpointSlice: KindBehaviour<EndpointSlice> = {
  // Labels count as well, which handlers cannot know: the kind moves the generation itself.
  generation: 'spec',
  defaults: (object) => {
    for (const port of object.ports ?? []) {
      port.name ??= '';
      port.protocol ??= 'TCP';
    }
  },
  prepareForCreate: (object) => dropTopology(object, undefined),
  prepareForUpdate: (object, old) => {
    dropTopology(object, old);
    if (!deepEqual(object.metadata.labels, old.metadata.labels)) {
      object.metadata.generation = (old.metadata.generation ?? 0) + 1;
    }
  },
  validate: (object) => validate(object, undefined),
  validateOnUpdate: false,
  validateUpdate: (object, old) => [
    ...validate(object, old),
    ...validateImmutable(object.addressType, old.addressType, 'addressType'),
  ],
  warnings: (object, old) => [
    ...(old === undefined && object.addressType === 'FQDN'
      ? ['spec.addressType: FQDN endpoints are deprecated']
      : []),
    ...addressWarnings(object),
  ],
  cells: (object, { now }) => [
    nameCell(object),
    object.addressType,
    firstItems(
      (object.ports ?? []).map(({ port, name }) =>
        port === undefined ? (name ?? '*') : String(port),
      ),
    ),
    firstItems((object.endpoints ?? []).flatMap(({ addresses }) => addresses ?? [])),
    age(object, now),
  ],
};

/** `deprecatedTopology` cannot be written through this version of the API. */
function dropTopology(object: EndpointSlice, old: EndpointSlice | undefined): void {
  if (old !== undefined && deepEqual(old.endpoints, object.endpoints)) return;
  const known = new Set(
    (old?.endpoints ?? []).map(
      (endpoint) => endpoint.deprecatedTopology?.['kubernetes.io/hostname'],
    ),
  );
  for (const endpoint of object.endpoints ?? []) {
    const node = endpoint.deprecatedTopology?.['kubernetes.io/hostname'];
    if (endpoint.nodeName === undefined && node && known.has(node)) endpoint.nodeName = node;
    delete endpoint.deprecatedTopology;
  }
}

function validate(object: EndpointSlice, old: EndpointSlice | undefined): FieldError[] {
  const errors = [...validateAddressType(object.addressType), ...validatePorts(object.ports ?? [])];
  const endpointErrors = validateEndpoints(object);
  // Stored addresses may have passed older rules: unchanged ones stay accepted.
  const unchanged =
    endpointErrors.length > 0 && old !== undefined && deepEqual(old.endpoints, object.endpoints);
  return unchanged ? errors : [...errors, ...endpointErrors];
}

function validateAddressType(type: string): FieldError[] {
  if (type === '') return [required('addressType')];
  return addressTypes.includes(type) ? [] : [notSupported('addressType', type, addressTypes)];
}

function validatePorts(ports: readonly EndpointPort[]): FieldError[] {
  if (ports.length > MAX_PORTS) return [tooMany('ports', ports.length, MAX_PORTS)];
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const path = at('ports', index);
    const { name = '' } = port;
    const errors = name === '' ? [] : validateDNSLabel(name, child(path, 'name'));
    if (names.has(name)) errors.push(duplicate(child(path, 'name'), name));
    names.add(name);
    errors.push(...validateOptionalProtocol(port.protocol, child(path, 'protocol')));
    if (port.appProtocol !== undefined) {
      errors.push(...validateQualifiedName(port.appProtocol, child(path, 'appProtocol')));
    }
    return errors;
  });
}

/** An empty protocol is a wrong one here, not a missing one. */
function validateOptionalProtocol(protocol: string | undefined, path: string): FieldError[] {
  return protocol === ''
    ? [notSupported(path, '', ['SCTP', 'TCP', 'UDP'])]
    : validateProtocol(protocol, path);
}

function validateEndpoints({ endpoints, addressType }: EndpointSlice): FieldError[] {
  const all = endpoints ?? [];
  if (all.length > MAX_ENDPOINTS) return [tooMany('endpoints', all.length, MAX_ENDPOINTS)];
  return all.flatMap((endpoint, index) => {
    const path = at('endpoints', index);
    const errors = validateAddresses(
      endpoint.addresses ?? [],
      addressType,
      child(path, 'addresses'),
    );
    if (endpoint.nodeName !== undefined) {
      errors.push(...validateDNSSubdomain(endpoint.nodeName, child(path, 'nodeName')));
    }
    const topology = endpoint.deprecatedTopology ?? {};
    const topologyPath = child(path, 'deprecatedTopology');
    const labels = Object.keys(topology).length;
    if (labels > MAX_TOPOLOGY_LABELS) {
      errors.push(tooMany(topologyPath, labels, MAX_TOPOLOGY_LABELS));
    }
    errors.push(...validateLabels(topology, topologyPath));
    if (endpoint.hostname !== undefined) {
      errors.push(...validateDNSLabel(endpoint.hostname, child(path, 'hostname')));
    }
    errors.push(...validateHints(endpoint.hints, child(path, 'hints')));
    return errors;
  });
}

function validateAddresses(addresses: readonly string[], type: string, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (addresses.length === 0) errors.push(required(path, 'must contain at least 1 address'));
  else if (addresses.length > MAX_ADDRESSES) {
    errors.push(tooMany(path, addresses.length, MAX_ADDRESSES));
  }
  for (const [index, address] of addresses.entries()) {
    errors.push(...validateAddress(address, type, { list: path, item: at(path, index) }));
  }
  return errors;
}

function validateAddress(
  address: string,
  type: string,
  paths: { list: string; item: string },
): FieldError[] {
  if (type === 'FQDN') return validateFullyQualifiedDomainName(address, paths.item);
  if (type !== 'IPv4' && type !== 'IPv6') return [];
  const errors =
    type === 'IPv4' ? validateLegacyIp(address, paths.item) : validateStrictIp(address, paths.item);
  if (errors.length > 0) return errors;
  if (isIpv6(address) !== (type === 'IPv6')) {
    errors.push(invalid(paths.list, address, `must be an ${type} address`));
  }
  return [...errors, ...validateEndpointIp(address, paths.item)];
}

function validateHints(hints: Endpoint['hints'], path: string): FieldError[] {
  if (hints === undefined) return [];
  const zones = hints.forZones ?? [];
  const zonePath = child(path, 'forZones');
  if (zones.length > MAX_HINTS) return [tooMany(zonePath, zones.length, MAX_HINTS)];
  const errors = validateUnique(zones, zonePath, (name, at) =>
    isValidLabelValue(name).map((message) => invalid(at, name, message)),
  );
  const nodes = hints.forNodes ?? [];
  const nodePath = child(path, 'forNodes');
  if (nodes.length > MAX_HINTS) return [...errors, tooMany(nodePath, nodes.length, MAX_HINTS)];
  return [...errors, ...validateUnique(nodes, nodePath, validateDNSSubdomain)];
}

function validateUnique(
  hints: readonly { name: string }[],
  path: string,
  rule: (name: string, path: string) => FieldError[],
): FieldError[] {
  const seen = new Set<string>();
  return hints.flatMap(({ name }, index) => {
    const namePath = `${at(path, index)}.name`;
    const errors = seen.has(name) ? [duplicate(namePath, name)] : [];
    seen.add(name);
    return [...errors, ...rule(name, namePath)];
  });
}

function addressWarnings(object: EndpointSlice): string[] {
  if (controllers.includes(object.metadata.labels?.[MANAGED_BY] ?? '')) return [];
  return (object.endpoints ?? []).flatMap(({ addresses }, index) =>
    (addresses ?? []).flatMap((address, i) =>
      ipWarnings(address, at(`${at('endpoints', index)}.addresses`, i)),
    ),
  );
}
