import { type FieldError, invalid, type ObjectMeta, validateObjectMeta } from '@flotilla/machinery';

const STANDARD_FINALIZERS = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

/** Kubernetes' own kinds want a domain in every finalizer but three. */
export function validateFinalizerNames({ finalizers }: ObjectMeta): FieldError[] {
  return (finalizers ?? []).flatMap((name, index) =>
    name.includes('/') || STANDARD_FINALIZERS.has(name)
      ? []
      : [
          invalid(
            `metadata.finalizers[${index}]`,
            name,
            'name is neither a standard finalizer name nor is it fully qualified',
          ),
        ],
  );
}

/** The metadata of a namespaced object once more, for kinds that repeat it in the middle of their own rules. */
export function repeatMetadata(metadata: ObjectMeta): FieldError[] {
  return [
    ...validateObjectMeta(metadata, { namespaced: true }),
    ...validateFinalizerNames(metadata),
  ];
}
