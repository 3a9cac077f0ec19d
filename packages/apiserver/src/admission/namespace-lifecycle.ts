import { forbiddenError, notFound, StatusError } from '@flotilla/machinery';
import type { Admission, Engine } from '../objects/engine.ts';
import { findStored } from '../objects/stored.ts';
import { groupResource, type ResourceDef } from '../resources/resource.ts';

const IMMORTAL = new Set(['default', 'kube-system', 'kube-public']);
/** Asking whether one may do something is no change to the namespace. */
const REVIEWS = new Set(['localsubjectaccessreviews']);

/** Nothing is created in a namespace that is missing or on its way out, and three of them stay for good. */
export function namespaceLifecycle(
  engine: Engine,
  namespaces: ResourceDef,
  { def, operation, namespace, name, tenant }: Admission,
): void {
  if (operation === 'DELETE') {
    if (def.group === '' && def.resource === 'namespaces' && IMMORTAL.has(name)) {
      throw forbiddenError(groupResource(def), name, 'this namespace may not be deleted');
    }
    return;
  }
  if (operation !== 'CREATE' || !def.namespaced || REVIEWS.has(def.resource)) return;
  const parent = findStored(engine, { tenant, def: namespaces, namespace: '', name: namespace });
  if (parent === undefined) throw notFound({ group: '', resource: 'namespaces' }, namespace);
  if (parent.object.metadata.deletionTimestamp === undefined) return;
  const refusal = forbiddenError(
    groupResource(def),
    name,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
  );
  throw new StatusError(refusal.code, refusal.reason, refusal.message, {
    ...refusal.details,
    causes: [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  });
}
