export { allKinds } from './all-kinds.ts';
export {
  type ClusterRegistration,
  type ClusterRegistrationSpec,
  type ClusterRegistrationSpecInput,
  type ClusterRegistrationStatus,
  ClusterRegistrations,
  clusterRegistration,
} from './cluster-registration/cluster-registration.ts';
export { clusterRegistrationConditions } from './cluster-registration/conditions.ts';
export { clusterRegistrationPhases } from './cluster-registration/status.ts';
export { conditionSetOf, type ReasonsByType } from './schema/condition-set.ts';
export { crdOf } from './schema/crd.ts';
export { draftOf } from './schema/draft.ts';
export type * from './schema/kind-source.ts';
export type { InputOf, OutputOf, Schema } from './schema/schema.ts';
