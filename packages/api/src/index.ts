export { allKinds } from './all-kinds.ts';
export {
  type ClusterProfile,
  type ClusterProfileSpec,
  type ClusterProfileStatus,
  ClusterProfiles,
  clusterProfile,
} from './cluster-profile/cluster-profile.ts';
export { clusterProfileConditions } from './cluster-profile/conditions.ts';
export {
  type ClusterRegistration,
  type ClusterRegistrationSpec,
  type ClusterRegistrationSpecInput,
  type ClusterRegistrationStatus,
  ClusterRegistrations,
  clusterRegistration,
} from './cluster-registration/cluster-registration.ts';
export {
  clusterRegistrationConditions,
  inventoryConditions,
} from './cluster-registration/conditions.ts';
export { clusterRegistrationPhases } from './cluster-registration/status.ts';
export { conditionSetOf, type ReasonsByType } from './schema/condition-set.ts';
export { crdOf } from './schema/crd.ts';
export { draftOf } from './schema/draft.ts';
export type * from './schema/kind-source.ts';
export type { InputOf, OutputOf, Schema } from './schema/schema.ts';
