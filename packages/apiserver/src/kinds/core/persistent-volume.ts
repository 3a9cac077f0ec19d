import {
  deepEqual,
  type FieldError,
  forbidden,
  formatTime,
  type Json,
  type KubeObject,
  required,
  validateImmutable,
} from '@flotilla/machinery';
import type { KindBehaviour } from '../behaviour.ts';
import { diffValues } from '../value-diff.ts';
import { age, nameCell } from './cells.ts';
import { hasInvalidSelectorValue, nodeSelectorWarnings } from './node-selector.ts';
import {
  type PersistentVolumeSpec,
  validatePersistentVolumeSpec,
} from './persistent-volume-spec.ts';
import { roundResources } from './quantity-fields.ts';
import { accessModesCell, CLASS_ANNOTATION } from './volume-fields.ts';
import { shownAffinity, shownVolumeSource, withoutBetaLabels } from './volume-shown.ts';
import { volumeSources } from './volume-sources.ts';

const MOUNT_OPTIONS = 'volume.beta.kubernetes.io/mount-options';

/** Sources whose plug-ins take mount options from the old annotation. */
const mountOptionSources = [
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'nfs',
  'rbd',
  'quobyte',
  'iscsi',
  'cinder',
  'cephfs',
  'azureFile',
  'vsphereVolume',
  'azureDisk',
  'photonPersistentDisk',
];

const sourceWarnings: readonly (readonly [string, string])[] = [
  ['cephfs', 'spec.cephfs: deprecated in v1.28, non-functional in v1.31+'],
  [
    'photonPersistentDisk',
    'spec.photonPersistentDisk: deprecated in v1.11, non-functional in v1.16+',
  ],
  ['scaleIO', 'spec.scaleIO: deprecated in v1.16, non-functional in v1.22+'],
  ['storageos', 'spec.storageOS: deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'spec.glusterfs: deprecated in v1.25, non-functional in v1.26+'],
  ['rbd', 'spec.rbd: deprecated in v1.28, non-functional in v1.31+'],
];

interface PersistentVolume extends KubeObject {
  spec: PersistentVolumeSpec;
  status: {
    phase?: string;
    reason?: string;
    message?: string;
    lastPhaseTransitionTime?: string;
  };
}

/** A piece of storage in the cluster. */
export const persistentVolume: KindBehaviour<PersistentVolume> = {
  defaults: ({ spec, status }) => {
    status.phase ||= 'Pending';
    spec.persistentVolumeReclaimPolicy ||= 'Retain';
    spec.volumeMode ??= 'Filesystem';
    roundResources(spec.capacity);
    defaultSource(spec);
  },
  prepareForCreate: (object, { now }) => {
    object.status = { phase: 'Pending', lastPhaseTransitionTime: formatTime(now()) };
  },
  prepareForStatusUpdate: (object, old, { now }) => {
    const { status } = object;
    const { phase, lastPhaseTransitionTime: before } = old.status;
    if (status.phase === phase) {
      if (before !== undefined) status.lastPhaseTransitionTime ??= before;
    } else if (
      status.lastPhaseTransitionTime === undefined ||
      status.lastPhaseTransitionTime === before
    ) {
      status.lastPhaseTransitionTime = formatTime(now());
    }
  },
  validate: (object) => validate(object, undefined),
  validateOnUpdate: false,
  // Upstream checks the spec twice on update, and clients see each cause twice.
  validateUpdate: (object, old) => [
    ...validate(object, old),
    ...validateSpec(object, old),
    ...validateChange(object, old),
  ],
  validateStatusUpdate: ({ metadata }) =>
    metadata.resourceVersion ? [] : [required('resourceVersion')],
  warnings: (object, _old, { subresource }) => (subresource === 'status' ? [] : warnings(object)),
  cells: (object, { now }) => {
    const { spec, status, metadata } = object;
    return [
      nameCell(object),
      spec.capacity?.['storage'] ?? '0',
      accessModesCell(spec.accessModes),
      spec.persistentVolumeReclaimPolicy ?? '',
      metadata.deletionTimestamp === undefined ? (status.phase ?? '') : 'Terminating',
      spec.claimRef === undefined
        ? ''
        : `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}`,
      metadata.annotations?.[CLASS_ANNOTATION] ?? spec.storageClassName ?? '',
      spec.volumeAttributesClassName ?? '<unset>',
      status.reason ?? '',
      age(object, now),
      spec.volumeMode ?? '<unset>',
    ];
  },
};

function defaultSource(spec: PersistentVolumeSpec): void {
  const fill = (field: string, values: Json) => {
    const source = spec[field] as Json | undefined;
    if (source === undefined) return;
    for (const [key, value] of Object.entries(values)) {
      if (source[key] === undefined || source[key] === '') source[key] = value;
    }
  };
  fill('hostPath', { type: '' });
  fill('rbd', { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' });
  fill('iscsi', { iscsiInterface: 'default' });
  fill('azureDisk', { cachingMode: 'ReadWrite', fsType: 'ext4', readOnly: false, kind: 'Shared' });
  fill('scaleIO', { storageMode: 'ThinProvisioned', fsType: 'xfs' });
}

function validateSpec(object: PersistentVolume, old: PersistentVolume | undefined): FieldError[] {
  const allowInvalidValues = hasInvalidSelectorValue(old?.spec.nodeAffinity?.required);
  const options = { name: object.metadata.name ?? '', allowInvalidValues, inline: false };
  return validatePersistentVolumeSpec(object.spec, options, 'spec');
}

function validate(object: PersistentVolume, old: PersistentVolume | undefined): FieldError[] {
  const errors = validateSpec(object, old);
  const takesOptions = mountOptionSources.some((field) => object.spec[field] !== undefined);
  if (!takesOptions && Object.hasOwn(object.metadata.annotations ?? {}, MOUNT_OPTIONS)) {
    const detail = 'may not specify mount options for this volume type';
    errors.push(forbidden(`metadata.annotations.${MOUNT_OPTIONS}`, detail));
  }
  return errors;
}

function validateChange(object: PersistentVolume, old: PersistentVolume): FieldError[] {
  const errors: FieldError[] = [];
  const next = sources(object.spec);
  const before = sources(old.spec);
  const csi = next['csi'] as Json | undefined;
  const oldCsi = before['csi'] as Json | undefined;
  // A secret for expansion may be added later, as it was invented later.
  if (csi?.['controllerExpandSecretRef'] && oldCsi && !oldCsi['controllerExpandSecretRef']) {
    const { controllerExpandSecretRef: _added, ...rest } = csi;
    next['csi'] = rest;
  }
  if (!deepEqual(next, before)) {
    const diff = diffValues(shownVolumeSource(before), shownVolumeSource(next));
    const detail = `spec.persistentvolumesource is immutable after creation\n${diff}`;
    errors.push(forbidden('spec.persistentvolumesource', detail));
  }
  errors.push(...validateImmutable(object.spec.volumeMode, old.spec.volumeMode, 'volumeMode'));
  const affinity = old.spec.nodeAffinity;
  if (
    affinity !== undefined &&
    !deepEqual(withoutBetaLabels(affinity, object.spec.nodeAffinity), object.spec.nodeAffinity)
  ) {
    errors.push(...affinityFixed(object));
  }
  if (old.spec.volumeAttributesClassName && !object.spec.volumeAttributesClassName) {
    const detail = 'update from non-nil value to nil is forbidden';
    errors.push(forbidden('spec.volumeAttributesClassName', detail));
  }
  return errors;
}

function affinityFixed({ spec }: PersistentVolume): FieldError[] {
  const [error] = validateImmutable(shownAffinity(spec.nodeAffinity), false, 'nodeAffinity');
  if (error === undefined) return [];
  return [{ ...error, message: `${error.message}, except for updating from beta label to GA` }];
}

function sources(spec: PersistentVolumeSpec): Json {
  return Object.fromEntries(
    volumeSources.flatMap(({ field }) => (spec[field] === undefined ? [] : [[field, spec[field]]])),
  );
}

function warnings({ metadata, spec }: PersistentVolume): string[] {
  const texts: string[] = [];
  const annotations = metadata.annotations ?? {};
  if (Object.hasOwn(annotations, CLASS_ANNOTATION)) {
    texts.push(
      `metadata.annotations[${CLASS_ANNOTATION}]: deprecated since v1.8; use "storageClassName" attribute instead`,
    );
  }
  if (Object.hasOwn(annotations, MOUNT_OPTIONS)) {
    texts.push(
      `metadata.annotations[${MOUNT_OPTIONS}]: deprecated since v1.31; use "mountOptions" attribute instead`,
    );
  }
  if (spec.persistentVolumeReclaimPolicy === 'Recycle') {
    texts.push(
      'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
    );
  }
  texts.push(...nodeSelectorWarnings(spec.nodeAffinity?.required, 'spec.nodeAffinity.required'));
  for (const [field, text] of sourceWarnings) if (spec[field] !== undefined) texts.push(text);
  return texts;
}
