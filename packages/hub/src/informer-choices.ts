import type { ClusterRegistration } from '@flotilla/api';
import { type InformerChoice, type Secret, withoutManagedFields } from '@flotilla/client';
import { CREDENTIAL_TYPE_LABEL } from './cluster-secret/names.ts';

// What several controllers of a hub look at. Who asks with the same choice shares a watch and a copy of each object.

/** How the registrations of a hub are watched. */
export const registrationChoice: InformerChoice<ClusterRegistration> = {
  transform: withoutManagedFields,
};

/** Which Secrets of the hub are watched: those that gateways take for clusters. */
export function clusterSecretChoice(namespace: string): InformerChoice<Secret> {
  return {
    selection: { namespace, labelSelector: CREDENTIAL_TYPE_LABEL },
    transform: withoutManagedFields,
  };
}
