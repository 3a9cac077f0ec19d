import {
  at,
  child,
  type FieldError,
  forbidden,
  formatLabelSelector,
  hasInvalidLabelValue,
  invalid,
  isValidPortName,
  isValidPortNum,
  type KubeObject,
  type LabelSelector,
  notSupported,
  required,
  validateLabelSelector,
} from '@flotilla/machinery';
import type { KindBehaviour } from '../behaviour.ts';
import { age, nameCell } from '../core/cells.ts';
import { networkContains, parseCidr } from '../core/ip-address.ts';
import { cidrWarnings, validateLegacyCidr } from '../core/ip-fields.ts';

const protocols = ['TCP', 'UDP', 'SCTP'];
const policyTypes = ['Ingress', 'Egress'];

interface PolicyPort {
  protocol?: string;
  port?: number | string;
  endPort?: number;
}

interface IpBlock {
  cidr: string;
  except?: string[];
}

interface PolicyPeer {
  podSelector?: LabelSelector;
  namespaceSelector?: LabelSelector;
  ipBlock?: IpBlock;
}

interface NetworkPolicy extends KubeObject {
  spec: {
    podSelector: LabelSelector;
    ingress?: { ports?: PolicyPort[]; from?: PolicyPeer[] }[];
    egress?: { ports?: PolicyPort[]; to?: PolicyPeer[] }[];
    policyTypes?: string[];
  };
}

/** What an update may keep although newer rules refuse it. */
interface Tolerance {
  readonly labelValues: boolean;
  readonly cidrs: readonly string[];
}

/** Who may talk to whom. */
export const networkPolicy: KindBehaviour<NetworkPolicy> = {
  generation: 'spec',
  defaults: ({ spec }) => {
    if (!spec.policyTypes?.length) {
      spec.policyTypes = spec.egress?.length ? ['Ingress', 'Egress'] : ['Ingress'];
    }
    for (const { ports = [] } of [...(spec.ingress ?? []), ...(spec.egress ?? [])]) {
      for (const port of ports) port.protocol ??= 'TCP';
    }
  },
  validate: (object) => validate(object, { labelValues: false, cidrs: [] }),
  validateOnUpdate: false,
  // Upstream checks twice on update, the first time without tolerance for networks stored before.
  validateUpdate: (object, old) => {
    const labelValues = hasInvalidLabelValue(old.spec.podSelector);
    return [
      ...validate(object, { labelValues, cidrs: [] }),
      ...validate(object, { labelValues, cidrs: blocks(old).flatMap(cidrsOf) }),
    ];
  },
  warnings: (object) =>
    peers(object).flatMap(({ peer: { ipBlock }, path }) =>
      ipBlock === undefined
        ? []
        : [
            ...cidrWarnings(ipBlock.cidr, child(path, 'ipBlock', 'cidr')),
            ...(ipBlock.except ?? []).flatMap((cidr, index) =>
              cidrWarnings(cidr, at(child(path, 'ipBlock', 'except'), index)),
            ),
          ],
    ),
  cells: (object, { now }) => [
    nameCell(object),
    formatLabelSelector(object.spec.podSelector),
    age(object, now),
  ],
};

function validate({ spec }: NetworkPolicy, tolerance: Tolerance): FieldError[] {
  const options = { allowInvalidLabelValueInSelector: tolerance.labelValues };
  const errors = validateLabelSelector(spec.podSelector, options, 'spec.podSelector');
  for (const [index, { ports = [], from = [] }] of (spec.ingress ?? []).entries()) {
    const path = at('spec.ingress', index);
    errors.push(...validatePorts(ports, child(path, 'ports')));
    errors.push(...validatePeers(from, tolerance, child(path, 'from')));
  }
  for (const [index, { ports = [], to = [] }] of (spec.egress ?? []).entries()) {
    const path = at('spec.egress', index);
    errors.push(...validatePorts(ports, child(path, 'ports')));
    errors.push(...validatePeers(to, tolerance, child(path, 'to')));
  }
  const types = spec.policyTypes ?? [];
  if (types.length > policyTypes.length) {
    const detail = 'may not specify more than two policyTypes';
    return [...errors, invalid('spec.policyTypes', types, detail)];
  }
  for (const [index, type] of types.entries()) {
    if (policyTypes.includes(type)) continue;
    errors.push(notSupported(at('spec.policyTypes', index), type, policyTypes));
  }
  return errors;
}

function validatePorts(ports: readonly PolicyPort[], path: string): FieldError[] {
  return ports.flatMap((port, index) => validatePort(port, at(path, index)));
}

function validatePort({ protocol, port, endPort }: PolicyPort, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const portPath = child(path, 'port');
  const endPath = child(path, 'endPort');
  if (protocol !== undefined && !protocols.includes(protocol)) {
    errors.push(notSupported(child(path, 'protocol'), protocol, protocols));
  }
  if (port === undefined) {
    if (endPort !== undefined) {
      const detail = 'may not be specified when `port` is not specified';
      errors.push(invalid(endPath, endPort, detail));
    }
    return errors;
  }
  if (typeof port === 'string') {
    if (endPort !== undefined) {
      const detail = 'may not be specified when `port` is non-numeric';
      errors.push(invalid(endPath, endPort, detail));
    }
    return [...errors, ...isValidPortName(port).map((text) => invalid(portPath, port, text))];
  }
  errors.push(...isValidPortNum(port).map((text) => invalid(portPath, port, text)));
  if (endPort === undefined) return errors;
  if (endPort < port) {
    errors.push(invalid(endPath, port, 'must be greater than or equal to `port`'));
  }
  return [...errors, ...isValidPortNum(endPort).map((text) => invalid(endPath, endPort, text))];
}

function validatePeers(
  list: readonly PolicyPeer[],
  tolerance: Tolerance,
  path: string,
): FieldError[] {
  return list.flatMap((peer, index) => validatePeer(peer, tolerance, at(path, index)));
}

function validatePeer(peer: PolicyPeer, tolerance: Tolerance, path: string): FieldError[] {
  const { podSelector, namespaceSelector, ipBlock } = peer;
  const options = { allowInvalidLabelValueInSelector: tolerance.labelValues };
  const errors = [
    ...validateLabelSelector(podSelector, options, child(path, 'podSelector')),
    ...validateLabelSelector(namespaceSelector, options, child(path, 'namespaceSelector')),
    ...(ipBlock === undefined
      ? []
      : validateIpBlock(ipBlock, tolerance.cidrs, child(path, 'ipBlock'))),
  ];
  const selects = podSelector !== undefined || namespaceSelector !== undefined;
  if (!selects && ipBlock === undefined) errors.push(required(path, 'must specify a peer'));
  else if (selects && ipBlock !== undefined) {
    errors.push(forbidden(path, 'may not specify both ipBlock and another peer'));
  }
  return errors;
}

function validateIpBlock(
  { cidr, except = [] }: IpBlock,
  existing: readonly string[],
  path: string,
): FieldError[] {
  if (cidr === '') return [required(child(path, 'cidr'))];
  const errors = validateLegacyCidr(cidr, child(path, 'cidr'), existing);
  const network = parseCidr(cidr);
  if (network === undefined) return errors;
  for (const [index, text] of except.entries()) {
    const exceptPath = at(child(path, 'except'), index);
    errors.push(...validateLegacyCidr(text, exceptPath, existing));
    const inner = parseCidr(text);
    if (inner === undefined) continue;
    const inside = networkContains(network, { family: inner.family, value: inner.base });
    if (!inside || network.bits >= inner.bits) {
      errors.push(invalid(exceptPath, text, 'must be a strict subset of `cidr`'));
    }
  }
  return errors;
}

function peers({ spec }: NetworkPolicy): { peer: PolicyPeer; path: string }[] {
  const inbound = (spec.ingress ?? []).flatMap(({ from = [] }, index) =>
    from.map((peer, i) => ({ peer, path: at(`${at('spec.ingress', index)}.from`, i) })),
  );
  const outbound = (spec.egress ?? []).flatMap(({ to = [] }, index) =>
    to.map((peer, i) => ({ peer, path: at(`${at('spec.egress', index)}.to`, i) })),
  );
  return [...inbound, ...outbound];
}

function blocks(object: NetworkPolicy): IpBlock[] {
  return peers(object).flatMap(({ peer }) => (peer.ipBlock === undefined ? [] : [peer.ipBlock]));
}

function cidrsOf({ cidr, except = [] }: IpBlock): string[] {
  return [cidr, ...except];
}
