import { posix } from 'node:path';
import {
  child,
  type FieldError,
  forbidden,
  type Json,
  keyed,
  notSupported,
  required,
} from '@flotilla/machinery';
import { validateDNSSubdomain } from './fields.ts';
import { type NodeSelector, validateNodeSelector } from './node-selector.ts';
import {
  type ResourceList,
  validateBasicAmount,
  validatePositiveAmount,
} from './quantity-fields.ts';
import { validateAccessModes, volumeModes } from './volume-fields.ts';
import { secondSource, volumeSources } from './volume-sources.ts';

const reclaimPolicies = ['Delete', 'Recycle', 'Retain'];
const INLINE = 'in the context of inline volumes';

/** What a volume is; its source stands in one of two dozen more fields. */
export interface PersistentVolumeSpec extends Json {
  capacity?: ResourceList;
  accessModes?: string[];
  claimRef?: { namespace?: string; name?: string };
  persistentVolumeReclaimPolicy?: string;
  storageClassName?: string;
  mountOptions?: string[];
  volumeMode?: string;
  nodeAffinity?: { required?: NodeSelector };
  volumeAttributesClassName?: string;
}

/** Where the spec stands and what it may keep. */
export interface VolumeSpecOptions {
  readonly name: string;
  readonly allowInvalidValues: boolean;
  /** Inside a VolumeAttachment, where only CSI volumes are allowed. */
  readonly inline: boolean;
}

/** The rules of volumes, in upstream's order. */
export function validatePersistentVolumeSpec(
  spec: PersistentVolumeSpec,
  options: VolumeSpecOptions,
  path: string,
): FieldError[] {
  const errors = options.inline ? validateInline(spec, path) : [];
  const modes = spec.accessModes ?? [];
  if (modes.length === 0) errors.push(required(child(path, 'accessModes')));
  errors.push(...validateAccessModes(modes, child(path, 'accessModes')));
  if (!options.inline) errors.push(...validateCapacity(spec.capacity ?? {}, path));
  errors.push(
    ...validateReclaimPolicy(spec.persistentVolumeReclaimPolicy ?? '', options.inline, path),
    ...validateAffinity(spec, options, path),
    ...validateSources(spec, options.name, path),
    ...validateClass(spec, options.inline, path),
    ...validateMode(spec, options.inline, path),
  );
  if (!options.inline) errors.push(...validateAttributesClass(spec, path));
  return errors;
}

function validateInline(spec: PersistentVolumeSpec, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.claimRef !== undefined) {
    errors.push(forbidden(child(path, 'claimRef'), `may not be specified ${INLINE}`));
  }
  if (Object.keys(spec.capacity ?? {}).length > 0) {
    errors.push(forbidden(child(path, 'capacity'), `may not be specified ${INLINE}`));
  }
  if (spec['csi'] === undefined) {
    errors.push(required(child(path, 'csi'), `has to be specified ${INLINE}`));
  }
  return errors;
}

function validateCapacity(capacity: ResourceList, path: string): FieldError[] {
  const capacityPath = child(path, 'capacity');
  const names = Object.keys(capacity);
  const errors: FieldError[] = names.length === 0 ? [required(capacityPath)] : [];
  if (!names.includes('storage') || names.length > 1) {
    const shown = names.length === 0 ? null : capacity;
    errors.push(notSupported(capacityPath, shown, ['storage']));
  }
  for (const [name, amount] of Object.entries(capacity)) {
    errors.push(
      ...validateBasicAmount(amount, keyed(capacityPath, name)),
      ...validatePositiveAmount(amount, keyed(capacityPath, name)),
    );
  }
  return errors;
}

function validateReclaimPolicy(policy: string, inline: boolean, path: string): FieldError[] {
  const policyPath = child(path, 'persistentVolumeReclaimPolicy');
  if (policy === '') return [];
  if (inline) {
    return policy === 'Retain' ? [] : [forbidden(policyPath, `may only be Retain ${INLINE}`)];
  }
  return reclaimPolicies.includes(policy)
    ? []
    : [notSupported(policyPath, policy, reclaimPolicies)];
}

function validateAffinity(
  { nodeAffinity }: PersistentVolumeSpec,
  { inline, allowInvalidValues }: VolumeSpecOptions,
  path: string,
): FieldError[] {
  if (nodeAffinity === undefined) return [];
  const affinityPath = child(path, 'nodeAffinity');
  if (inline) return [forbidden(affinityPath, `may not be specified ${INLINE}`)];
  const requiredPath = child(affinityPath, 'required');
  return nodeAffinity.required === undefined
    ? [required(requiredPath, 'must specify required node constraints')]
    : validateNodeSelector(nodeAffinity.required, { allowInvalidValues }, requiredPath);
}

function validateSources(spec: PersistentVolumeSpec, name: string, path: string): FieldError[] {
  const errors: FieldError[] = [];
  let found = false;
  for (const { field, refused, shown, alwaysChecked, rule } of volumeSources) {
    const source = spec[field] as Json | undefined;
    if (source === undefined) continue;
    if (found && alwaysChecked !== true) {
      errors.push(secondSource(refused ?? field, path));
      continue;
    }
    found = true;
    errors.push(...rule(source, child(path, shown ?? field), name));
    if (field === 'local' && spec.nodeAffinity === undefined) {
      const detail = 'Local volume requires node affinity';
      errors.push(required(child(path, 'nodeAffinity'), detail));
    }
  }
  if (!found) errors.push(required(path, 'must specify a volume type'));
  const hostPath = (spec['hostPath'] as { path?: string } | undefined)?.path ?? '';
  if (posix.normalize(hostPath) === '/' && spec.persistentVolumeReclaimPolicy === 'Recycle') {
    const detail = "may not be 'recycle' for a hostPath mount of '/'";
    errors.push(forbidden(child(path, 'persistentVolumeReclaimPolicy'), detail));
  }
  return errors;
}

function validateClass(spec: PersistentVolumeSpec, inline: boolean, path: string): FieldError[] {
  const classPath = child(path, 'storageClassName');
  if (!spec.storageClassName) return [];
  return inline
    ? [forbidden(classPath, `may not be specified ${INLINE}`)]
    : validateDNSSubdomain(spec.storageClassName, classPath);
}

function validateMode(
  { volumeMode }: PersistentVolumeSpec,
  inline: boolean,
  path: string,
): FieldError[] {
  const modePath = child(path, 'volumeMode');
  if (volumeMode === undefined) return [];
  if (inline) {
    const detail = `may not specify volumeMode other than Filesystem ${INLINE}`;
    return volumeMode === 'Filesystem' ? [] : [forbidden(modePath, detail)];
  }
  return volumeModes.includes(volumeMode) ? [] : [notSupported(modePath, volumeMode, volumeModes)];
}

function validateAttributesClass(spec: PersistentVolumeSpec, path: string): FieldError[] {
  const name = spec.volumeAttributesClassName;
  if (name === undefined) return [];
  const namePath = child(path, 'volumeAttributesClassName');
  const errors =
    name === ''
      ? [required(namePath, 'an empty string is disallowed')]
      : validateDNSSubdomain(name, namePath);
  if (spec['csi'] === undefined) {
    const detail = 'has to be specified when using volumeAttributesClassName';
    errors.push(required(child(path, 'csi'), detail));
  }
  return errors;
}
