import { defineKind, type Kind, type KubeObject } from '@flotilla/machinery';
import { rule } from '../schema/builders.ts';
import { describeKind } from '../schema/kind-source.ts';
import type { InputOf, OutputOf } from '../schema/schema.ts';
import { clusterRegistrationConditions, inventoryConditions } from './conditions.ts';
import { clusterRegistrationExamples } from './examples.ts';
import { clusterRegistrationSpec } from './spec.ts';
import { clusterRegistrationStatus } from './status.ts';

/** Everything about the kind, from which its types, its CRD and its page come. */
export const clusterRegistration = describeKind({
  group: 'multicluster.oam.dev',
  version: 'v1alpha1',
  kind: 'ClusterRegistration',
  plural: 'clusterregistrations',
  singular: 'clusterregistration',
  shortNames: ['creg'],
  categories: ['fleet'],
  namespaced: true,
  description:
    'Joins one member cluster to the hub and keeps it joined: from a credential somewhere to the cluster Secret that cluster-gateway and KubeVela read.',
  spec: clusterRegistrationSpec,
  status: clusterRegistrationStatus,
  rules: [
    rule(
      "has(self.spec.clusterName) || (self.metadata.name.size() <= 63 && self.metadata.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$') && self.metadata.name != 'local')",
      'spec.clusterName must be given where metadata.name cannot name a member: a DNS label of at most 63 characters other than "local"',
    ),
  ],
  columns: [
    {
      name: 'Cluster',
      type: 'string',
      jsonPath: '.status.registeredName',
      description: 'Name of the member in the fleet',
    },
    { name: 'Phase', type: 'string', jsonPath: '.status.phase', description: 'Summary' },
    {
      name: 'Reachable',
      type: 'string',
      jsonPath: '.status.conditions[?(@.type=="APIServerReachable")].status',
      description: 'Whether the API server of the member answers',
    },
    {
      name: 'Version',
      type: 'string',
      jsonPath: '.status.clusterInfo.version.gitVersion',
      description: 'Kubernetes version of the member',
    },
    {
      name: 'Type',
      type: 'string',
      jsonPath: '.status.clusterInfo.credentialType',
      description: 'Kind of credential',
    },
    {
      name: 'Endpoint',
      type: 'string',
      jsonPath: '.status.clusterInfo.endpoint',
      wide: true,
      description: 'URL of the member',
    },
    {
      name: 'Expires',
      type: 'date',
      jsonPath: '.status.credential.expiresAt',
      wide: true,
      description: 'When the credential ends',
    },
    {
      name: 'Age',
      type: 'date',
      jsonPath: '.metadata.creationTimestamp',
      description: 'Time since it was created',
    },
  ],
  conditions: { ...clusterRegistrationConditions, ...inventoryConditions },
  examples: clusterRegistrationExamples,
});

/** The wanted registration, with every default filled in. */
export type ClusterRegistrationSpec = OutputOf<typeof clusterRegistrationSpec>;

/** The wanted registration as users write it. */
export type ClusterRegistrationSpecInput = InputOf<typeof clusterRegistrationSpec>;

/** What was found and done. */
export type ClusterRegistrationStatus = OutputOf<typeof clusterRegistrationStatus>;

/** Joins one member cluster to the hub; as the server stores it. */
export interface ClusterRegistration extends KubeObject {
  spec: ClusterRegistrationSpec;
  status?: ClusterRegistrationStatus;
}

/** Where ClusterRegistrations are served. */
export const ClusterRegistrations: Kind<ClusterRegistration> = defineKind<ClusterRegistration>(
  servedAt(clusterRegistration),
);

function servedAt({
  group,
  version,
  kind,
  plural,
  namespaced,
}: Omit<Kind, 'of'>): Omit<Kind, 'of'> {
  return { group, version, kind, plural, namespaced };
}
