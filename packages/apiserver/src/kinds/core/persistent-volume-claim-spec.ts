import {
  child,
  type FieldError,
  invalid,
  type Json,
  type LabelSelector,
  notSupported,
  required,
  validateLabelSelector,
} from '@flotilla/machinery';
import { validateDNSLabel, validateDNSSubdomain } from './fields.ts';
import { type ResourceList, validateAmount, validatePositiveAmount } from './quantity-fields.ts';
import { validateAccessModes, volumeModes } from './volume-fields.ts';

/** Where the first contents of a volume come from. */
export interface DataSource {
  /** Written even when it is not set. */
  apiGroup?: string | null;
  kind: string;
  name: string;
}

/** What a claim asks for. StatefulSets and pods carry it too. */
export interface ClaimSpec extends Json {
  accessModes?: string[];
  selector?: LabelSelector;
  resources: { limits?: ResourceList; requests?: ResourceList };
  volumeName?: string;
  storageClassName?: string;
  volumeMode?: string;
  dataSource?: DataSource;
  dataSourceRef?: DataSource & { namespace?: string };
  volumeAttributesClassName?: string;
}

/** What stored claims may keep although newer rules refuse it. */
export interface ClaimSpecOptions {
  readonly allowInvalidLabelValues?: boolean;
  readonly allowInvalidGroups?: boolean;
}

/** The rules of claims, in upstream's order. */
export function validateClaimSpec(
  spec: ClaimSpec,
  options: ClaimSpecOptions,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const modesPath = child(path, 'accessModes');
  const modes = spec.accessModes ?? [];
  if (modes.length === 0) errors.push(required(modesPath, 'at least 1 access mode is required'));
  errors.push(
    ...validateLabelSelector(
      spec.selector,
      { allowInvalidLabelValueInSelector: options.allowInvalidLabelValues ?? false },
      child(path, 'selector'),
    ),
    ...validateAccessModes(modes, modesPath),
    ...validateSize(spec.resources.requests?.['storage'], `${child(path, 'resources')}[storage]`),
  );
  if (spec.storageClassName) {
    errors.push(...validateDNSSubdomain(spec.storageClassName, child(path, 'storageClassName')));
  }
  if (spec.volumeMode !== undefined && !volumeModes.includes(spec.volumeMode)) {
    errors.push(notSupported(child(path, 'volumeMode'), spec.volumeMode, volumeModes));
  }
  errors.push(...validateDataSources(spec, options, path));
  if (spec.volumeAttributesClassName) {
    const classPath = child(path, 'volumeAttributesClassName');
    errors.push(...validateDNSSubdomain(spec.volumeAttributesClassName, classPath));
  }
  return errors;
}

function validateSize(size: string | undefined, path: string): FieldError[] {
  if (size === undefined) return [required(path)];
  const errors = validatePositiveAmount(size, path);
  return errors.length > 0 ? errors : validateAmount('storage', size, path);
}

function validateDataSources(
  spec: ClaimSpec,
  options: ClaimSpecOptions,
  path: string,
): FieldError[] {
  const { dataSource, dataSourceRef } = spec;
  const errors: FieldError[] = [];
  if (dataSource !== undefined) {
    errors.push(...validateDataSource(dataSource, options, child(path, 'dataSource')));
  }
  if (dataSourceRef === undefined) return errors;
  const refPath = child(path, 'dataSourceRef');
  errors.push(...validateDataSource(dataSourceRef, options, refPath));
  if (dataSourceRef.namespace) {
    errors.push(...validateDNSLabel(dataSourceRef.namespace, child(refPath, 'namespace')));
  }
  if (dataSource === undefined) return errors;
  // Upstream shows the path itself as the value, which has nothing to print.
  if (dataSourceRef.namespace) {
    const detail = 'may not be specified when dataSourceRef.namespace is specified';
    errors.push(invalid(path, {}, detail));
  } else if (
    (dataSource.apiGroup ?? null) !== (dataSourceRef.apiGroup ?? null) ||
    dataSource.kind !== dataSourceRef.kind ||
    dataSource.name !== dataSourceRef.name
  ) {
    errors.push(invalid(path, {}, 'must match dataSourceRef'));
  }
  return errors;
}

function validateDataSource(
  { apiGroup: group, kind, name }: DataSource,
  options: ClaimSpecOptions,
  path: string,
): FieldError[] {
  const apiGroup = group ?? '';
  const errors: FieldError[] = [];
  if (name === '') errors.push(required(child(path, 'name')));
  if (kind === '') errors.push(required(child(path, 'kind')));
  if (apiGroup === '' && kind !== 'PersistentVolumeClaim') {
    const detail = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
    errors.push(invalid(path, kind, detail));
  }
  if (apiGroup !== '' && options.allowInvalidGroups !== true) {
    errors.push(...validateDNSSubdomain(apiGroup, child(path, 'apiGroup')));
  }
  return errors;
}
