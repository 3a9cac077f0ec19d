// The kinds that generated cases are about, each with a maker of objects from pools of values: most of
// them good, some not.
import type { Seeded } from '../../packages/machinery/src/testing/seeded.ts';

/** An object or a part of one. */
export type Body = Record<string, unknown>;

/** A kind to generate cases of. */
export interface GeneratedKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** Below `/api/v1` or `/apis/GROUP/VERSION`. */
  readonly resource: string;
  /** Everything of an object but kind, apiVersion and metadata. */
  readonly make: (random: Seeded) => Body;
  /** Of these, requests may name some. */
  readonly subresources?: readonly string[];
  /** Whether a strategic merge patch means anything to it. */
  readonly isCustom?: boolean;
}

const IMAGES = ['app:1', 'app:2', 'registry.example/app@sha256:0', ''];
const QUANTITIES = ['1', '100m', '1Gi', '1.5', '0.5Gi', '2e3', 'x'];
const PORTS = [80, 443, 8080, 0, 70_000];

function container(random: Seeded, name: string): Body {
  return {
    name,
    image: random.pick(IMAGES),
    ...maybe(random, 'ports', () => [
      { containerPort: random.pick(PORTS), ...maybe(random, 'name', () => 'http') },
    ]),
    ...maybe(random, 'env', () =>
      random.some(3, () => ({ name: random.pick(['A', 'B', '9']), value: random.pick(['1', '']) })),
    ),
    ...maybe(random, 'resources', () => ({
      requests: { cpu: random.pick(QUANTITIES) },
      ...maybe(random, 'limits', () => ({ memory: random.pick(QUANTITIES) })),
    })),
    ...maybe(random, 'readinessProbe', () => ({
      httpGet: { path: '/', port: random.pick<unknown>([80, 'http']) },
      ...maybe(random, 'periodSeconds', () => random.pick([0, 5, -1])),
    })),
    ...maybe(random, 'imagePullPolicy', () => random.pick(['Always', 'Never', 'Sometimes'])),
  };
}

function podSpec(random: Seeded, restartPolicy?: string): Body {
  const names = random.pick([['a'], ['a', 'b'], ['b', 'a'], ['a', 'a']]);
  return {
    containers: names.map((name) => container(random, name)),
    ...(restartPolicy === undefined ? {} : { restartPolicy }),
    ...maybe(random, 'volumes', () => [
      { name: 'v', ...random.pick<Body>([{ emptyDir: {} }, { configMap: { name: 'c' } }]) },
    ]),
    ...maybe(random, 'tolerations', () => [
      { key: 'k', operator: random.pick(['Exists', 'Equal']) },
    ]),
    ...maybe(random, 'terminationGracePeriodSeconds', () => random.pick([0, 30, -1])),
    ...maybe(random, 'nodeSelector', () => ({ disk: random.pick(['ssd', 'hdd']) })),
  };
}

function template(random: Seeded, restartPolicy?: string): Body {
  const app = random.pick(['x', 'x', 'x', 'y']);
  return { metadata: { labels: { app } }, spec: podSpec(random, restartPolicy) };
}

const selector = { matchLabels: { app: 'x' } };

const texts = (random: Seeded): Body =>
  Object.fromEntries(
    random.some(3, () => [random.pick(['k', 'a.b', 'é', 'k_1']), random.pick(['1', 'two', ''])]),
  );

function maybe(random: Seeded, key: string, make: () => unknown): Body {
  return random.below(3) === 0 ? { [key]: make() } : {};
}

const replicas = (random: Seeded) => maybe(random, 'replicas', () => random.pick([0, 1, 3, -1]));

/** The kind that {@link CUSTOM_CRD} defines. */
const thing: Omit<GeneratedKind, 'apiVersion'> = {
  kind: 'Thing',
  resource: 'things',
  isCustom: true,
  subresources: ['status', 'scale'],
  make: (random) => ({
    spec: {
      ...maybe(random, 'mode', () => random.pick(['fast', 'slow', 'odd'])),
      ...maybe(random, 'replicas', () => random.pick([1, 2, -3])),
      ...maybe(random, 'tags', () => random.some(3, () => random.pick(['a', 'b', 'c']))),
      ...maybe(random, 'parts', () =>
        random.some(3, () => ({
          name: random.pick(['p', 'q', 'r']),
          ...maybe(random, 'size', () => random.pick([1, 2, 100])),
        })),
      ),
      ...maybe(random, 'port', () => random.pick<unknown>([80, 'http', 1.5])),
      ...maybe(random, 'free', () => ({ any: [1, { deep: 'x' }] })),
      ...maybe(random, 'since', () => random.pick(['2026-01-02T03:04:05Z', 'now'])),
      ...maybe(random, 'unknown', () => 1),
    },
    ...maybe(random, 'status', () => ({ replicas: random.pick([1, 2]), note: 'n' })),
  }),
};

/** All kinds; the more interesting ones more than once. */
export const KINDS: readonly GeneratedKind[] = [
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    resource: 'configmaps',
    make: (random) => ({
      data: texts(random),
      ...maybe(random, 'binaryData', () => ({ bin: random.pick(['YQ==', '?']) })),
      ...maybe(random, 'immutable', () => random.below(2) === 0),
    }),
  },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    resource: 'secrets',
    make: (random) => ({
      ...maybe(random, 'type', () => random.pick(['Opaque', 'kubernetes.io/tls', 'mine'])),
      ...maybe(random, 'data', () => ({ k: random.pick(['YQ==', '?']) })),
      ...maybe(random, 'stringData', () => texts(random)),
    }),
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    resource: 'services',
    subresources: ['status'],
    make: (random) => ({
      spec: {
        ports: random.pick([[80], [80, 443], [0]]).map((port) => ({
          port,
          name: `p${port}`,
          ...maybe(random, 'targetPort', () => random.pick<unknown>([8080, 'http', 'BAD'])),
          ...maybe(random, 'protocol', () => random.pick(['UDP', 'TCP', 'ICMP'])),
        })),
        ...maybe(random, 'selector', () => ({ app: 'x' })),
        ...maybe(random, 'type', () => random.pick(['ClusterIP', 'ExternalName', 'Odd'])),
        ...maybe(random, 'clusterIP', () => random.pick(['None', '', 'x'])),
        ...maybe(random, 'sessionAffinity', () => random.pick(['ClientIP', 'None', 'X'])),
      },
    }),
  },
  ...Array.from({ length: 2 }, () => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    resource: 'deployments',
    subresources: ['status', 'scale'],
    make: (random: Seeded) => ({
      spec: {
        selector,
        template: template(random),
        ...replicas(random),
        ...maybe(random, 'strategy', () =>
          random.pick<Body>([
            { type: 'Recreate' },
            {
              type: 'RollingUpdate',
              rollingUpdate: {
                maxSurge: random.pick<unknown>([1, '30%', '0%']),
                maxUnavailable: 0,
              },
            },
          ]),
        ),
        ...maybe(random, 'paused', () => true),
      },
      ...maybe(random, 'status', () => ({ replicas: 2, observedGeneration: 1 })),
    }),
  })),
  {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    resource: 'statefulsets',
    subresources: ['status', 'scale'],
    make: (random) => ({
      spec: {
        selector,
        serviceName: random.pick(['s', 't']),
        template: template(random),
        ...replicas(random),
        ...maybe(random, 'podManagementPolicy', () => random.pick(['Parallel', 'OrderedReady'])),
      },
    }),
  },
  {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    resource: 'daemonsets',
    subresources: ['status'],
    make: (random) => ({
      spec: {
        selector,
        template: template(random),
        ...maybe(random, 'minReadySeconds', () => random.pick([5, -5])),
      },
    }),
  },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    resource: 'pods',
    subresources: ['status'],
    make: (random) => ({
      spec: podSpec(random),
      ...maybe(random, 'status', () => ({ phase: 'Running' })),
    }),
  },
  {
    apiVersion: 'batch/v1',
    kind: 'Job',
    resource: 'jobs',
    subresources: ['status'],
    make: (random) => ({
      spec: {
        template: { spec: podSpec(random, random.pick(['Never', 'OnFailure', 'Always'])) },
        ...maybe(random, 'parallelism', () => random.pick([1, 2, -1])),
        ...maybe(random, 'backoffLimit', () => 2),
        ...maybe(random, 'suspend', () => true),
      },
    }),
  },
  {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    resource: 'cronjobs',
    subresources: ['status'],
    make: (random) => ({
      spec: {
        schedule: random.pick(['0 0 1 1 *', '@yearly', 'never']),
        jobTemplate: { spec: { template: { spec: podSpec(random, 'Never') } } },
        ...maybe(random, 'concurrencyPolicy', () => random.pick(['Forbid', 'Allow', 'X'])),
        ...maybe(random, 'timeZone', () => random.pick(['Etc/UTC', 'Nowhere/X'])),
      },
    }),
  },
  {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    resource: 'serviceaccounts',
    make: (random) => ({
      ...maybe(random, 'secrets', () => random.some(2, () => ({ name: random.pick(['s', 't']) }))),
      ...maybe(random, 'imagePullSecrets', () => [{ name: 'p' }]),
      ...maybe(random, 'automountServiceAccountToken', () => false),
    }),
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    resource: 'roles',
    make: (random) => ({
      rules: random.some(3, () => ({
        verbs: random.pick([['get'], ['*'], []]),
        ...random.pick<Body>([
          { apiGroups: [''], resources: ['pods'] },
          { apiGroups: ['apps'], resources: ['deployments'], resourceNames: ['d'] },
          { nonResourceURLs: ['/x'] },
        ]),
      })),
    }),
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    resource: 'networkpolicies',
    make: (random) => ({
      spec: {
        podSelector: random.pick<Body>([{}, selector]),
        ...maybe(random, 'policyTypes', () => random.pick([['Ingress'], ['Egress'], ['X']])),
        ...maybe(random, 'ingress', () => [
          { from: [{ ipBlock: { cidr: random.pick(['10.0.0.0/8', '10.0.0.300/8']) } }] },
        ]),
      },
    }),
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    resource: 'ingresses',
    subresources: ['status'],
    make: (random) => ({
      spec: {
        rules: [
          {
            host: random.pick(['a.example', '*.b.example', 'BAD']),
            http: {
              paths: [
                {
                  path: random.pick(['/', '/x', 'y']),
                  pathType: random.pick(['Prefix', 'Exact', 'Odd']),
                  backend: { service: { name: 's', port: { number: random.pick(PORTS) } } },
                },
              ],
            },
          },
        ],
      },
    }),
  },
  {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    resource: 'poddisruptionbudgets',
    subresources: ['status'],
    make: (random) => ({
      spec: {
        selector,
        ...maybe(random, 'minAvailable', () => random.pick<unknown>([1, '50%', '150%'])),
        ...maybe(random, 'maxUnavailable', () => 1),
      },
    }),
  },
  {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    resource: 'horizontalpodautoscalers',
    subresources: ['status'],
    make: (random) => ({
      spec: {
        maxReplicas: random.pick([3, 5, 0]),
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        ...maybe(random, 'minReplicas', () => random.pick([1, 4])),
        ...maybe(random, 'metrics', () => [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
          },
        ]),
      },
    }),
  },
  {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    resource: 'leases',
    make: (random) => ({
      spec: {
        holderIdentity: random.pick(['a', 'b']),
        ...maybe(random, 'leaseDurationSeconds', () => random.pick([15, 0])),
        ...maybe(random, 'renewTime', () => '2026-01-02T03:04:05.000006Z'),
      },
    }),
  },
  ...Array.from({ length: 3 }, () => ({ ...thing, apiVersion: 'generated.example/v1' })),
  { ...thing, apiVersion: 'generated.example/v1beta1' },
];

const schema = {
  openAPIV3Schema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        'x-kubernetes-validations': [
          { rule: "self.mode != 'slow' || self.replicas < 3", message: 'slow things are few' },
          {
            rule: '!has(oldSelf.port) || has(self.port)',
            message: 'a port stays',
            fieldPath: '.port',
          },
        ],
        properties: {
          mode: { type: 'string', enum: ['fast', 'slow'], default: 'fast' },
          replicas: { type: 'integer', format: 'int32', minimum: 0, default: 1 },
          tags: {
            type: 'array',
            'x-kubernetes-list-type': 'set',
            maxItems: 5,
            items: { type: 'string' },
          },
          parts: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
            maxItems: 5,
            items: {
              type: 'object',
              required: ['name'],
              properties: {
                name: { type: 'string' },
                size: { type: 'integer', maximum: 10, default: 1 },
              },
            },
          },
          port: { 'x-kubernetes-int-or-string': true },
          free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          since: { type: 'string', format: 'date-time' },
        },
      },
      status: {
        type: 'object',
        properties: { replicas: { type: 'integer' }, note: { type: 'string' } },
      },
    },
  },
};

// Versions of one schema would have to share their selectable fields too.
const older = { openAPIV3Schema: { ...schema.openAPIV3Schema, description: 'An older thing.' } };

const subresources = {
  status: {},
  scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
};

/** Defines the custom kind among {@link KINDS}; to be there before the first case. */
export const CUSTOM_CRD = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.generated.example' },
  spec: {
    group: 'generated.example',
    scope: 'Namespaced',
    names: { kind: 'Thing', listKind: 'ThingList', plural: 'things', singular: 'thing' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema,
        subresources,
        selectableFields: [{ jsonPath: '.spec.mode' }],
        additionalPrinterColumns: [
          { name: 'Mode', type: 'string', jsonPath: '.spec.mode' },
          { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas' },
        ],
      },
      { name: 'v1beta1', served: true, storage: false, schema: older, subresources },
    ],
  },
};
