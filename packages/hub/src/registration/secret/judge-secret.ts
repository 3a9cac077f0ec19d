import type { Secret } from '@flotilla/client';
import { isSameEndpoint } from '../../cluster-secret/cluster-endpoint.ts';
import {
  CREDENTIAL_TYPE_LABEL,
  OWNER_ANNOTATION,
  OWNER_UID_ANNOTATION,
} from '../../cluster-secret/names.ts';
import { readClusterSecret } from '../../cluster-secret/read-cluster-secret.ts';
import type { SeenRegistration } from '../types.ts';
import type { SecretChanges } from './secret-changes.ts';

/** What a registration may do with the Secret that has its name. */
export type Verdict =
  | { readonly may: 'create' | 'update' | 'adopt' }
  | {
      readonly may: 'nothing';
      readonly reason: 'NameConflict' | 'NotAdoptable';
      readonly message: string;
    };

/** Whose Secret is looked at, and what for. */
export interface Claimant {
  readonly registration: SeenRegistration;
  /** Where the credential leads; undefined where it is the Secret's own. */
  readonly endpoint: string | undefined;
}

/**
 * Decides whether a Secret may be written. The marker of its owner is the lock: a Secret that carries another's uid is
 * never touched, however old it is. Only the registration of the same name may take over from one that was deleted,
 * because while it exists the other cannot.
 */
export function judgeSecret(existing: Secret | undefined, claimant: Claimant): Verdict {
  if (existing === undefined) return { may: 'create' };
  const { registration } = claimant;
  const { metadata } = registration;
  const { annotations = {}, name = '' } = existing.metadata;
  const owner = annotations[OWNER_ANNOTATION];
  const ownerUid = annotations[OWNER_UID_ANNOTATION];
  const ourKey = `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
  if (ownerUid !== undefined) {
    if (ownerUid === metadata.uid || owner === ourKey) return { may: 'update' };
    return {
      may: 'nothing',
      reason: 'NameConflict',
      message: `Cannot register cluster "${name}": ClusterRegistration "${owner ?? 'unknown'}" has that name; choose another spec.clusterName`,
    };
  }
  // Somebody took our marks away, and the Secret is still the one we wrote.
  const known = registration.status?.secretRef;
  if (known?.uid !== undefined && known.uid === existing.metadata.uid) return { may: 'update' };

  const refuse = (why: string): Verdict => ({
    may: 'nothing',
    reason: 'NotAdoptable',
    message: `Cannot adopt Secret "${name}": ${why}`,
  });
  const cluster = readClusterSecret(existing);
  if (cluster === undefined) {
    return refuse(`it is no cluster Secret, as it lacks the label ${CREDENTIAL_TYPE_LABEL}`);
  }
  if (cluster.credentialType === 'Dynamic') {
    return refuse('its credential is a command (Dynamic), which is never run for a registration');
  }
  const controller = existing.metadata.ownerReferences?.find((each) => each.controller === true);
  if (controller !== undefined) {
    return refuse(`it belongs to ${controller.kind} "${controller.name}"`);
  }
  switch (registration.spec.adoptionPolicy) {
    case 'Never':
      return refuse('spec.adoptionPolicy is Never');
    case 'IfUnmanaged':
      return { may: 'adopt' };
    default:
      return isOwnEndpoint(cluster.endpoint, claimant)
        ? { may: 'adopt' }
        : refuse(
            `its endpoint "${cluster.endpoint ?? ''}" is not "${claimant.endpoint ?? ''}"; set spec.adoptionPolicy to IfUnmanaged to take it over`,
          );
  }
}

function isOwnEndpoint(
  endpoint: string | undefined,
  { registration, endpoint: ours }: Claimant,
): boolean {
  if (registration.spec.credentialSource.existingSecret !== undefined) return true;
  return endpoint !== undefined && ours !== undefined && isSameEndpoint(endpoint, ours);
}

/** Whether the data would have to change, and cannot. */
export function isFixed(existing: Secret, { data }: SecretChanges): boolean {
  return existing.immutable === true && data !== undefined;
}
