import { type FieldError, parseGroupVersion, required } from '@flotilla/machinery';
import { defineKind } from '../core/define-kind.ts';
import { repeatMetadata } from '../finalizer-names.ts';
import { age } from './cells.ts';
import { immutable, nonNegative } from './support.ts';
import type { ControllerRevision } from './workload-types.ts';

/** apps/v1 ControllerRevision. */
export const controllerRevision = defineKind<ControllerRevision>({
  validateOnUpdate: false,
  validate: (object) => [...nonNegative(object.revision, 'revision'), ...dataErrors(object.data)],
  validateUpdate: (object, old) => [
    ...repeatMetadata(object.metadata),
    ...nonNegative(object.revision, 'revision'),
    ...immutable('data', { next: object.data, old: old.data }),
  ],
  cells: (object, { now }) => [
    object.metadata.name ?? '',
    controllerName(object),
    Number(object.revision),
    age(object.metadata.creationTimestamp, now),
  ],
});

function dataErrors(data: unknown): FieldError[] {
  if (data == null) return [required('data', 'data is mandatory')];
  if (typeof data === 'object' && !Array.isArray(data)) return [];
  return [required('data', 'data must be a valid JSON object')];
}

function controllerName({ metadata }: ControllerRevision): string {
  const owner = (metadata.ownerReferences ?? []).find((each) => each.controller);
  if (owner === undefined) return '<none>';
  const group = parseGroupVersion(owner.apiVersion)?.group ?? '';
  const kind = group === '' ? owner.kind : `${owner.kind}.${group}`;
  return `${kind.toLowerCase()}/${owner.name}`;
}
