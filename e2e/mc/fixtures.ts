// Objects of many kinds, for comparing what is printed of them.
import type { Json } from '../api.ts';

/** Where an object is created, and what it is. */
export type Fixture = readonly [path: string, object: Json];

const NAMES = ['web', 'api', 'a-much-longer-name-of-something'];
const SHOP = '/namespaces/shop';

/** Objects in an order in which they can be created. */
export const FIXTURES: readonly Fixture[] = [
  ...['shop', 'shop-a'].map(
    (name): Fixture => ['/api/v1/namespaces', named('v1', 'Namespace', name)],
  ),
  ...['default', 'shop', 'shop-a'].map(
    (namespace): Fixture => [
      `/api/v1/namespaces/${namespace}/serviceaccounts`,
      named('v1', 'ServiceAccount', 'runner'),
    ],
  ),
  ...['default', 'shop', 'shop-a'].flatMap((namespace) => pods(namespace)),
  ...workloads(),
  [
    `/apis/batch/v1${SHOP}/jobs`,
    { ...named('batch/v1', 'Job', 'once'), spec: { template: template('once') } },
  ],
  [
    `/apis/batch/v1${SHOP}/cronjobs`,
    {
      ...named('batch/v1', 'CronJob', 'nightly'),
      spec: {
        schedule: '0 3 * * *',
        timeZone: 'Etc/UTC',
        suspend: true,
        jobTemplate: { spec: { template: template('nightly') } },
      },
    },
  ],
  [
    `/api/v1${SHOP}/services`,
    {
      ...named('v1', 'Service', 'web'),
      spec: {
        type: 'NodePort',
        selector: { app: 'web' },
        ports: [
          { name: 'http', port: 80, nodePort: 30_080 },
          { name: 'dns', port: 53, protocol: 'UDP', nodePort: 30_053 },
        ],
      },
    },
  ],
  [
    `/api/v1${SHOP}/services`,
    {
      ...named('v1', 'Service', 'out'),
      spec: { type: 'ExternalName', externalName: 'example.com' },
    },
  ],
  [
    `/api/v1${SHOP}/configmaps`,
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'settings',
        annotations: { 'note.example.com/text': 'two\nlines & <signs> "quoted"' },
      },
      data: {
        '10': 'ten',
        '2': 'two',
        b: 'y',
        script: '#!/bin/sh\nset -e\n\techo "hi"\n',
        empty: '',
      },
      binaryData: { bytes: 'AAEC/w==' },
    },
  ],
  [
    `/api/v1${SHOP}/secrets`,
    { ...named('v1', 'Secret', 'keys'), type: 'Opaque', data: { a: 'eA==', b: 'eQ==' } },
  ],
  [
    `/api/v1${SHOP}/persistentvolumeclaims`,
    {
      ...named('v1', 'PersistentVolumeClaim', 'data'),
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
  ],
  [
    '/api/v1/persistentvolumes',
    {
      ...named('v1', 'PersistentVolume', 'disk'),
      spec: {
        accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
        capacity: { storage: '10Gi' },
        hostPath: { path: '/data' },
      },
    },
  ],
  [
    '/apis/storage.k8s.io/v1/storageclasses',
    { ...named('storage.k8s.io/v1', 'StorageClass', 'fast'), provisioner: 'example.com/fast' },
  ],
  ['/api/v1/nodes', { ...named('v1', 'Node', 'node-1'), spec: { unschedulable: true } }],
  [
    `/apis/networking.k8s.io/v1${SHOP}/ingresses`,
    {
      ...named('networking.k8s.io/v1', 'Ingress', 'site'),
      spec: {
        ingressClassName: 'nginx',
        defaultBackend: { service: { name: 'web', port: { number: 80 } } },
        tls: [{ hosts: ['shop.example.com'], secretName: 'keys' }],
        rules: [{ host: 'shop.example.com' }, { host: 'www.example.com' }],
      },
    },
  ],
  [
    `/apis/networking.k8s.io/v1${SHOP}/networkpolicies`,
    {
      ...named('networking.k8s.io/v1', 'NetworkPolicy', 'closed'),
      spec: { podSelector: { matchLabels: { app: 'web' } } },
    },
  ],
  [
    `/apis/policy/v1${SHOP}/poddisruptionbudgets`,
    {
      ...named('policy/v1', 'PodDisruptionBudget', 'web'),
      spec: { minAvailable: '50%', selector: { matchLabels: { app: 'web' } } },
    },
  ],
  [
    `/apis/autoscaling/v2${SHOP}/horizontalpodautoscalers`,
    {
      ...named('autoscaling/v2', 'HorizontalPodAutoscaler', 'web'),
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        minReplicas: 1,
        maxReplicas: 5,
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
          },
        ],
      },
    },
  ],
  [
    `/api/v1${SHOP}/resourcequotas`,
    {
      ...named('v1', 'ResourceQuota', 'small'),
      spec: { hard: { configmaps: '50', secrets: '20' } },
    },
  ],
  [
    `/api/v1${SHOP}/limitranges`,
    {
      ...named('v1', 'LimitRange', 'limits'),
      spec: { limits: [{ type: 'Container', default: { cpu: '1' } }] },
    },
  ],
  [
    `/apis/rbac.authorization.k8s.io/v1${SHOP}/roles`,
    {
      ...named('rbac.authorization.k8s.io/v1', 'Role', 'reader'),
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
    },
  ],
  [
    `/apis/rbac.authorization.k8s.io/v1${SHOP}/rolebindings`,
    {
      ...named('rbac.authorization.k8s.io/v1', 'RoleBinding', 'readers'),
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
      subjects: [
        { kind: 'User', name: 'jane', apiGroup: 'rbac.authorization.k8s.io' },
        { kind: 'ServiceAccount', name: 'runner', namespace: 'shop' },
      ],
    },
  ],
  [
    '/apis/scheduling.k8s.io/v1/priorityclasses',
    { ...named('scheduling.k8s.io/v1', 'PriorityClass', 'high'), value: 1_000 },
  ],
  [
    `/apis/coordination.k8s.io/v1${SHOP}/leases`,
    { ...named('coordination.k8s.io/v1', 'Lease', 'lock'), spec: { holderIdentity: 'me' } },
  ],
  [
    `/api/v1${SHOP}/events`,
    {
      ...named('v1', 'Event', 'web.1'),
      involvedObject: {
        kind: 'Pod',
        name: 'web',
        namespace: 'shop',
        fieldPath: 'spec.containers{main}',
      },
      type: 'Warning',
      reason: 'Failed',
      message: 'first line\nsecond line',
      source: { component: 'kubelet', host: 'node-1' },
      count: 3,
      firstTimestamp: '2024-01-01T00:00:00Z',
      lastTimestamp: '2024-01-02T00:00:00Z',
    },
  ],
];

/** A kind of its own, with columns that only wide output shows. */
export const WIDGETS: Json = {
  ...named('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'widgets.example.com'),
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: {
      plural: 'widgets',
      singular: 'widget',
      kind: 'Widget',
      shortNames: ['wg'],
      categories: ['all'],
    },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
        additionalPrinterColumns: [
          { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
          { name: 'Text', type: 'string', jsonPath: '.spec.text' },
          { name: 'Secret Detail', type: 'string', jsonPath: '.spec.detail', priority: 1 },
          { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        ],
      },
    ],
  },
};

/** Widgets with everything that a cell may have to survive. */
export const WIDGET_OBJECTS: readonly Fixture[] = [
  { size: 3, text: 'plain', detail: 'x' },
  { size: 12, text: 'two\nlines', detail: 'tab\there' },
  { text: '\u001b[31mred\u001b[0m', detail: 'Größe ⛵ 😀' },
  { size: 1_000_000, text: 'form\ffeed', detail: ['a', 'b'] },
].map((spec, index) => [
  `/apis/example.com/v1${SHOP}/widgets`,
  { ...named('example.com/v1', 'Widget', `widget-${index}`), spec },
]);

function pods(namespace: string): Fixture[] {
  return NAMES.map((name, index) => [
    `/api/v1/namespaces/${namespace}/pods`,
    {
      ...named('v1', 'Pod', name),
      metadata: {
        name,
        labels: { app: name, 'example.com/tier': index === 0 ? 'front' : 'back' },
        annotations: { number: `${(index * 7) % 3}` },
      },
      spec: {
        serviceAccountName: 'runner',
        automountServiceAccountToken: false,
        terminationGracePeriodSeconds: 30 + index,
        containers: [
          {
            name: 'main',
            image: `registry.example.com/${name}:1.${index}`,
            args: [
              '--text',
              'a rather long argument that goes on and on, longer than any line of a file should be',
            ],
            resources: { limits: { cpu: ['500m', '2', '1500m'][index] } },
          },
          ...(index === 1 ? [{ name: 'side', image: 'side:2' }] : []),
        ],
      },
    },
  ]);
}

function workloads(): Fixture[] {
  return (['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet'] as const).map((kind) => {
    const labels = { app: kind.toLowerCase() };
    const spec = {
      ...(kind === 'DaemonSet' ? {} : { replicas: 0 }),
      ...(kind === 'StatefulSet' ? { serviceName: 'web' } : {}),
      selector: { matchLabels: labels },
      template: { ...template('web', 'Always'), metadata: { labels } },
    };
    const object = { ...named('apps/v1', kind, 'web'), spec };
    return [`/apis/apps/v1${SHOP}/${kind.toLowerCase()}s`, object];
  });
}

function template(name: string, restartPolicy = 'Never'): Json {
  return { spec: { restartPolicy, containers: [{ name: 'main', image: `${name}:1` }] } };
}

function named(apiVersion: string, kind: string, name: string): Json {
  return { apiVersion, kind, metadata: { name } };
}
