import type { KubeObject } from '@flotilla/machinery';
import { type FieldError, validateObjectMeta, validateObjectMetaUpdate } from '@flotilla/machinery';
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
    ...(behaviour.validate?.(object, context) ?? []),
  ];
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
  const errors = [...meta, ...changed, ...changed];
  if (context.subresource === 'status') {
    return [...errors, ...(behaviour.validateStatusUpdate?.(next, old, context) ?? [])];
  }
  const sub = behaviour.subresources?.[context.subresource];
  if (sub !== undefined) return [...errors, ...sub.validateUpdate(next, old, context)];
  if (behaviour.validateOnUpdate !== false) {
    errors.push(...meta, ...(behaviour.validate?.(next, context) ?? []));
  }
  return [...errors, ...(behaviour.validateUpdate?.(next, old, context) ?? [])];
}
