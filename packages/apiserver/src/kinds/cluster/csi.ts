import {
  at,
  byteLength,
  child,
  deepEqual,
  duplicate,
  type FieldError,
  hasInvalidLabelValue,
  immutableDetail,
  invalid,
  type KubeObject,
  type LabelSelector,
  notSupported,
  required,
  validateImmutable,
  validateLabelSelector,
  validateNonnegative,
} from '@flotilla/machinery';
import type { KindBehaviour } from '../behaviour.ts';
import { age, nameAndCreation, nameCell } from '../core/cells.ts';
import { validateDNSSubdomain, validateQualifiedName } from '../core/fields.ts';
import { deprecatedNodeLabel } from '../core/node-selector.ts';
import { validateNonnegativeAmount } from '../core/quantity-fields.ts';
import { validateCSIDriverName } from '../core/volume-fields.ts';

const MAX_NODE_ID_BYTES = 256;
const MIN_TOKEN_SECONDS = 600;
const MAX_TOKEN_SECONDS = 2 ** 32;
const fsGroupPolicies = ['File', 'None', 'ReadWriteOnceWithFSType'];
const lifecycleModes = ['Persistent', 'Ephemeral'];

interface CSIDriver extends KubeObject {
  spec: {
    attachRequired?: boolean;
    podInfoOnMount?: boolean;
    volumeLifecycleModes?: string[];
    storageCapacity?: boolean;
    fsGroupPolicy?: string;
    tokenRequests?: { audience: string; expirationSeconds?: number }[];
    requiresRepublish?: boolean;
    seLinuxMount?: boolean;
    nodeAllocatableUpdatePeriodSeconds?: number;
  };
}

interface CSINodeDriver {
  name: string;
  nodeID: string;
  topologyKeys: string[] | null;
  allocatable?: { count?: number };
}

interface CSINode extends KubeObject {
  spec: { drivers: CSINodeDriver[] | null };
}

interface CSIStorageCapacity extends KubeObject {
  nodeTopology?: LabelSelector;
  storageClassName: string;
  capacity?: string;
}

/** What a storage driver can do. */
export const csiDriver: KindBehaviour<CSIDriver> = {
  // Upstream counts changes but starts at no number: a driver never changed has no generation.
  unconditionalUpdate: false,
  defaults: ({ spec }) => {
    spec.attachRequired ??= true;
    spec.podInfoOnMount ??= false;
    spec.storageCapacity ??= false;
    spec.fsGroupPolicy ??= 'ReadWriteOnceWithFSType';
    if (!spec.volumeLifecycleModes?.length) spec.volumeLifecycleModes = ['Persistent'];
    spec.requiresRepublish ??= false;
    spec.seLinuxMount ??= false;
  },
  prepareForCreate: ({ spec }) => {
    delete spec.nodeAllocatableUpdatePeriodSeconds;
  },
  prepareForUpdate: (object, old) => {
    if (old.spec.nodeAllocatableUpdatePeriodSeconds === undefined) {
      delete object.spec.nodeAllocatableUpdatePeriodSeconds;
    }
    if (!deepEqual(object.spec, old.spec)) {
      object.metadata.generation = (old.metadata.generation ?? 0) + 1;
    }
  },
  validate: validateDriver,
  validateUpdate: (object, old) => [
    ...validateImmutable(
      object.spec.attachRequired,
      old.spec.attachRequired,
      'spec.attachedRequired',
    ),
    ...validateImmutable(
      object.spec.volumeLifecycleModes,
      old.spec.volumeLifecycleModes,
      'spec.volumeLifecycleModes',
    ),
  ],
  cells: (object, { now }) => {
    const { spec } = object;
    return [
      nameCell(object),
      spec.attachRequired ?? true,
      spec.podInfoOnMount ?? false,
      spec.storageCapacity ?? false,
      spec.tokenRequests?.map(({ audience }) => audience).join(',') ?? '<unset>',
      spec.requiresRepublish ?? false,
      spec.volumeLifecycleModes?.join(',') || '<none>',
      age(object, now),
    ];
  },
};

/** The storage drivers of one node. */
export const csiNode: KindBehaviour<CSINode> = {
  unconditionalUpdate: false,
  validate: ({ spec }) => validateNodeDrivers(spec.drivers ?? []),
  // Upstream checks the drivers twice on update, and clients see each cause twice.
  validateUpdate: ({ spec }, old) => [
    ...validateNodeDrivers(spec.drivers ?? []),
    ...(old.spec.drivers ?? []).flatMap((before) =>
      (spec.drivers ?? [])
        .filter(({ name }) => name === before.name)
        .flatMap((driver) =>
          validateImmutable(shownDriver(driver), shownDriver(before), 'spec.drivers'),
        ),
    ),
  ],
  cells: (object, { now }) => [
    nameCell(object),
    object.spec.drivers?.length ?? 0,
    age(object, now),
  ],
};

/** How much a driver can still give out somewhere. */
export const csiStorageCapacity: KindBehaviour<CSIStorageCapacity> = {
  unconditionalUpdate: false,
  validate: (object) => validateCapacity(object, false),
  validateOnUpdate: false,
  validateUpdate: (object, old) => {
    const errors = validateCapacity(object, hasInvalidLabelValue(old.nodeTopology));
    if (!deepEqual(object.nodeTopology, old.nodeTopology)) {
      errors.push(invalid('nodeTopology', object.nodeTopology ?? null, immutableDetail));
    }
    if (object.storageClassName !== old.storageClassName) {
      errors.push(invalid('storageClassName', object.storageClassName, immutableDetail));
    }
    return errors;
  },
  warnings: ({ nodeTopology }) => topologyWarnings(nodeTopology),
  cells: nameAndCreation,
};

function validateDriver({ spec }: CSIDriver): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.attachRequired === undefined) errors.push(required('spec.attachedRequired'));
  if (spec.podInfoOnMount === undefined) errors.push(required('spec.podInfoOnMount'));
  if (spec.storageCapacity === undefined) errors.push(required('spec.storageCapacity'));
  const policy = spec.fsGroupPolicy;
  if (policy !== undefined && !fsGroupPolicies.includes(policy)) {
    errors.push(notSupported('spec.fsGroupPolicy', policy, fsGroupPolicies));
  }
  errors.push(...validateTokenRequests(spec.tokenRequests ?? []));
  for (const mode of spec.volumeLifecycleModes ?? []) {
    if (lifecycleModes.includes(mode)) continue;
    errors.push(notSupported('spec.volumeLifecycleModes', mode, lifecycleModes));
  }
  if (spec.seLinuxMount === undefined) errors.push(required('spec.seLinuxMount'));
  const period = spec.nodeAllocatableUpdatePeriodSeconds;
  if (period !== undefined && period < 10) {
    const detail = 'must be greater than or equal to 10 seconds';
    errors.push(invalid('spec.nodeAllocatableUpdatePeriodSeconds', period, detail));
  }
  return errors;
}

function validateTokenRequests(
  requests: readonly { audience: string; expirationSeconds?: number }[],
): FieldError[] {
  const audiences = new Set<string>();
  return requests.flatMap(({ audience, expirationSeconds: seconds }, index) => {
    const path = at('spec.tokenRequests', index);
    if (audiences.has(audience)) return [duplicate(child(path, 'audience'), audience)];
    audiences.add(audience);
    if (seconds === undefined) return [];
    const secondsPath = child(path, 'expirationSeconds');
    if (seconds < MIN_TOKEN_SECONDS) {
      return [invalid(secondsPath, seconds, 'may not specify a duration less than 10 minutes')];
    }
    if (seconds > MAX_TOKEN_SECONDS) {
      return [invalid(secondsPath, seconds, 'may not specify a duration larger than 2^32 seconds')];
    }
    return [];
  });
}

function validateNodeDrivers(drivers: readonly CSINodeDriver[]): FieldError[] {
  const names = new Set<string>();
  return drivers.flatMap((driver, index) => {
    const path = at('spec.drivers', index);
    const errors = validateCSIDriverName(driver.name, child(path, 'name'));
    if (driver.nodeID === '') errors.push(required(child(path, 'nodeID')));
    if (byteLength(driver.nodeID) > MAX_NODE_ID_BYTES) {
      const detail = `must be ${MAX_NODE_ID_BYTES} characters or less`;
      errors.push(invalid(child(path, 'nodeID'), driver.nodeID, detail));
    }
    if (driver.allocatable?.count !== undefined) {
      errors.push(
        ...validateNonnegative(driver.allocatable.count, child(path, 'allocatable', 'count')),
      );
    }
    if (names.has(driver.name)) errors.push(duplicate(child(path, 'name'), driver.name));
    names.add(driver.name);
    const keys = new Set<string>();
    for (const key of driver.topologyKeys ?? []) {
      if (key === '') errors.push(required(path));
      if (keys.has(key)) errors.push(duplicate(path, key));
      keys.add(key);
      errors.push(...validateQualifiedName(key, path));
    }
    return errors;
  });
}

function shownDriver({ name, nodeID, topologyKeys, allocatable }: CSINodeDriver): unknown {
  return {
    Name: name,
    NodeID: nodeID,
    TopologyKeys: topologyKeys,
    Allocatable: allocatable === undefined ? null : { Count: allocatable.count ?? null },
  };
}

function validateCapacity(object: CSIStorageCapacity, allowInvalidValues: boolean): FieldError[] {
  const options = { allowInvalidLabelValueInSelector: allowInvalidValues };
  return [
    ...validateLabelSelector(object.nodeTopology, options, 'nodeTopology'),
    ...validateDNSSubdomain(object.storageClassName, 'storageClassName'),
    ...(object.capacity === undefined
      ? []
      : validateNonnegativeAmount(object.capacity, 'capacity')),
  ];
}

function topologyWarnings(selector: LabelSelector | undefined): string[] {
  const expressions = (selector?.matchExpressions ?? []).flatMap(({ key }, index) => {
    const message = deprecatedNodeLabel(key);
    const path = `${at('nodeTopology.matchExpressions', index)}.key`;
    return message === undefined ? [] : [`${path}: ${key} is ${message}`];
  });
  const labels = Object.keys(selector?.matchLabels ?? {}).flatMap((key) => {
    const message = deprecatedNodeLabel(key);
    return message === undefined ? [] : [`nodeTopology.matchLabels.${key}: ${message}`];
  });
  return [...expressions, ...labels];
}
