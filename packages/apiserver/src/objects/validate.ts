import type { KubeObject } from '@flotilla/machinery';
import { type FieldError, validateObjectMeta, validateObjectMetaUpdate } from '@flotilla/machinery';
import type { KindBehaviour, KindContext } from '../kinds/behaviour.ts';
import { validateFinalizerNames } from '../kinds/finalizer-names.ts';
import type { ResourceDef } from '../resources/resource.ts';
import { checksNewMetadata, metadataChecks } from './metadata-checks.ts';

/** Everything wrong with a new object, in upstream's order: metadata first, then the kind's own rules. */
export function validateNew(
  def: ResourceDef,
  object: KubeObject,
  context: KindContext,
): FieldError[] {
  const { behaviour } = def;
  const own = behaviour.validate?.(object, context) ?? [];
  if (checksNewMetadata(def)) {
    const meta = metadataErrors(def, object, behaviour.nameRule ?? 'subdomain');
    return [...meta, ...finalizerErrors(def, object), ...own];
  }
  return own.length > 0 ? own : metadataErrors(def, object, 'path-segment');
}

type NameRule = NonNullable<KindBehaviour['nameRule']>;

function metadataErrors(def: ResourceDef, object: KubeObject, nameRule: NameRule): FieldError[] {
  return validateObjectMeta(object.metadata, {
    namespaced: def.namespaced,
    nameRule,
    path: 'metadata',
  });
}

/** Groups that live outside Kubernetes' own packages and do without the rules of those. */
const GENERIC_GROUPS = new Set([
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'coordination.k8s.io',
  'node.k8s.io',
]);

function finalizerErrors(def: ResourceDef, { metadata }: KubeObject): FieldError[] {
  return def.builtIn && !GENERIC_GROUPS.has(def.group) ? validateFinalizerNames(metadata) : [];
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
  const meta = metadataErrors(def, next, 'path-segment');
  const changed = validateObjectMetaUpdate(next.metadata, old.metadata, 'metadata');
  const finalizers = finalizerErrors(def, next);
  const errors = [...meta, ...changed];
  for (const check of metadataChecks(def, context.subresource)) {
    errors.push(...(check === 'new' ? meta : changed), ...finalizers);
  }
  if (context.subresource === 'status') {
    return [...errors, ...(behaviour.validateStatusUpdate?.(next, old, context) ?? [])];
  }
  const sub = behaviour.subresources?.[context.subresource];
  if (sub !== undefined) return [...errors, ...sub.validateUpdate(next, old, context)];
  if (behaviour.validateOnUpdate !== false) {
    errors.push(...(behaviour.validate?.(next, context) ?? []));
  }
  return [...errors, ...(behaviour.validateUpdate?.(next, old, context) ?? [])];
}
