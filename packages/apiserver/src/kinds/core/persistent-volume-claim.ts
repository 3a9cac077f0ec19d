import {
  child,
  deepEqual,
  type FieldError,
  forbidden,
  hasInvalidLabelValue,
  immutableDetail,
  invalid,
  isQualifiedName,
  type KubeObject,
  keyed,
  type LabelSelector,
  notSupported,
  required,
  validateImmutable,
} from '@flotilla/machinery';
import type { KindBehaviour } from '../behaviour.ts';
import { diffValues } from '../value-diff.ts';
import { age, nameCell } from './cells.ts';
import {
  type ClaimSpec,
  type DataSource,
  validateClaimSpec,
} from './persistent-volume-claim-spec.ts';
import {
  compareAmounts,
  isFractionOfByte,
  type ResourceList,
  roundResources,
  validateAmount,
  validateBasicAmount,
} from './quantity-fields.ts';
import { isNativeResource } from './resource-names.ts';
import { accessModesCell, CLASS_ANNOTATION } from './volume-fields.ts';

const resizeStatuses = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
];

interface PersistentVolumeClaim extends KubeObject {
  spec: ClaimSpec;
  status: {
    phase?: string;
    accessModes?: string[];
    capacity?: ResourceList;
    allocatedResources?: ResourceList;
    allocatedResourceStatuses?: Record<string, string>;
    currentVolumeAttributesClassName?: string;
  };
}

type Claim = PersistentVolumeClaim;

/** A wish for storage. */
export const persistentVolumeClaim: KindBehaviour<Claim> = {
  defaults: ({ spec, status }) => {
    status.phase ||= 'Pending';
    spec.volumeMode ??= 'Filesystem';
    roundResources(spec.resources.limits);
    roundResources(spec.resources.requests);
    roundResources(status.capacity);
    roundResources(status.allocatedResources);
  },
  prepareForCreate: (object) => {
    // The phase comes back with the defaults of the stored object; upstream writes it empty as well.
    object.status = { phase: 'Pending' };
    prepareDataSources(object.spec, undefined);
  },
  prepareForUpdate: (object, old) => prepareDataSources(object.spec, old.spec),
  validate: (object) => validateClaimSpec(object.spec, {}, 'spec'),
  validateOnUpdate: false,
  validateUpdate: (object, old) => {
    const options = {
      allowInvalidLabelValues: hasInvalidLabelValue(old.spec.selector),
      allowInvalidGroups:
        typeof old.spec.dataSource?.apiGroup === 'string' ||
        typeof old.spec.dataSourceRef?.apiGroup === 'string',
    };
    const errors = validateClaimSpec(object.spec, options, 'spec');
    // Upstream checks the spec twice on update, and clients see each cause twice.
    return [...errors, ...errors, ...validateChange(object, old)];
  },
  validateStatusUpdate: validateStatus,
  warnings: (object, _old, { subresource }) => (subresource === 'status' ? [] : warnings(object)),
  cells: (object, { now }) => {
    const { spec, status, metadata } = object;
    const bound = Boolean(spec.volumeName);
    return [
      nameCell(object),
      metadata.deletionTimestamp === undefined ? (status.phase ?? '') : 'Terminating',
      spec.volumeName ?? '',
      bound ? (status.capacity?.['storage'] ?? '0') : '',
      bound ? accessModesCell(status.accessModes) : '',
      metadata.annotations?.[CLASS_ANNOTATION] ?? spec.storageClassName ?? '',
      spec.volumeAttributesClassName ?? '<unset>',
      age(object, now),
      spec.volumeMode ?? '<unset>',
    ];
  },
};

/**
 * Both data source fields say the same, whichever the client knows; a `dataSource` nobody understood has always been
 * dropped in silence. References into other namespaces are switched off.
 */
function prepareDataSources(spec: ClaimSpec, old: ClaimSpec | undefined): void {
  if (spec.dataSourceRef?.namespace && old?.dataSourceRef === undefined) delete spec.dataSourceRef;
  const inUse = old?.dataSource !== undefined || old?.dataSourceRef !== undefined;
  if (!inUse && spec.dataSourceRef === undefined && !isKnownSource(spec.dataSource)) {
    delete spec.dataSource;
  }
  if (spec.dataSource !== undefined && spec.dataSourceRef === undefined) {
    spec.dataSourceRef = { ...spec.dataSource };
  } else if (
    spec.dataSourceRef !== undefined &&
    spec.dataSource === undefined &&
    !spec.dataSourceRef.namespace
  ) {
    const { namespace: _none, ...source } = spec.dataSourceRef;
    spec.dataSource = source;
  }
}

function isKnownSource(source: DataSource | undefined): boolean {
  if (source === undefined) return false;
  const { kind } = source;
  const apiGroup = source.apiGroup ?? '';
  return (
    (kind === 'PersistentVolumeClaim' && apiGroup === '') ||
    (kind === 'VolumeSnapshot' && apiGroup === 'snapshot.storage.k8s.io')
  );
}

function validateChange(object: Claim, old: Claim): FieldError[] {
  const errors: FieldError[] = [];
  const next = shownSpec(object.spec);
  const before = shownSpec(old.spec);
  if (!old.spec.volumeName) before.VolumeName = next.VolumeName;
  const annotation = object.metadata.annotations?.[CLASS_ANNOTATION];
  const oldAnnotation = old.metadata.annotations?.[CLASS_ANNOTATION];
  const className = object.spec.storageClassName;
  const newlyNamed = old.spec.storageClassName === undefined && className !== undefined;
  const moved =
    newlyNamed &&
    oldAnnotation !== undefined &&
    className === oldAnnotation &&
    (annotation === undefined || annotation === oldAnnotation);
  if (moved) next.StorageClassName = null;
  else {
    if ((annotation ?? '') !== (oldAnnotation ?? '')) {
      const path = `metadata.annotations.${CLASS_ANNOTATION}`;
      errors.push(invalid(path, annotation ?? '', immutableDetail));
    }
    if (newlyNamed && (oldAnnotation === undefined || className === oldAnnotation)) {
      next.StorageClassName = before.StorageClassName;
    }
  }
  const oldSize = old.spec.resources.requests?.['storage'] ?? '0';
  const newSize = object.spec.resources.requests?.['storage'] ?? '0';
  if (object.status.phase === 'Bound') {
    if (next.Resources.Requests !== null) {
      next.Resources.Requests = { ...next.Resources.Requests, storage: oldSize };
    }
    next.VolumeAttributesClassName = before.VolumeAttributesClassName;
  }
  if (!deepEqual(next, before)) {
    const detail = `spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n${diffValues(before, next)}`;
    errors.push(forbidden('spec', detail));
  }
  const capacity = old.status.capacity?.['storage'] ?? '0';
  if (compareAmounts(newSize, oldSize) < 0 && compareAmounts(newSize, capacity) <= 0) {
    const detail = 'field can not be less than status.capacity';
    errors.push(forbidden('spec.resources.requests.storage', detail));
  }
  errors.push(...validateImmutable(object.spec.volumeMode, old.spec.volumeMode, 'volumeMode'));
  return [...errors, ...validateAttributesClassChange(object, old)];
}

function validateAttributesClassChange(object: Claim, old: Claim): FieldError[] {
  const path = 'spec.volumeAttributesClassName';
  const name = object.spec.volumeAttributesClassName;
  if (name === old.spec.volumeAttributesClassName) return [];
  if (old.status.currentVolumeAttributesClassName === undefined || name) return [];
  const to = name === undefined ? 'nil' : 'empty string';
  return [
    forbidden(
      path,
      `update to ${to} is forbidden when status.currentVolumeAttributesClassName is not nil`,
    ),
  ];
}

function validateStatus(object: Claim): FieldError[] {
  const { metadata, spec, status } = object;
  const errors: FieldError[] = [];
  if (!metadata.resourceVersion) errors.push(required('resourceVersion'));
  if (!spec.accessModes?.length) errors.push(required('Spec.accessModes'));
  for (const [name, amount] of Object.entries(status.capacity ?? {})) {
    errors.push(...validateBasicAmount(amount, keyed('status.capacity', name)));
  }
  const statusesPath = 'status.allocatedResourceStatuses';
  for (const [name, value] of Object.entries(status.allocatedResourceStatuses ?? {})) {
    errors.push(...validateResourceKey(name, statusesPath));
    if (!resizeStatuses.includes(value)) {
      errors.push(notSupported(statusesPath, name, resizeStatuses));
    }
  }
  const allocatedPath = 'status.allocatedResources';
  for (const [name, amount] of Object.entries(status.allocatedResources ?? {})) {
    const keyErrors = validateResourceKey(name, allocatedPath);
    const path = keyed(allocatedPath, name);
    if (keyErrors.length > 0) errors.push(...keyErrors);
    else {
      const basic = validateBasicAmount(amount, path);
      errors.push(...(basic.length > 0 ? basic : validateAmount('storage', amount, path)));
    }
  }
  return errors;
}

function validateResourceKey(name: string, path: string): FieldError[] {
  const errors = isQualifiedName(name).map((message) => invalid(path, name, message));
  if (errors.length > 0 || !isNativeResource(name) || name === 'storage') return errors;
  return [notSupported(path, name, ['storage'])];
}

function warnings({ metadata, spec }: Claim): string[] {
  const texts: string[] = [];
  if (Object.hasOwn(metadata.annotations ?? {}, CLASS_ANNOTATION)) {
    texts.push(
      `metadata.annotations[${CLASS_ANNOTATION}]: deprecated since v1.8; use "storageClassName" attribute instead`,
    );
  }
  for (const field of ['requests', 'limits'] as const) {
    const amount = spec.resources[field]?.['storage'];
    if (!isFractionOfByte(amount)) continue;
    const path = keyed(child('spec', 'resources', field), 'storage');
    texts.push(`${path}: fractional byte value "${amount}" is invalid, must be an integer`);
  }
  return texts;
}

/** The spec as upstream's internal type prints it. */
function shownSpec(spec: ClaimSpec): {
  AccessModes: string[] | null;
  Selector: LabelSelector | null;
  Resources: { Limits: ResourceList | null; Requests: ResourceList | null };
  VolumeName: string;
  StorageClassName: string | null;
  VolumeMode: string | null;
  DataSource: unknown;
  DataSourceRef: unknown;
  VolumeAttributesClassName: string | null;
} {
  const { dataSource, dataSourceRef } = spec;
  return {
    AccessModes: spec.accessModes ?? null,
    Selector: spec.selector ?? null,
    Resources: { Limits: spec.resources.limits ?? null, Requests: spec.resources.requests ?? null },
    VolumeName: spec.volumeName ?? '',
    StorageClassName: spec.storageClassName ?? null,
    VolumeMode: spec.volumeMode ?? null,
    DataSource: dataSource === undefined ? null : shownSource(dataSource),
    DataSourceRef:
      dataSourceRef === undefined
        ? null
        : { ...shownSource(dataSourceRef), Namespace: dataSourceRef.namespace ?? null },
    VolumeAttributesClassName: spec.volumeAttributesClassName ?? null,
  };
}

function shownSource({ apiGroup, kind, name }: DataSource): object {
  return { APIGroup: apiGroup ?? null, Kind: kind, Name: name };
}
