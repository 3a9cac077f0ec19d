import type { ClusterRegistration } from '@flotilla/api';
import type { Pass } from '@flotilla/runtime';
import type { registrationConditions } from './conditions.ts';

/** One look at one registration. */
export type RegistrationPass = Pass<ClusterRegistration, typeof registrationConditions>;

/** A registration that is only read. */
export type SeenRegistration = RegistrationPass['observed'];

/** The status of a registration while a pass writes it. */
export type DraftStatus = NonNullable<ClusterRegistration['status']>;

/** Kept until everything on the hub that belongs to a registration is gone. */
export const REGISTRATION_FINALIZER = 'multicluster.oam.dev/cluster-registration';

/** `true` renames a cluster although Applications or ResourceTrackers name it. */
export const FORCE_RENAME_ANNOTATION = 'multicluster.oam.dev/force-rename';

/** `true` detaches a cluster although something of it is left on the hub. */
export const FORCE_DETACH_ANNOTATION = 'multicluster.oam.dev/force-detach';

/** Any change of it calls for a pass, which reads the source again; the status says which one was answered last. */
export const REQUESTED_AT_ANNOTATION = 'multicluster.oam.dev/requested-at';

/** The name that a registration wants its cluster to have. */
export function wantedName({
  metadata,
  spec,
}: {
  readonly metadata: { readonly name?: string };
  readonly spec: { readonly clusterName?: string };
}): string {
  return spec.clusterName ?? metadata.name ?? '';
}

/** The status of a pass, there even on a new object. */
export function statusOf(pass: RegistrationPass): DraftStatus {
  // A pass has a status to write to, whatever the server sent.
  return pass.object.status as DraftStatus;
}
