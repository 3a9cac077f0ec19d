import { integer, mapOf, object, oneOf, optional, text, time } from '../schema/builders.ts';
import { conditions } from '../schema/conditions.ts';

/** Every phase, in the order of a life. */
export const clusterRegistrationPhases = [
  'Pending',
  'Progressing',
  'Ready',
  'Degraded',
  'Failed',
  'Deleting',
] as const;

const clusterInfo = object('What the member is.', {
  version: optional(
    object('Its Kubernetes version.', {
      major: optional(text('Major version.')),
      minor: optional(text('Minor version.')),
      gitVersion: optional(text('Whole version, such as v1.34.4.')),
      platform: optional(text('Operating system and architecture.')),
    }),
  ),
  endpoint: optional(text('Its URL as registered.')),
  credentialType: optional(
    oneOf('The kind of credential as registered.', ['ServiceAccountToken', 'X509Certificate']),
  ),
  clusterID: optional(
    text('The uid of its namespace kube-system, by which clusters are told apart.'),
  ),
  authenticatedAs: optional(text('The user that the credential stands for there.')),
  providerID: optional(
    text('The providerID of one of its nodes, by which clouds are recognised.', { maxLength: 256 }),
  ),
});

const credential = object('The credential as registered, without any part of it.', {
  source: optional(text('Where it came from.')),
  sourceResourceVersion: optional(text('resourceVersion of that source when it was read.')),
  revision: optional(text('A short digest that changes with the credential.')),
  appliedAt: optional(time('When it was registered.')),
  expiresAt: optional(time('When it ends, where that is known.')),
  nextRefresh: optional(time('When the source is read again at the latest.')),
});

/** The observed state of a ClusterRegistration. */
export const clusterRegistrationStatus = object('What was found and done.', {
  phase: optional(oneOf('A summary of the conditions.', clusterRegistrationPhases)),
  conditions: optional(conditions),
  clusterInfo: optional(clusterInfo),
  observedGeneration: optional(
    integer('The generation of the spec that this status is about.', { minimum: 0, wide: true }),
  ),
  lastReconcileTime: optional(time('When the registration was last worked on.')),
  lastHeartbeatTime: optional(time('When the member was last looked at.')),
  lastHandledRequest: optional(
    text('The value of annotation multicluster.oam.dev/requested-at when this was found.', {
      maxLength: 64,
    }),
  ),
  message: optional(text('What is wrong, where something is.', { maxLength: 1024 })),
  registeredName: optional(
    text(
      'The name under which the member is registered now; differs from the spec during a rename.',
    ),
  ),
  secretRef: optional(
    object('The cluster Secret.', {
      namespace: text('Its namespace.'),
      name: text('Its name.'),
      uid: optional(text('Its uid.')),
    }),
  ),
  credential: optional(credential),
  consecutiveFailures: optional(
    integer('Heartbeats that failed since the last that did not.', { minimum: 0 }),
  ),
  applications: optional(
    object('The last refresh of Applications.', {
      lastRefreshToken: optional(text('Identifies what caused it.')),
      matched: optional(integer('How many were concerned.', { minimum: 0 })),
      updated: optional(integer('How many were refreshed.', { minimum: 0 })),
      failed: optional(integer('How many could not be refreshed.', { minimum: 0 })),
      labels: optional(
        mapOf(
          'Labels of the member as Applications saw them then.',
          text('Value of the label.', { maxLength: 63 }),
          { maxProperties: 256 },
        ),
      ),
    }),
  ),
});
