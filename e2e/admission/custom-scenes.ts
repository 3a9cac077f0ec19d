import { patchOf } from '../../packages/apiserver/src/testing/start-webhook.ts';
import { apply, del, get, merge, post, type Scene, type SceneRequest } from './scene.ts';

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

/** A custom kind with two versions meets webhooks that ask for one of them. */
export const customScenes: readonly Scene[] = (['Equivalent', 'Exact'] as const).flatMap(
  (matchPolicy) =>
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
