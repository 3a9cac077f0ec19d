import { defineKind, type Kind, type KubeObject } from '@flotilla/machinery';
import { object, optional, rule, text } from '../schema/builders.ts';
import { describeKind } from '../schema/kind-source.ts';
import type { OutputOf } from '../schema/schema.ts';
import { clusterProfileConditions } from './conditions.ts';
import { clusterProfileExamples } from './examples.ts';
import { clusterProfileStatus } from './status.ts';

const clusterProfileSpec = object('Who the cluster is.', {
  displayName: optional(text('Its name for people.')),
  clusterManager: object(
    'Who keeps the profile. Cannot be changed.',
    { name: text('Name of the manager; also in the label x-k8s.io/cluster-manager.') },
    { rules: [rule('self == oldSelf', 'ClusterManager is immutable')] },
  ),
});

/**
 * The kind of SIG-Multicluster's Cluster Inventory API, field for field and refusal for refusal as its own CRD has it,
 * in our own words. On a hub that has their CRD, theirs counts; ours is for hubs that have none.
 */
export const clusterProfile = describeKind({
  group: 'multicluster.x-k8s.io',
  version: 'v1alpha1',
  kind: 'ClusterProfile',
  plural: 'clusterprofiles',
  singular: 'clusterprofile',
  shortNames: [],
  categories: [],
  namespaced: true,
  description:
    'One cluster of the fleet in the standard inventory, which kubectl mc and other consumers read. It holds no credential.',
  spec: clusterProfileSpec,
  status: clusterProfileStatus,
  rules: [],
  columns: [],
  conditions: clusterProfileConditions,
  examples: clusterProfileExamples,
  upstream: 'SIG-Multicluster',
});

/** Who the cluster is. */
export type ClusterProfileSpec = OutputOf<typeof clusterProfileSpec>;

/** What is known about the cluster. */
export type ClusterProfileStatus = OutputOf<typeof clusterProfileStatus>;

/** One cluster of the fleet in the standard inventory; as the server stores it. */
export interface ClusterProfile extends KubeObject {
  spec: ClusterProfileSpec;
  status?: ClusterProfileStatus;
}

/** Where ClusterProfiles are served. */
export const ClusterProfiles: Kind<ClusterProfile> = defineKind<ClusterProfile>({
  group: clusterProfile.group,
  version: clusterProfile.version,
  kind: clusterProfile.kind,
  plural: clusterProfile.plural,
  namespaced: clusterProfile.namespaced,
});
