import { test } from 'node:test';
import { kindTester } from '../core/kind-tester.cases.ts';

const subject = kindTester('authorization.k8s.io/v1/SubjectAccessReview');
const self = kindTester('authorization.k8s.io/v1/SelfSubjectAccessReview');
const local = kindTester('authorization.k8s.io/v1/LocalSubjectAccessReview');
const tokens = kindTester('authentication.k8s.io/v1/TokenRequest');
const unnamed = { name: '', namespace: '' };

const neither =
  'spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified';
const both =
  'spec.nonResourceAttributes: Invalid value: {"Path":"/x","Verb":""}: cannot be specified in combination with resourceAttributes';

test('a review asks about one thing, and about someone', () => {
  subject.refuses([
    [{ metadata: unnamed, spec: { user: 'a', resourceAttributes: {} } }, []],
    [
      { metadata: unnamed, spec: {} },
      [neither, 'spec.user: Invalid value: "": at least one of user or group must be specified'],
    ],
    [
      {
        metadata: unnamed,
        spec: { groups: ['g'], resourceAttributes: {}, nonResourceAttributes: { path: '/x' } },
      },
      [both],
    ],
  ]);
  self.refuses([
    [{ metadata: unnamed, spec: {} }, [neither]],
    [{ metadata: unnamed, spec: { nonResourceAttributes: { path: '/x' } } }, []],
  ]);
});

test('selectors are given raw or in parts', () => {
  const path = 'spec.resourceAttributes';
  subject.refuses([
    [
      {
        metadata: unnamed,
        spec: {
          user: 'a',
          resourceAttributes: {
            fieldSelector: {},
            labelSelector: { rawSelector: 'a', requirements: [{ key: 'a', operator: 'In' }] },
          },
        },
      },
      [
        `${path}.fieldSelector.requirements: Required value: when ${path}.fieldSelector is specified, requirements or rawSelector is required`,
        `${path}.labelSelector.rawSelector: Invalid value: "a": may not specified at the same time as requirements`,
        `${path}.labelSelector.requirements[0].values: Required value: must be specified when \`operator\` is 'In' or 'NotIn'`,
      ],
    ],
    [
      {
        metadata: unnamed,
        spec: {
          user: 'a',
          resourceAttributes: { fieldSelector: { requirements: [{ key: '', operator: 'Newer' }] } },
        },
      },
      [`${path}.fieldSelector.requirements[0].key: Required value: must be specified`],
    ],
  ]);
});

test('a review has no metadata, a local one nothing but the namespace it asks about', () => {
  self.refuses([
    [
      { metadata: { name: 'x', namespace: '' }, spec: { resourceAttributes: {} } },
      [
        'metadata: Invalid value: {"name":"x","creationTimestamp":"2026-01-02T03:04:05Z"}: must be empty',
      ],
    ],
  ]);
  local.refuses([
    [
      {
        metadata: { name: '', namespace: 'default' },
        spec: { user: 'a', resourceAttributes: { namespace: 'default' } },
      },
      [],
    ],
    [
      {
        metadata: { name: '', namespace: 'default' },
        spec: { user: 'a', resourceAttributes: { namespace: 'other' } },
      },
      ['spec.resourceAttributes.namespace: Invalid value: "other": must match metadata.namespace'],
    ],
    [
      {
        metadata: { name: '', namespace: 'default' },
        spec: { user: 'a', nonResourceAttributes: {} },
      },
      [
        'spec.nonResourceAttributes: Invalid value: {"Path":"","Verb":""}: disallowed on this kind of request',
      ],
    ],
  ]);
});

test('a token lives for an hour unless asked for otherwise, and for ten minutes at least', () => {
  tokens.refuses([
    [{ spec: {} }, []],
    [
      { spec: { expirationSeconds: 599 } },
      [
        'spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
      ],
    ],
    [
      { spec: { expirationSeconds: 4294967297 } },
      [
        'spec.expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds',
      ],
    ],
  ]);
});
