import {
  child,
  deepEqual,
  type FieldError,
  forbidden,
  invalid,
  isDNS1123Label,
  isDNS1123Subdomain,
  keyed,
  notSupported,
  required,
  validateAnnotations,
  validateLabelSelector,
  validateLabels,
} from '@flotilla/machinery';
import { compareQuantityTexts, fractionalQuantity } from './quantities.ts';
import { hasKey, invalidEach, positiveDetail } from './support.ts';
import type { ClaimSpec, Volume } from './volume-types.ts';

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const volumeModes = ['Block', 'Filesystem'];

type ClaimTemplate = NonNullable<NonNullable<Volume['ephemeral']>['volumeClaimTemplate']>;

/** The claim an ephemeral volume makes: only labels and annotations of its metadata may be set. */
export function volumeClaimTemplateErrors(template: ClaimTemplate, path: string): FieldError[] {
  const meta = template.metadata ?? {};
  const metaPath = child(path, 'metadata');
  const { annotations, labels, ...others } = meta as {
    annotations?: Record<string, string>;
    labels?: Record<string, string>;
  };
  return [
    ...validateAnnotations(annotations ?? {}, child(metaPath, 'annotations')),
    ...validateLabels(labels ?? {}, child(metaPath, 'labels')),
    ...Object.entries(others)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([field]) => forbidden(child(metaPath, field), 'cannot be set')),
    ...claimSpecErrors(template.spec, child(path, 'spec')),
  ];
}

/** What a claim asks for: access modes, size, class and source. */
export function claimSpecErrors(spec: ClaimSpec, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const modesPath = child(path, 'accessModes');
  const modes = spec.accessModes ?? [];
  if (modes.length === 0) errors.push(required(modesPath, 'at least 1 access mode is required'));
  if (spec.selector)
    errors.push(...validateLabelSelector(spec.selector, {}, child(path, 'selector')));
  for (const mode of modes) {
    if (!accessModes.includes(mode)) errors.push(notSupported(modesPath, mode, accessModes));
  }
  const once = modes.includes('ReadWriteOncePod');
  if (once && modes.some((mode) => mode !== 'ReadWriteOncePod' && accessModes.includes(mode))) {
    errors.push(forbidden(modesPath, 'may not use ReadWriteOncePod with other access modes'));
  }
  errors.push(...storageRequestErrors(spec, child(path, 'resources')));
  const { storageClassName, volumeMode, volumeAttributesClassName } = spec;
  if (storageClassName) {
    const messages = isDNS1123Subdomain(storageClassName);
    errors.push(...invalidEach(child(path, 'storageClassName'), storageClassName, messages));
  }
  if (volumeMode != null && !volumeModes.includes(volumeMode)) {
    errors.push(notSupported(child(path, 'volumeMode'), volumeMode, volumeModes));
  }
  errors.push(...dataSourceErrors(spec, path));
  if (volumeAttributesClassName) {
    const below = child(path, 'volumeAttributesClassName');
    const messages = isDNS1123Subdomain(volumeAttributesClassName);
    errors.push(...invalidEach(below, volumeAttributesClassName, messages));
  }
  return errors;
}

/** Warnings about sizes that are not whole bytes. */
export function claimSpecWarnings(spec: ClaimSpec, path: string): string[] {
  return (['requests', 'limits'] as const).flatMap((field) => {
    const size = spec.resources?.[field]?.['storage'];
    if (size === undefined || !fractionalQuantity(size)) return [];
    const where = keyed(child(path, 'resources', field), 'storage');
    return [`${where}: fractional byte value "${size}" is invalid, must be an integer`];
  });
}

function storageRequestErrors(spec: ClaimSpec, path: string): FieldError[] {
  const below = keyed(path, 'storage');
  const requests = spec.resources?.requests;
  const size = requests?.['storage'];
  if (size === undefined || !hasKey(requests, 'storage')) return [required(below)];
  return compareQuantityTexts(size, '0') <= 0 ? [invalid(below, size, positiveDetail)] : [];
}

function dataSourceErrors(spec: ClaimSpec, path: string): FieldError[] {
  const { dataSource, dataSourceRef } = spec;
  const errors: FieldError[] = [];
  if (dataSource) errors.push(...sourceErrors(dataSource, child(path, 'dataSource')));
  if (dataSourceRef) {
    const below = child(path, 'dataSourceRef');
    errors.push(...sourceErrors(dataSourceRef, below));
    if (dataSourceRef.namespace) {
      const messages = isDNS1123Label(dataSourceRef.namespace);
      errors.push(...invalidEach(child(below, 'namespace'), dataSourceRef.namespace, messages));
    }
  }
  if (!dataSource) return errors;
  // Upstream shows the path object itself as the value; it has no exported fields.
  if (dataSourceRef?.namespace) {
    const detail = 'may not be specified when dataSourceRef.namespace is specified';
    errors.push(invalid(path, {}, detail));
  } else if (dataSourceRef && !deepEqual(dataSource, dataSourceRef)) {
    errors.push(invalid(path, {}, 'must match dataSourceRef'));
  }
  return errors;
}

function sourceErrors(
  source: { apiGroup?: string; kind: string; name: string },
  path: string,
): FieldError[] {
  const group = source.apiGroup ?? '';
  return [
    ...(source.name === '' ? [required(child(path, 'name'))] : []),
    ...(source.kind === '' ? [required(child(path, 'kind'))] : []),
    ...(group === '' && source.kind !== 'PersistentVolumeClaim'
      ? [
          invalid(
            path,
            source.kind,
            "must be 'PersistentVolumeClaim' when referencing the default apiGroup",
          ),
        ]
      : []),
    ...(group === '' ? [] : invalidEach(child(path, 'apiGroup'), group, isDNS1123Subdomain(group))),
  ];
}
