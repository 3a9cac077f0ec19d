import {
  at,
  child,
  duplicate,
  type FieldError,
  forbidden,
  internalFieldError,
  invalid,
  isValidLabelValue,
  type KubeObject,
  notSupported,
  required,
  validateLabelName,
} from '@flotilla/machinery';
import type { KindBehaviour } from '../behaviour.ts';
import { age, nameCell } from './cells.ts';
import { parseCidr } from './ip-address.ts';
import { cidrWarnings, validateLegacyCidr } from './ip-fields.ts';
import { type NodeConfigSource, type NodeConfigStatus, validateNodeConfig } from './node-config.ts';
import { type ResourceList, roundResources, validateAmount } from './quantity-fields.ts';

const ROLE_PREFIX = 'node-role.kubernetes.io/';
const ROLE_LABEL = 'kubernetes.io/role';
const CIDR_FIXED = 'node updates may not change podCIDR except from "" to valid';
const PROVIDER_FIXED = 'node updates may not change providerID except from "" to valid';

const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** What keeps pods away from a node. */
export interface Taint {
  key: string;
  value?: string;
  effect: string;
  timeAdded?: string;
}

interface Node extends KubeObject {
  spec: {
    podCIDR?: string;
    podCIDRs?: string[];
    providerID?: string;
    unschedulable?: boolean;
    taints?: Taint[];
    configSource?: NodeConfigSource;
    externalID?: string;
  };
  status: {
    capacity?: ResourceList;
    allocatable?: ResourceList;
    conditions?: { type: string; status: string }[];
    addresses?: { type: string; address: string }[];
    nodeInfo: {
      kubeletVersion: string;
      osImage: string;
      kernelVersion: string;
      containerRuntimeVersion: string;
      swap?: { capacity?: number };
    };
    config?: NodeConfigStatus;
  };
}

/** A machine pods run on. Whoever creates one may set its status too. */
export const node: KindBehaviour<Node> = {
  keepsStatusOnCreate: true,
  defaults: (object) => {
    syncPodCidrs(object);
    const { status } = object;
    if (status.allocatable === undefined && status.capacity !== undefined) {
      status.allocatable = { ...status.capacity };
    }
    roundResources(status.capacity);
    roundResources(status.allocatable);
  },
  prepareForCreate: (object) => {
    delete object.spec.configSource;
    delete object.status.config;
  },
  prepareForUpdate: (object, old) => {
    if (old.spec.configSource === undefined) delete object.spec.configSource;
  },
  prepareForStatusUpdate: (object, old) => {
    if (old.status.config === undefined) delete object.status.config;
  },
  validate,
  validateUpdate: validateChange,
  validateStatusUpdate: validateChange,
  warnings: (object, _old, { subresource }) => (subresource === 'status' ? [] : warnings(object)),
  selectableFields: {
    'spec.unschedulable': ({ spec }) => String(spec.unschedulable ?? false),
  },
  cells: (object, { now }) => {
    const { nodeInfo } = object.status;
    return [
      nameCell(object),
      statusCell(object),
      rolesCell(object),
      age(object, now),
      nodeInfo.kubeletVersion,
      addressCell(object, 'InternalIP'),
      addressCell(object, 'ExternalIP'),
      nodeInfo.osImage || '<unknown>',
      nodeInfo.kernelVersion || '<unknown>',
      nodeInfo.containerRuntimeVersion || '<unknown>',
    ];
  },
};

/** `podCIDR` is the first of `podCIDRs`; where they differ, it wins, for clients that know only it. */
function syncPodCidrs({ spec }: Node): void {
  if (spec.podCIDR && spec.podCIDR !== spec.podCIDRs?.[0]) spec.podCIDRs = [spec.podCIDR];
  const [first] = spec.podCIDRs ?? [];
  if (first !== undefined) spec.podCIDR = first;
}

function validate(object: Node): FieldError[] {
  return [
    ...validateTaints(object.spec.taints ?? [], 'metadata.taints'),
    ...validateResources(object),
    ...validateSwap(object),
    ...validatePodCidrs(object.spec.podCIDRs ?? []),
  ];
}

function validateChange(object: Node, old: Node): FieldError[] {
  const errors = [...validateResources(object), ...validateAddresses(object)];
  const next = object.spec;
  const before = old.spec;
  errors.push(...validatePodCidrChange(next.podCIDRs ?? [], before.podCIDRs ?? []));
  if (before.providerID && before.providerID !== next.providerID) {
    errors.push(forbidden('spec.providerID', PROVIDER_FIXED));
  }
  errors.push(
    ...validateNodeConfig(next.configSource, object.status.config),
    ...validateTaints(next.taints ?? [], 'metadata.taints'),
  );
  if ((next.externalID ?? '') !== (before.externalID ?? '')) {
    errors.push(forbidden('spec.externalID', 'may not be updated'));
  }
  return errors;
}

function validateTaints(taints: readonly Taint[], path: string): FieldError[] {
  const seen = new Set<string>();
  return taints.flatMap((taint, index) => {
    const itemPath = at(path, index);
    const { key, value = '', effect } = taint;
    const errors = validateLabelName(key, child(itemPath, 'key'));
    const messages = isValidLabelValue(value);
    if (messages.length > 0) {
      errors.push(invalid(child(itemPath, 'value'), value, messages.join(';')));
    }
    errors.push(...validateTaintEffect(effect, child(itemPath, 'effect')));
    if (seen.has(`${effect}/${key}`)) errors.push(duplicateTaint(taint, itemPath));
    seen.add(`${effect}/${key}`);
    return errors;
  });
}

/** One of the effects a taint can have, which must be set. */
export function validateTaintEffect(effect: string, path: string): FieldError[] {
  if (effect === '') return [required(path)];
  return taintEffects.includes(effect) ? [] : [notSupported(path, effect, taintEffects)];
}

function duplicateTaint({ key, value = '', effect, timeAdded }: Taint, path: string): FieldError {
  const shown = { Key: key, Value: value, Effect: effect, TimeAdded: timeAdded ?? null };
  const error = duplicate(path, shown);
  return { ...error, message: `${error.message}: taints must be unique by key and effect pair` };
}

function validateResources({ status }: Node): FieldError[] {
  return (['capacity', 'allocatable'] as const).flatMap((field) =>
    Object.entries(status[field] ?? {}).flatMap(([name, amount]) =>
      validateAmount(name, amount, child('status', field, name)),
    ),
  );
}

function validateSwap({ status }: Node): FieldError[] {
  const capacity = status.nodeInfo.swap?.capacity;
  if (capacity === undefined || capacity > 0) return [];
  return [invalid('metadata.nodeSwapStatus.capacity', capacity, 'must be greater than zero')];
}

function validatePodCidrs(cidrs: readonly string[]): FieldError[] {
  const path = 'spec.podCIDRs';
  const errors = cidrs.flatMap((cidr, index) => validateLegacyCidr(cidr, at(path, index)));
  if (cidrs.length < 2) return errors;
  const broken = cidrs.findIndex((cidr) => parseCidr(cidr) === undefined);
  if (broken >= 0) {
    const detail = `invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR[${broken}]: <nil> (invalid CIDR address: ${cidrs[broken]})`;
    errors.push(internalFieldError(path, detail));
  }
  const families = new Set(cidrs.map((cidr) => parseCidr(cidr)?.family));
  if (families.size < 2 || broken >= 0 || cidrs.length > 2) {
    errors.push(invalid(path, cidrs, 'may specify no more than one CIDR for each IP family'));
  }
  return errors;
}

function validatePodCidrChange(next: readonly string[], old: readonly string[]): FieldError[] {
  if (old.length === 0) return [];
  if (next.length !== old.length) return [forbidden('spec.podCIDRs', CIDR_FIXED)];
  return old.flatMap((cidr, index) =>
    cidr === next[index] ? [] : [forbidden('spec.podCIDRs', CIDR_FIXED)],
  );
}

function validateAddresses({ status }: Node): FieldError[] {
  const seen = new Set<string>();
  return (status.addresses ?? []).flatMap(({ type, address }, index) => {
    const key = `${type} ${address}`;
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    return [duplicate(at('status.addresses', index), { Type: type, Address: address })];
  });
}

function warnings({ spec }: Node): string[] {
  const texts: string[] = [];
  if (spec.configSource !== undefined) texts.push('spec.configSource: the feature is removed');
  if (spec.externalID) {
    texts.push('spec.externalID: this field is deprecated, and is unused by Kubernetes');
  }
  for (const [index, cidr] of (spec.podCIDRs ?? []).entries()) {
    texts.push(...cidrWarnings(cidr, at('spec.podCIDRs', index)));
  }
  return texts;
}

function statusCell({ spec, status }: Node): string {
  const ready = (status.conditions ?? []).findLast(({ type }) => type === 'Ready');
  const text = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return spec.unschedulable ? `${text},SchedulingDisabled` : text;
}

function rolesCell({ metadata }: Node): string {
  const roles = new Set<string>();
  for (const [key, value] of Object.entries(metadata.labels ?? {})) {
    const role = key.startsWith(ROLE_PREFIX)
      ? key.slice(ROLE_PREFIX.length)
      : key === ROLE_LABEL
        ? value
        : '';
    if (role !== '') roles.add(role);
  }
  return roles.size === 0 ? '<none>' : [...roles].sort().join(',');
}

function addressCell({ status }: Node, type: string): string {
  return (status.addresses ?? []).find((entry) => entry.type === type)?.address ?? '<none>';
}
