import type { KubeObject } from '@flotilla/machinery';
import {
  type FieldError,
  invalid,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '@flotilla/machinery';
import type { KindContext } from '../kinds/behaviour.ts';
import type { ResourceDef } from '../resources/resource.ts';

/** Everything wrong with a new object, in upstream's order: metadata first, then the kind's own rules. */
export function validateNew(
  def: ResourceDef,
  object: KubeObject,
  context: KindContext,
): FieldError[] {
  const { behaviour } = def;
  return [
    ...validateObjectMeta(object.metadata, {
      namespaced: def.namespaced,
      nameRule: behaviour.nameRule ?? 'subdomain',
      path: 'metadata',
    }),
    ...finalizerErrors(def, object),
    ...(behaviour.validate?.(object, context) ?? []),
  ];
}

const STANDARD_FINALIZERS = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

/** Kubernetes' own kinds want a domain in every finalizer but these three; custom resources do not. */
function finalizerErrors(def: ResourceDef, { metadata }: KubeObject): FieldError[] {
  if (!def.builtIn || def.group === 'admissionregistration.k8s.io') return [];
  return (metadata.finalizers ?? []).flatMap((name, index) =>
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

/** Everything wrong with a changed object. */
export function validateChange(
  def: ResourceDef,
  pair: { next: KubeObject; old: KubeObject },
  context: KindContext,
): FieldError[] {
  const { behaviour } = def;
  const { next, old } = pair;
  // Upstream repeats the metadata checks with the laxest name rule on update, so that
  // objects with names that became invalid can still be changed.
  const meta = validateObjectMeta(next.metadata, {
    namespaced: def.namespaced,
    nameRule: 'path-segment',
    path: 'metadata',
  });
  const changed = validateObjectMetaUpdate(next.metadata, old.metadata, 'metadata');
  // Upstream checks metadata for all kinds and then again in each; clients see the causes twice.
  const finalizers = finalizerErrors(def, next);
  const errors = [...meta, ...changed, ...changed, ...finalizers];
  if (context.subresource === 'status') {
    return [...errors, ...(behaviour.validateStatusUpdate?.(next, old, context) ?? [])];
  }
  const sub = behaviour.subresources?.[context.subresource];
  if (sub !== undefined) return [...errors, ...sub.validateUpdate(next, old, context)];
  if (behaviour.validateOnUpdate !== false) {
    errors.push(...meta, ...finalizers, ...(behaviour.validate?.(next, context) ?? []));
  }
  return [...errors, ...(behaviour.validateUpdate?.(next, old, context) ?? [])];
}
