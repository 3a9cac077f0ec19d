import {
  at,
  byteLength,
  child,
  deepEqual,
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  type KubeObject,
  notSupported,
  required,
  tooLong,
  validateImmutable,
  validateLabelName,
} from '@flotilla/machinery';
import type { KindBehaviour } from '../behaviour.ts';
import { age, nameCell } from '../core/cells.ts';
import { validateQualifiedName } from '../core/fields.ts';
import { deprecatedNodeLabel } from '../core/node-selector.ts';

const MAX_PARAMETERS = 512;
const MAX_PARAMETER_BYTES = 256 * 1024;
const defaultAnnotations = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];
const reclaimPolicies = ['Delete', 'Retain'];
const bindingModes = ['Immediate', 'WaitForFirstConsumer'];

interface TopologyTerm {
  matchLabelExpressions?: { key: string; values: string[] | null }[];
}

interface StorageClass extends KubeObject {
  provisioner: string;
  parameters?: Record<string, string>;
  reclaimPolicy?: string;
  mountOptions?: string[];
  allowVolumeExpansion?: boolean;
  volumeBindingMode?: string;
  allowedTopologies?: TopologyTerm[];
}

interface VolumeAttributesClass extends KubeObject {
  driverName: string;
  parameters?: Record<string, string>;
}

/** How volumes are made when a claim asks for one. */
export const storageClass: KindBehaviour<StorageClass> = {
  defaults: (object) => {
    object.reclaimPolicy ??= 'Delete';
    object.volumeBindingMode ??= 'Immediate';
  },
  validate: (object) => [
    ...validateProvisioner(object.provisioner, 'provisioner'),
    ...validateParameters(object.parameters ?? {}, true),
    ...validateReclaimPolicy(object.reclaimPolicy ?? ''),
    ...validateBindingMode(object.volumeBindingMode),
    ...validateTopologies(object.allowedTopologies ?? []),
  ],
  validateUpdate: (object, old) => {
    const errors: FieldError[] = [];
    if (!deepEqual(object.parameters, old.parameters)) {
      errors.push(forbidden('parameters', 'updates to parameters are forbidden.'));
    }
    if (object.provisioner !== old.provisioner) {
      errors.push(forbidden('provisioner', 'updates to provisioner are forbidden.'));
    }
    if (object.reclaimPolicy !== old.reclaimPolicy) {
      errors.push(forbidden('reclaimPolicy', 'updates to reclaimPolicy are forbidden.'));
    }
    return [
      ...errors,
      ...validateImmutable(object.volumeBindingMode, old.volumeBindingMode, 'volumeBindingMode'),
    ];
  },
  warnings: (object) =>
    (object.allowedTopologies ?? []).flatMap((term, index) =>
      (term.matchLabelExpressions ?? []).flatMap(({ key }, i) => {
        const message = deprecatedNodeLabel(key);
        const path = at(`${at('allowedTopologies', index)}.matchLabelExpressions`, i);
        return message === undefined ? [] : [`${path}.key: ${message}`];
      }),
    ),
  cells: (object, { now }) => {
    const annotations = object.metadata.annotations ?? {};
    const isDefault = defaultAnnotations.some((key) => annotations[key] === 'true');
    return [
      isDefault ? `${nameCell(object)} (default)` : nameCell(object),
      object.provisioner,
      object.reclaimPolicy ?? 'Delete',
      object.volumeBindingMode ?? 'Immediate',
      object.allowVolumeExpansion ?? false,
      age(object, now),
    ];
  },
};

/** Settings of volumes that can change while they live. */
export const volumeAttributesClass: KindBehaviour<VolumeAttributesClass> = {
  validate: validateAttributes,
  validateOnUpdate: false,
  validateUpdate: (object, old) => {
    // Upstream checks the object twice on update, and clients see each cause twice.
    const problems = validateAttributes(object);
    const errors = [...problems];
    if (object.driverName !== old.driverName) {
      errors.push(forbidden('driverName', 'updates to driverName are forbidden.'));
    }
    if (!deepEqual(object.parameters, old.parameters)) {
      errors.push(forbidden('parameters', 'updates to parameters are forbidden.'));
    }
    return [...errors, ...problems];
  },
  cells: (object, { now }) => [nameCell(object), object.driverName, age(object, now)],
};

function validateAttributes({ driverName, parameters = {} }: VolumeAttributesClass): FieldError[] {
  return [
    ...validateProvisioner(driverName, 'driverName'),
    ...validateParameters(parameters, false),
  ];
}

function validateProvisioner(name: string, path: string): FieldError[] {
  return name === '' ? [required(path)] : validateQualifiedName(name.toLowerCase(), path);
}

function validateParameters(
  parameters: Readonly<Record<string, string>>,
  mayBeEmpty: boolean,
): FieldError[] {
  const path = 'parameters';
  const entries = Object.entries(parameters);
  if (entries.length > MAX_PARAMETERS) return [tooLong(path, '', MAX_PARAMETERS)];
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const [key, value] of entries) {
    if (key === '') errors.push(invalid(path, key, 'field can not be empty.'));
    bytes += byteLength(key) + byteLength(value);
  }
  if (bytes > MAX_PARAMETER_BYTES) errors.push(tooLong(path, '', MAX_PARAMETER_BYTES));
  if (!mayBeEmpty && entries.length === 0) {
    errors.push(required(path, 'must contain at least one key/value pair'));
  }
  return errors;
}

function validateReclaimPolicy(policy: string): FieldError[] {
  return policy === '' || reclaimPolicies.includes(policy)
    ? []
    : [notSupported('reclaimPolicy', policy, reclaimPolicies)];
}

function validateBindingMode(mode: string | undefined): FieldError[] {
  if (mode === undefined) return [required('volumeBindingMode')];
  return bindingModes.includes(mode) ? [] : [notSupported('volumeBindingMode', mode, bindingModes)];
}

function validateTopologies(terms: readonly TopologyTerm[]): FieldError[] {
  const seen = new Set<string>();
  return terms.flatMap((term, index) => {
    const path = child(at('allowedTopologies', index), 'matchLabelExpressions');
    const keys = new Map<string, string[]>();
    const errors = (term.matchLabelExpressions ?? []).flatMap(({ key, values }, i) => {
      const problems = validateExpression(key, values ?? [], at(path, i));
      if (keys.has(key)) problems.push(duplicate(child(at(path, i), 'key'), key));
      keys.set(key, [...new Set(values ?? [])].sort());
      return problems;
    });
    const identity = [...keys]
      .map((entry) => JSON.stringify(entry))
      .sort()
      .join();
    if (seen.has(identity)) errors.push(duplicate(path, ''));
    seen.add(identity);
    return errors;
  });
}

function validateExpression(key: string, values: readonly string[], path: string): FieldError[] {
  const valuesPath = child(path, 'values');
  const errors: FieldError[] = values.length === 0 ? [required(valuesPath)] : [];
  const seen = new Set<string>();
  for (const [index, value] of values.entries()) {
    if (seen.has(value)) errors.push(duplicate(at(valuesPath, index), value));
    seen.add(value);
  }
  return [...errors, ...validateLabelName(key, child(path, 'key'))];
}
