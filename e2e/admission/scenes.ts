// What is asked of both servers, and how the webhook answers.
import {
  patchOf,
  type WebhookBehaviour,
} from '../../packages/apiserver/src/testing/start-webhook.ts';

/** One request of a scene. */
export interface SceneRequest {
  readonly method: string;
  /** `{ns}` is the namespace of the scene. */
  readonly path: string;
  readonly body?: object;
  readonly type?: string;
  /** Sent again and again until this is the answer. */
  readonly until?: number;
}

/** A webhook, the requests that meet it, and what both servers must agree on. */
export interface Scene {
  readonly name: string;
  readonly kind: 'Mutating' | 'Validating';
  readonly rule: Record<string, unknown>;
  readonly hook?: Record<string, unknown>;
  readonly answer?: WebhookBehaviour;
  /** Further webhooks of the same configuration, which come after it. */
  readonly others?: readonly {
    readonly name: string;
    readonly hook?: Record<string, unknown>;
    readonly answer: WebhookBehaviour;
  }[];
  /** Sent before the webhook is there. */
  readonly before?: readonly SceneRequest[];
  readonly requests: readonly SceneRequest[];
}

const configMaps = { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] };
const maps = '/api/v1/namespaces/{ns}/configmaps';

const configMap = (name: string, more: object = {}) => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name },
  ...more,
});

const post = (path: string, body: object): SceneRequest => ({ method: 'POST', path, body });
const put = (path: string, body: object): SceneRequest => ({ method: 'PUT', path, body });
const get = (path: string): SceneRequest => ({ method: 'GET', path });
const del = (path: string): SceneRequest => ({ method: 'DELETE', path });
const merge = (path: string, body: object): SceneRequest => ({
  method: 'PATCH',
  path,
  body,
  type: 'application/merge-patch+json',
});

const apply = (path: string, body: object): SceneRequest => ({
  method: 'PATCH',
  path,
  body,
  type: 'application/apply-patch+yaml',
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

const raw =
  (text: string, status = 200, contentType = 'application/json'): WebhookBehaviour =>
  (_call, answer) => {
    answer.statusCode = status;
    answer.setHeader('content-type', contentType);
    answer.end(text);
    return undefined;
  };

const responses: Readonly<Record<string, WebhookBehaviour>> = {
  bare: () => ({ allowed: false }),
  message: () => ({ allowed: false, status: { message: 'not today' } }),
  reason: () => ({ allowed: false, status: { reason: 'BecauseISaySo' } }),
  code: () => ({ allowed: false, status: { code: 418, message: 'tea' } }),
  success: () => ({ allowed: false, status: { code: 200, status: 'Success', message: 'fine' } }),
  details: () => ({
    allowed: false,
    status: {
      code: 422,
      reason: 'Invalid',
      message: 'bad',
      details: { name: 'n', causes: [{ reason: 'FieldValueInvalid', message: 'm', field: 'f' }] },
    },
  }),
  warnings: () => ({ allowed: true, warnings: ['one', 'two', 'one'] }),
  annotations: () => ({ allowed: true, auditAnnotations: { key: 'value' } }),
  'other-uid': () => ({ uid: 'x', allowed: true }),
  'no-response': raw('{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}'),
  'no-kind': ({ review }, answer) => {
    answer.end(JSON.stringify({ response: { uid: review.request.uid, allowed: true } }));
    return undefined;
  },
  'empty-object': raw('{}'),
  'null-body': raw('null'),
  'empty-body': raw(''),
  'no-json': raw('oops'),
  'half-json': raw('{"kind":'),
  'array-body': raw('[]'),
  'text-body': raw('hello', 200, 'text/html'),
  'wrong-allowed': () => ({ allowed: 'yes' }),
  'wrong-warnings': () => ({ allowed: true, warnings: 'w' }),
  'wrong-annotations': () => ({ allowed: true, auditAnnotations: { a: 1 } }),
  'wrong-status': () => ({ allowed: false, status: 'no' }),
  'wrong-patch': () => ({ allowed: true, patchType: 'JSONPatch', patch: '###' }),
  'validating-patch': () => ({ allowed: true, ...patchOf([]) }),
  'validating-patch-type': () => ({ allowed: true, patchType: 'JSONPatch' }),
  'error-text': raw('boom\n', 500, 'text/plain'),
  'error-json': raw('{"a":1}', 500),
  'error-status': raw(
    '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"my own","code":500}',
    500,
  ),
  'not-found': raw('no', 404, 'text/plain'),
  'bad-request': raw('no', 400, 'text/plain'),
  forbidden: raw('keep out', 403, 'text/plain'),
  unavailable: raw('later', 503, 'text/plain'),
  'closes-connection': (_call, answer) => {
    answer.socket?.destroy();
    return undefined;
  },
  'never-answers': () => undefined,
};

const patches: Readonly<Record<string, WebhookBehaviour>> = {
  label: () => ({
    allowed: true,
    ...patchOf([{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }]),
  }),
  nothing: () => ({ allowed: true, ...patchOf([]) }),
  'null-patch': () => ({ allowed: true, patchType: 'JSONPatch', patch: 'bnVsbA==' }),
  'object-patch': () => ({ allowed: true, patchType: 'JSONPatch', patch: 'e30=' }),
  'no-json-patch': () => ({ allowed: true, patchType: 'JSONPatch', patch: 'b29wcw==' }),
  'no-type': () => ({ allowed: true, patch: 'W10=' }),
  'no-patch': () => ({ allowed: true, patchType: 'JSONPatch' }),
  'empty-type': () => ({ allowed: true, ...patchOf([{ op: 'test', path: '' }]), patchType: '' }),
  'other-type': () => ({ allowed: true, ...patchOf([{ op: 'test', path: '' }]), patchType: 'F' }),
  'missing-path': () => ({ allowed: true, ...patchOf([{ op: 'remove', path: '/none' }]) }),
  'missing-replaced': () => ({
    allowed: true,
    ...patchOf([{ op: 'replace', path: '/none/deep', value: 1 }]),
  }),
  'failed-test': () => ({ allowed: true, ...patchOf([{ op: 'test', path: '/kind', value: 'X' }]) }),
  'other-kind': () => ({
    allowed: true,
    ...patchOf([{ op: 'replace', path: '/kind', value: 'Other' }]),
  }),
  'wrong-value': () => ({ allowed: true, ...patchOf([{ op: 'add', path: '/data', value: 5 }]) }),
  'invalid-object': () => ({
    allowed: true,
    ...patchOf([{ op: 'add', path: '/data', value: { 'a b': 'c' } }]),
  }),
  'unknown-field': () => ({ allowed: true, ...patchOf([{ op: 'add', path: '/x', value: 1 }]) }),
  'other-name': () => ({
    allowed: true,
    ...patchOf([{ op: 'replace', path: '/metadata/name', value: 'renamed' }]),
  }),
  'other-namespace': () => ({
    allowed: true,
    ...patchOf([{ op: 'replace', path: '/metadata/namespace', value: 'default' }]),
  }),
  refuses: () => ({ allowed: false, ...patchOf([{ op: 'remove', path: '/data' }]) }),
  'repeated-owners': () => {
    const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' };
    return {
      allowed: true,
      ...patchOf([{ op: 'add', path: '/metadata/ownerReferences', value: [owner, owner] }]),
    };
  },
};

/** Adds one more of a label each time it is asked. */
const addLabel =
  (name: string): WebhookBehaviour =>
  ({ review }) => {
    const { metadata } = review.request['object'] as { metadata: { labels?: object } };
    const count = Object.keys(metadata.labels ?? {}).length;
    const add = { op: 'add', path: `/metadata/labels/${name}-${count}`, value: 'yes' };
    const begin = { op: 'add', path: '/metadata/labels', value: {} };
    return { allowed: true, ...patchOf(count === 0 ? [begin, add] : [add]) };
  };

const everything = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] };

const version = (name: string, storage: boolean) => ({
  name,
  served: true,
  storage,
  subresources: {
    status: {},
    scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' },
  },
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: { size: { type: 'integer' }, mode: { type: 'string', default: 'plain' } },
        },
        status: { type: 'object', properties: { size: { type: 'integer' } } },
      },
    },
  },
});

const definition = {
  kind: 'CustomResourceDefinition',
  apiVersion: 'apiextensions.k8s.io/v1',
  metadata: { name: 'widgets.{ns}.example.com' },
  spec: {
    group: '{ns}.example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [version('v1', true), version('v1beta1', false)],
  },
};

const widget = (name: string, more: object = {}) => ({
  kind: 'Widget',
  apiVersion: '{ns}.example.com/v1',
  metadata: { name },
  ...more,
});

const widgets = '/apis/{ns}.example.com/v1/namespaces/{ns}/widgets';
const widgetRequests: readonly SceneRequest[] = [
  post(widgets, widget('a', { spec: { size: 1, unknown: true } })),
  merge(`${widgets}/a`, { spec: { size: 2 } }),
  merge(`${widgets}/a/status`, { status: { size: 2 } }),
  merge(`${widgets}/a/scale`, { spec: { replicas: 3 } }),
  merge(`${widgets.replace('v1', 'v1beta1')}/a`, { spec: { size: 4 } }),
  apply(`${widgets}/b?fieldManager=me`, widget('b', { spec: { size: 1 } })),
  get(`${widgets}/b`),
  del(`${widgets}/a`),
];

const customScenes: readonly Scene[] = (['Equivalent', 'Exact'] as const).flatMap((matchPolicy) =>
  (['Mutating', 'Validating'] as const).map(
    (kind): Scene => ({
      name: `custom-${matchPolicy.toLowerCase()}-${kind.toLowerCase()}`,
      kind,
      rule: {
        operations: ['*'],
        apiGroups: ['{ns}.example.com'],
        apiVersions: ['v1beta1'],
        resources: ['widgets', 'widgets/*'],
      },
      hook: { matchPolicy },
      answer: ({ review: { request } }) =>
        kind === 'Mutating' && request['operation'] === 'CREATE'
          ? {
              allowed: true,
              ...patchOf([{ op: 'replace', path: '/spec', value: { size: 9, odd: 1 } }]),
            }
          : { allowed: true },
      before: [
        post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition),
        { method: 'GET', path: widgets, until: 200 },
        { method: 'GET', path: widgets.replace('v1', 'v1beta1'), until: 200 },
      ],
      requests: widgetRequests,
    }),
  ),
);

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
