// What is asked of both servers, and how the webhook answers.
import { patchOf } from '../../packages/apiserver/src/testing/start-webhook.ts';
import { addLabel, patches, responses } from './answers.ts';
import { customScenes } from './custom-scenes.ts';
import { apply, del, get, merge, post, put, type Scene } from './scene.ts';

const configMaps = { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] };
const maps = '/api/v1/namespaces/{ns}/configmaps';

const configMap = (name: string, more: object = {}) => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name },
  ...more,
});

const container = { name: 'c', image: 'i' };
const pod = (name: string) => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name },
  spec: { containers: [container], automountServiceAccountToken: false },
});

const deployment = (name: string) => ({
  kind: 'Deployment',
  apiVersion: 'apps/v1',
  metadata: { name },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'x' } },
    template: { metadata: { labels: { app: 'x' } }, spec: { containers: [container] } },
  },
});

const autoscaler = {
  kind: 'HorizontalPodAutoscaler',
  apiVersion: 'autoscaling/v2',
  metadata: { name: 'a' },
  spec: {
    scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' },
    maxReplicas: 3,
  },
};

const event = {
  kind: 'Event',
  apiVersion: 'v1',
  metadata: { name: 'e' },
  involvedObject: { kind: 'Pod', name: 'p', namespace: '{ns}' },
  reason: 'Because',
  message: 'm',
  type: 'Normal',
};

const everything = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] };

/** All of them, in the order they are played. */
export const scenes: readonly Scene[] = [
  ...Object.entries(responses).map(
    ([name, answer]): Scene => ({
      name: `answer-${name}`,
      kind: 'Validating',
      rule: { ...configMaps, operations: ['CREATE'] },
      hook: { timeoutSeconds: name === 'never-answers' ? 1 : 10 },
      answer,
      requests: [post(maps, configMap('a'))],
    }),
  ),
  ...Object.entries(responses)
    .filter(([name]) => /no-json|closes|other-uid|message/.test(name))
    .map(
      ([name, answer]): Scene => ({
        name: `ignored-${name}`,
        kind: 'Validating',
        rule: { ...configMaps, operations: ['CREATE'] },
        hook: { failurePolicy: 'Ignore' },
        answer,
        requests: [post(maps, configMap('a'))],
      }),
    ),
  ...Object.entries(patches).map(
    ([name, answer]): Scene => ({
      name: `patch-${name}`,
      kind: 'Mutating',
      rule: { ...configMaps, operations: ['CREATE'] },
      answer,
      requests: [
        post(maps, configMap('a', { data: { k: 'v' } })),
        // Nobody owns the last one's object, so it may be gone by now.
        ...(name === 'repeated-owners' ? [] : [get(`${maps}/a`)]),
      ],
    }),
  ),
  ...(['Mutating', 'Validating'] as const).map(
    (kind): Scene => ({
      name: `sees-${kind.toLowerCase()}`,
      kind,
      rule: everything,
      before: [post('/api/v1/namespaces/{ns}/pods', pod('bound'))],
      requests: [
        post(`${maps}?fieldManager=me&fieldValidation=Strict`, configMap('a')),
        post(`${maps}?dryRun=All`, configMap('dry')),
        post(maps, { kind: 'ConfigMap', apiVersion: 'v1', metadata: { generateName: 'g-' } }),
        put(`${maps}/a`, configMap('a', { data: { k: 'v' } })),
        put(`${maps}/none`, configMap('none')),
        merge(`${maps}/a?fieldManager=me&force=false`, { data: { k: 'w' } }),
        merge(`${maps}/a`, { data: { k: 'w' } }),
        del(`${maps}/a?gracePeriodSeconds=5&propagationPolicy=Background`),
        { method: 'DELETE', path: `${maps}/none` },
        post(maps, configMap('b')),
        put(`${maps}/b`, { ...configMap('b'), metadata: { name: 'b', resourceVersion: '1' } }),
        put(`${maps}/b`, { ...configMap('b'), metadata: { name: 'b', uid: 'other' } }),
        del(`${maps}?labelSelector=none`),
        apply(`${maps}/applied?fieldManager=me`, configMap('applied', { data: { k: 'v' } })),
        apply(
          `${maps}/applied?fieldManager=me&force=true`,
          configMap('applied', { data: { k: 'w' } }),
        ),
        apply(`${maps}/applied?fieldManager=me&dryRun=All`, configMap('applied')),
        del(`${maps}?fieldSelector=metadata.name=applied`),
        post('/api/v1/namespaces/{ns}/pods', pod('gone')),
        del('/api/v1/namespaces/{ns}/pods/gone'),
        post(maps, { ...configMap('held'), metadata: { name: 'held', finalizers: ['a.b/c'] } }),
        del(`${maps}/held`),
        del(`${maps}/held`),
        merge(`${maps}/held`, { metadata: { finalizers: null } }),
        post('/apis/apps/v1/namespaces/{ns}/deployments', deployment('d')),
        merge('/apis/apps/v1/namespaces/{ns}/deployments/d/status', { status: { replicas: 1 } }),
        merge('/apis/apps/v1/namespaces/{ns}/deployments/d/scale', { spec: { replicas: 2 } }),
        put('/apis/apps/v1/namespaces/{ns}/deployments/d/scale', {
          kind: 'Scale',
          apiVersion: 'autoscaling/v1',
          metadata: { name: 'd' },
          spec: { replicas: 3 },
        }),
        { method: 'POST', path: '/api/v1/namespaces/{ns}/pods/bound/exec?command=ls&stdout=true' },
        { method: 'POST', path: '/api/v1/namespaces/{ns}/pods/bound/portforward?ports=80' },
        { method: 'GET', path: '/api/v1/namespaces/{ns}/pods/bound/proxy/some/path' },
        post('/api/v1/namespaces/{ns}/pods/bound/binding', {
          kind: 'Binding',
          apiVersion: 'v1',
          metadata: { name: 'bound' },
          target: { kind: 'Node', name: 'n' },
        }),
        post('/api/v1/namespaces/{ns}/pods/bound/eviction', {
          kind: 'Eviction',
          apiVersion: 'policy/v1',
          metadata: { name: 'bound' },
          deleteOptions: { gracePeriodSeconds: 0 },
        }),
        post('/api/v1/namespaces/{ns}/serviceaccounts/default/token', {
          kind: 'TokenRequest',
          apiVersion: 'authentication.k8s.io/v1',
          spec: { audiences: ['a'] },
        }),
        post('/apis/authorization.k8s.io/v1/namespaces/{ns}/localsubjectaccessreviews', {
          kind: 'LocalSubjectAccessReview',
          apiVersion: 'authorization.k8s.io/v1',
          metadata: { namespace: '{ns}' },
          spec: {
            user: 'u',
            resourceAttributes: { namespace: '{ns}', verb: 'get', resource: 'pods' },
          },
        }),
        put('/apis/coordination.k8s.io/v1/namespaces/{ns}/leases/l', {
          kind: 'Lease',
          apiVersion: 'coordination.k8s.io/v1',
          metadata: { name: 'l' },
          spec: { holderIdentity: 'me' },
        }),
        merge('/api/v1/namespaces/{ns}', { metadata: { labels: { more: 'yes' } } }),
        merge('/api/v1/namespaces/{ns}/status', { status: { phase: 'Active' } }),
      ],
    }),
  ),
  ...customScenes,
  {
    name: 'namespaced-only',
    kind: 'Validating',
    rule: { ...everything, scope: 'Namespaced' },
    answer: () => ({ allowed: false }),
    requests: [
      post(maps, configMap('a')),
      merge('/api/v1/namespaces/{ns}', { metadata: { labels: { more: 'yes' } } }),
    ],
  },
  {
    name: 'cluster-only',
    kind: 'Validating',
    rule: { ...everything, scope: 'Cluster' },
    answer: () => ({ allowed: false }),
    requests: [
      post(maps, configMap('a')),
      merge('/api/v1/namespaces/{ns}', { metadata: { labels: { more: 'yes' } } }),
    ],
  },
  ...(['Equivalent', 'Exact'] as const).flatMap((matchPolicy): Scene[] => [
    {
      name: `${matchPolicy.toLowerCase()}-autoscaler`,
      kind: 'Mutating',
      rule: {
        operations: ['*'],
        apiGroups: ['autoscaling'],
        apiVersions: ['v1'],
        resources: ['horizontalpodautoscalers'],
      },
      hook: { matchPolicy },
      answer: ({ review }) => ({
        allowed: true,
        ...(review.request['operation'] === 'CREATE'
          ? patchOf([{ op: 'replace', path: '/spec/maxReplicas', value: 7 }])
          : {}),
      }),
      requests: [
        post('/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers', autoscaler),
        merge('/apis/autoscaling/v1/namespaces/{ns}/horizontalpodautoscalers/a', {
          spec: { minReplicas: 2 },
        }),
      ],
    },
    {
      name: `${matchPolicy.toLowerCase()}-event`,
      kind: 'Validating',
      rule: {
        operations: ['*'],
        apiGroups: ['events.k8s.io'],
        apiVersions: ['v1'],
        resources: ['events'],
      },
      hook: { matchPolicy },
      requests: [post('/api/v1/namespaces/{ns}/events', event)],
    },
  ]),
  ...Object.entries({
    holds: "request.name == 'a'",
    'does-not-hold': "object.metadata.name != 'a'",
    fails: "object.data.x == 'y'",
    authorizer: "authorizer.group('').resource('secrets').check('get').allowed()",
    'request-resource': "!authorizer.requestResource.check('create').allowed()",
    'namespace-object': 'namespaceObject == null',
  }).flatMap(([name, expression]) =>
    (['Mutating', 'Validating'] as const).flatMap((kind) =>
      ['Fail', 'Ignore'].map(
        (failurePolicy): Scene => ({
          name: `condition-${name}-${kind.toLowerCase()}-${failurePolicy.toLowerCase()}`,
          kind,
          rule: { ...configMaps, operations: ['CREATE'] },
          hook: { failurePolicy, matchConditions: [{ name: 'one', expression }] },
          answer: () => ({ allowed: false, status: { message: 'asked' } }),
          requests: [post(maps, configMap('a'))],
        }),
      ),
    ),
  ),
  ...(['Never', 'IfNeeded'] as const).map(
    (reinvocationPolicy): Scene => ({
      name: `reinvocation-${reinvocationPolicy.toLowerCase()}`,
      kind: 'Mutating',
      rule: { ...configMaps, operations: ['CREATE'] },
      hook: { reinvocationPolicy },
      answer: addLabel('first'),
      others: [
        { name: 'second', hook: { reinvocationPolicy }, answer: addLabel('second') },
        { name: 'third', hook: { reinvocationPolicy }, answer: () => ({ allowed: true }) },
        { name: 'fourth', answer: addLabel('fourth') },
      ],
      requests: [post(maps, configMap('a'))],
    }),
  ),
  {
    name: 'no-such-service',
    kind: 'Validating',
    rule: { ...configMaps, operations: ['CREATE'] },
    hook: { clientConfig: { service: { namespace: 'default', name: 'none', path: '/a/b' } } },
    requests: [post(maps, configMap('a'))],
  },
  {
    name: 'refused-connection',
    kind: 'Validating',
    rule: { ...configMaps, operations: ['CREATE'] },
    hook: { clientConfig: { url: 'https://127.0.0.1:1/a//b/../c/' } },
    requests: [post(maps, configMap('a'))],
  },
  {
    name: 'old-review',
    kind: 'Mutating',
    rule: { ...configMaps, operations: ['CREATE'] },
    hook: { admissionReviewVersions: ['v0', 'v1beta1', 'v1'] },
    answer: () => ({ uid: 'any', allowed: true }),
    requests: [post(maps, configMap('a'))],
  },
];
