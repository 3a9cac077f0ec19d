import { forbiddenError, notFound, StatusError } from '@flotilla/machinery';
import type { Admission } from '../objects/engine.ts';
import { groupResource, type ResourceDef } from '../resources/resource.ts';
import type { NamespaceIndex } from './namespace-index.ts';

const IMMORTAL = new Set(['default', 'kube-system', 'kube-public']);
/** Asking whether one may do something is no change to the namespace. */
const REVIEWS = new Set(['localsubjectaccessreviews']);

/** Nothing is created in a namespace that is missing or on its way out, and three of them stay for good. */
export function namespaceLifecycle(
  namespaces: NamespaceIndex,
  { def, operation, namespace, name, tenant }: Admission,
): void {
  if (operation === 'DELETE') {
    if (def.group === '' && def.resource === 'namespaces' && IMMORTAL.has(name)) {
      throw forbiddenError(groupResource(def), name, 'this namespace may not be deleted');
    }
    return;
  }
  if (operation !== 'CREATE' || !def.namespaced || REVIEWS.has(def.resource)) return;
  switch (namespaces.state(tenant, namespace)) {
    case 'active':
      return;
    case 'missing':
      throw notFound({ group: '', resource: 'namespaces' }, namespace);
    case 'terminating':
      throw terminating(def, namespace, name);
  }
}

function terminating(def: ResourceDef, namespace: string, name: string): StatusError {
  const refusal = forbiddenError(
    groupResource(def),
    name,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
  );
  return new StatusError(refusal.code, refusal.reason, refusal.message, {
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
