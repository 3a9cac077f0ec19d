import type { FieldError } from '../field-error.ts';
import { forbidden, immutableDetail, invalid, negativeDetail, required } from '../field-errors.ts';
import { child } from '../field-path.ts';
import { goQuote } from '../go/quote.ts';
import { formatGroupVersionKind, parseGroupVersion } from '../group-version.ts';
import type { ObjectMeta, OwnerReference } from '../object.ts';
import { deepEqual } from '../values/deep-equal.ts';
import { validateAnnotations, validateLabels } from './labels.ts';
import { validateManagedFields } from './managed-fields.ts';
import { checkName, type NameRule } from './name-rules.ts';
import { isQualifiedName } from './names.ts';

/** Finalizer that keeps an object until its dependents are orphaned. */
export const orphanFinalizer = 'orphan';

/** Finalizer that keeps an object until its dependents are deleted. */
export const foregroundFinalizer = 'foregroundDeletion';

/** What validation must know about the kind an object is of. */
export interface ObjectMetaOptions {
  readonly namespaced: boolean;
  /** @default 'subdomain' */
  readonly nameRule?: NameRule;
  /** @default 'metadata' */
  readonly path?: string;
}

/** Checks the metadata of an object about to be created, after its name was generated. */
export function validateObjectMeta(meta: ObjectMeta, options: ObjectMetaOptions): FieldError[] {
  const path = options.path ?? 'metadata';
  return [
    ...validateNames(meta, options, path),
    ...validateNamespace(meta.namespace ?? '', options.namespaced, child(path, 'namespace')),
    ...validateNonnegative(meta.generation ?? 0, child(path, 'generation')),
    ...validateLabels(meta.labels, child(path, 'labels')),
    ...validateAnnotations(meta.annotations, child(path, 'annotations')),
    ...validateOwnerReferences(meta.ownerReferences ?? [], child(path, 'ownerReferences')),
    ...validateFinalizers(meta.finalizers ?? [], child(path, 'finalizers')),
    ...validateManagedFields(meta.managedFields ?? [], child(path, 'managedFields')),
  ];
}

/** Checks what an update does to metadata. Finalizer names are checked only on creation, as upstream does. */
export function validateObjectMetaUpdate(
  next: ObjectMeta,
  old: ObjectMeta,
  path = 'metadata',
): FieldError[] {
  const errors: FieldError[] = [];
  if (old.deletionTimestamp !== undefined && old.deletionTimestamp !== null) {
    errors.push(
      ...validateNoNewFinalizers(
        next.finalizers ?? [],
        old.finalizers ?? [],
        child(path, 'finalizers'),
      ),
    );
  }
  if ((next.resourceVersion ?? '') === '') {
    errors.push(invalid(child(path, 'resourceVersion'), '', 'must be specified for an update'));
  }
  const generation = next.generation ?? 0;
  if (generation < (old.generation ?? 0)) {
    errors.push(invalid(child(path, 'generation'), generation, 'must not be decremented'));
  }
  for (const field of ['name', 'namespace', 'uid'] as const) {
    errors.push(...validateImmutable(next[field] ?? '', old[field] ?? '', child(path, field)));
  }
  for (const field of [
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
  ] as const) {
    errors.push(...validateImmutable(next[field] ?? null, old[field] ?? null, child(path, field)));
  }
  errors.push(
    ...validateLabels(next.labels, child(path, 'labels')),
    ...validateAnnotations(next.annotations, child(path, 'annotations')),
    ...validateOwnerReferences(next.ownerReferences ?? [], child(path, 'ownerReferences')),
    ...validateManagedFields(next.managedFields ?? [], child(path, 'managedFields')),
  );
  return errors;
}

/** Checks that a field did not change. */
export function validateImmutable(next: unknown, old: unknown, path: string): FieldError[] {
  return deepEqual(next, old) ? [] : [invalid(path, next, immutableDetail)];
}

/** Checks that a number is not below zero. */
export function validateNonnegative(value: number | bigint, path: string): FieldError[] {
  return value < 0 ? [invalid(path, value, negativeDetail)] : [];
}

/** Checks names of finalizers, and that the two kinds of cascading deletion do not both stand. */
export function validateFinalizers(finalizers: readonly string[], path: string): FieldError[] {
  const errors = finalizers.flatMap((name) => validateFinalizerName(name, path));
  if (finalizers.includes(orphanFinalizer) && finalizers.includes(foregroundFinalizer)) {
    const detail = `finalizer ${orphanFinalizer} and ${foregroundFinalizer} cannot be both set`;
    errors.push(invalid(path, finalizers, detail));
  }
  return errors;
}

/** Checks the name of one finalizer. */
export function validateFinalizerName(name: string, path: string): FieldError[] {
  return isQualifiedName(name).map((message) => invalid(path, name, message));
}

/** Checks that an object being deleted gets no finalizer it did not have. */
export function validateNoNewFinalizers(
  next: readonly string[],
  old: readonly string[],
  path: string,
): FieldError[] {
  const added = [...new Set(next)].filter((name) => !old.includes(name)).sort();
  if (added.length === 0) return [];
  const shown = `[]string{${added.map(goQuote).join(', ')}}`;
  return [
    forbidden(
      path,
      `no new finalizers can be added if the object is being deleted, found new finalizers ${shown}`,
    ),
  ];
}

/** Checks owners: each complete, and at most one of them the controller. */
export function validateOwnerReferences(
  references: readonly OwnerReference[],
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  let controller = '';
  for (const reference of references) {
    errors.push(...validateOwnerReference(reference, path));
    if (reference.controller !== true) continue;
    const name = `${reference.kind}/${reference.name}`;
    if (controller === '') controller = name;
    else {
      const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`;
      errors.push(invalid(path, references, detail));
    }
  }
  return errors;
}

function validateOwnerReference(reference: OwnerReference, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const gv = parseGroupVersion(reference.apiVersion ?? '') ?? { group: '', version: '' };
  if (gv.version === '') {
    const shown = reference.apiVersion ?? '';
    errors.push(invalid(child(path, 'apiVersion'), shown, 'version must not be empty'));
  }
  for (const field of ['kind', 'name', 'uid'] as const) {
    if ((reference[field] ?? '') === '') {
      errors.push(invalid(child(path, field), '', 'must not be empty'));
    }
  }
  if (gv.group === '' && gv.version === 'v1' && reference.kind === 'Event') {
    const owner = formatGroupVersionKind({ ...gv, kind: reference.kind });
    errors.push(invalid(path, reference, `${owner} is disallowed from being an owner`));
  }
  return errors;
}

function validateNames(meta: ObjectMeta, options: ObjectMetaOptions, path: string): FieldError[] {
  const rule = options.nameRule ?? 'subdomain';
  const generateName = meta.generateName ?? '';
  const name = meta.name ?? '';
  const errors: FieldError[] = [];
  if (generateName !== '') {
    for (const message of checkName(generateName, rule, true)) {
      errors.push(invalid(child(path, 'generateName'), generateName, message));
    }
  }
  if (name === '') {
    errors.push(required(child(path, 'name'), 'name or generateName is required'));
  } else {
    for (const message of checkName(name, rule, false)) {
      errors.push(invalid(child(path, 'name'), name, message));
    }
  }
  return errors;
}

function validateNamespace(namespace: string, namespaced: boolean, path: string): FieldError[] {
  if (!namespaced) {
    return namespace === '' ? [] : [forbidden(path, 'not allowed on this type')];
  }
  if (namespace === '') return [required(path)];
  return checkName(namespace, 'label', false).map((message) => invalid(path, namespace, message));
}
