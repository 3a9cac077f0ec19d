import { integer, listByKey, object, oneOf, optional, text, time } from '../schema/builders.ts';
import { accessProviders } from './access-providers.ts';

/** As upstream has them: with patterns, which our own kinds do without. */
const conditions = listByKey(
  'What is known about the cluster, one entry per aspect.',
  'type',
  object('One aspect of the state.', {
    type: text('The aspect, in CamelCase.', {
      maxLength: 316,
      pattern:
        '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
    }),
    status: oneOf('Whether it holds.', ['True', 'False', 'Unknown']),
    reason: text('Why, in one word for programs.', {
      minLength: 1,
      maxLength: 1024,
      pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
    }),
    message: text('Why, in a sentence for people.', { maxLength: 32_768 }),
    lastTransitionTime: time('When the status last changed.'),
    observedGeneration: optional(
      integer('The generation of the profile that this was said about.', {
        minimum: 0,
        wide: true,
      }),
    ),
  }),
);

const properties = listByKey(
  'Whatever else is known about the cluster: what its own ClusterProperties say, and what its manager adds.',
  'name',
  object('One thing that is known.', {
    name: text('What it is.', { minLength: 1, maxLength: 253 }),
    value: text('What it says.', { minLength: 1, maxLength: 1024 }),
    lastObservedTime: optional(time('When it was last seen on the cluster.')),
  }),
);

/** The observed state of a cluster. */
export const clusterProfileStatus = object('What is known about the cluster.', {
  conditions: optional(conditions),
  version: optional(
    object('What it runs.', { kubernetes: optional(text('Its Kubernetes version.')) }),
  ),
  properties: optional(properties),
  accessProviders: optional(
    accessProviders('Ways to reach the cluster, each with a kind of credential that opens it.'),
  ),
  credentialProviders: optional(
    accessProviders(
      'The former name of accessProviders, which count where both have one of a name.',
    ),
  ),
});
