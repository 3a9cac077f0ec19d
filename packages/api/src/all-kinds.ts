import { clusterProfile } from './cluster-profile/cluster-profile.ts';
import { clusterRegistration } from './cluster-registration/cluster-registration.ts';
import type { KindSource } from './schema/kind-source.ts';

/** Every kind of which we have a CRD, in the order in which they are installed. */
export const allKinds: readonly KindSource[] = [clusterRegistration, clusterProfile];
