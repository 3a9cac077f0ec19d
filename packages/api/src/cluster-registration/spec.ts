import {
  defaulted,
  flag,
  integer,
  mapOf,
  object,
  oneOf,
  optional,
  rule,
  text,
} from '../schema/builders.ts';
import { credentialSource } from './credential-source.ts';

const DURATION = '^([0-9]+([.][0-9]+)?(ms|s|m|h))+$';

/** A Go duration within bounds; the pattern comes first, because `duration()` fails on what is none. */
const duration = (description: string, holds: string, bounds: string) =>
  text(description, {
    maxLength: 32,
    rules: [rule(`self.matches('${DURATION}') && (${holds})`, `must be a duration ${bounds}`)],
  });

const config = object('How the member is registered and watched.', {
  createNamespace: defaulted(
    text('Namespace to create on the member; empty for none.', {
      maxLength: 63,
      rules: [
        rule(
          "self.matches('^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$')",
          'must be the name of a namespace (lower-case letters, digits and "-"), or empty for none',
        ),
      ],
    }),
    'vela-system',
  ),
  inClusterBootstrap: defaulted(
    flag(
      'Engine ocm only: the agent registers at the address the hub has inside its own cluster. Has no effect with cluster-gateway.',
    ),
    false,
  ),
  connectionTimeout: defaulted(
    duration(
      'Longest wait for one answer of the member.',
      "duration(self) >= duration('1s') && duration(self) <= duration('5m')",
      'between 1s and 5m, such as 30s',
    ),
    '30s',
  ),
  validateCredentials: defaulted(
    flag('Try the credential before it is registered. The heartbeat tries it in any case.'),
    true,
  ),
  heartbeatInterval: defaulted(
    duration(
      'Time between two looks at the member; 0s for none.',
      "duration(self) == duration('0s') || (duration(self) >= duration('10s') && duration(self) <= duration('24h'))",
      'between 10s and 24h, such as 5m, or 0s for no heartbeat',
    ),
    '5m',
  ),
  failureThreshold: defaulted(
    integer('Heartbeats that fail in a row before the phase is Degraded.', {
      minimum: 1,
      maximum: 1000,
    }),
    3,
  ),
  refreshApplications: defaulted(
    oneOf(
      'Which Applications of KubeVela are refreshed when the member joins: those whose label selector matches it, all that have one, or none.',
      ['Matching', 'All', 'None'],
    ),
    'Matching',
  ),
});

const labels = mapOf(
  'Labels of the member, by which Applications and people select it.',
  text('Value of the label.', {
    maxLength: 63,
    rules: [
      rule(
        "self.matches('^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$')",
        'must be a label value: letters, digits, "-", "_" and ".", with a letter or digit at both ends',
      ),
    ],
  }),
  {
    maxProperties: 64,
    rules: [
      rule(
        'self.all(key, !format.qualifiedName().validate(key).hasValue())',
        'must have label keys such as region or example.com/region',
      ),
      rule(
        "self.all(key, !['cluster.core.oam.dev/', 'multicluster.oam.dev/', 'kubernetes.io/', 'k8s.io/'].exists(prefix, key.startsWith(prefix)))",
        'must not have keys that begin with cluster.core.oam.dev/, multicluster.oam.dev/, kubernetes.io/ or k8s.io/',
      ),
    ],
  },
);

/** The wanted state of a ClusterRegistration. */
export const clusterRegistrationSpec = object(
  'The wanted registration.',
  {
    clusterName: optional(
      text(
        "Name of the member in the fleet; the registration's own name when left out. A change renames the member.",
        {
          minLength: 1,
          maxLength: 63,
          rules: [
            rule(
              "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
              'must be a DNS label: lower-case letters, digits and "-", with a letter or digit at both ends',
            ),
            rule("self != 'local'", 'must not be "local": that is the hub itself'),
          ],
        },
      ),
    ),
    alias: optional(
      text('Name of the member for people.', {
        maxLength: 256,
        rules: [rule("!self.matches('[\\\\r\\\\n]')", 'must be a single line')],
      }),
    ),
    credentialSource,
    engine: defaulted(
      oneOf(
        'What connects the hub with the member. Cannot be changed.',
        ['cluster-gateway', 'ocm'],
        { rules: [rule('self == oldSelf', 'cannot be changed: register the cluster anew')] },
      ),
      'cluster-gateway',
    ),
    config: defaulted(config, {}),
    adoptionPolicy: defaulted(
      oneOf(
        'Which existing cluster Secret without an owner may be taken over: one with the same endpoint, any, or none.',
        ['IfSameEndpoint', 'IfUnmanaged', 'Never'],
      ),
      'IfSameEndpoint',
    ),
    deletionPolicy: defaulted(
      oneOf(
        'What deleting the registration does: Detach deletes the cluster Secret, Orphan leaves it to others.',
        ['Detach', 'Orphan'],
      ),
      'Detach',
    ),
    labels: optional(labels),
    suspend: defaulted(
      flag('Stop writing and looking. Deletion goes on; deletionPolicy Orphan keeps the cluster.'),
      false,
    ),
  },
  {
    rules: [
      rule(
        "!has(self.credentialSource.existingSecret) || self.adoptionPolicy != 'Never'",
        'must allow adoption when credentialSource is existingSecret',
        { fieldPath: '.adoptionPolicy' },
      ),
    ],
  },
);
