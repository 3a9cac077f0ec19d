/** An object with one very long list, in two versions that differ in every item. */
export interface Heavy {
  readonly title: string;
  readonly path: string;
  readonly make: (version: string) => Record<string, unknown>;
}

const CORE = '/api/v1/namespaces/default';
const NETWORKING = '/apis/networking.k8s.io/v1/namespaces/default';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';

const list = <T>(count: number, item: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => item(index));

function heavy(title: string, path: string, make: Heavy['make']): Heavy {
  return { title, path, make: (version) => ({ metadata: { name: 'heavy' }, ...make(version) }) };
}

/** A pod, and the same in the template of a deployment. */
function podSpec(title: string, spec: (version: string) => Record<string, unknown>): Heavy[] {
  const container = { name: 'c', image: 'i' };
  const whole = (version: string): object => ({ containers: [container], ...spec(version) });
  const labels = { a: 'b' };
  return [
    heavy(`pod ${title}`, `${CORE}/pods`, (version) => ({ spec: whole(version) })),
    heavy(`deployment ${title}`, '/apis/apps/v1/namespaces/default/deployments', (version) => ({
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: whole(version) },
      },
    })),
  ];
}

const inContainer = (fields: object): Record<string, unknown> => ({
  containers: [{ name: 'c', image: 'i', ...fields }],
});

function metadata(title: string, fields: (version: string) => object): Heavy {
  return heavy(`metadata ${title}`, `${CORE}/configmaps`, (version) => ({
    metadata: { name: 'heavy', ...fields(version) },
  }));
}

const ip = (index: number): string =>
  `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
const digit = (version: string): number => version.length;
const terms = (count: number, version: string): object[] =>
  list(count, (i) => ({ matchExpressions: [{ key: `k${i}`, operator: 'In', values: [version] }] }));

/** What a client that may write can make the server look at; each is near the largest body. */
export const HEAVY: readonly Heavy[] = [
  ...podSpec('containers', (v) => ({
    containers: list(8_000, (i) => ({ name: `c${i}`, image: `i:${v}` })),
  })),
  ...podSpec('env', (v) =>
    inContainer({ env: list(20_000, (i) => ({ name: `E${i}`, value: `${v}$(E1)` })) }),
  ),
  ...podSpec('ports', (v) =>
    inContainer({
      ports: list(12_000, (i) => ({ containerPort: i + digit(v), hostPort: i + 1 })),
    }),
  ),
  ...podSpec('volumes', (v) => ({
    volumes: list(9_000, (i) => ({ name: `v${i}`, configMap: { name: v } })),
    ...inContainer({
      volumeMounts: list(9_000, (i) => ({ name: `v${i}`, mountPath: `/m/${v}${i}` })),
    }),
  })),
  ...podSpec('tolerations', (v) => ({
    tolerations: list(15_000, (i) => ({ key: `k${i}`, operator: 'Equal', value: v })),
  })),
  ...podSpec('spread constraints', (v) => ({
    topologySpreadConstraints: list(8_000, (i) => ({
      maxSkew: digit(v),
      topologyKey: `k${i}`,
      whenUnsatisfiable: 'DoNotSchedule',
    })),
  })),
  ...podSpec('node affinity', (v) => ({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms(9_000, v) },
      },
    },
  })),
  ...podSpec('host aliases', (v) => ({
    hostAliases: list(12_000, (i) => ({ ip: ip(i), hostnames: [`h${i}.${v}`] })),
  })),
  ...podSpec('pull secrets', (v) => ({
    imagePullSecrets: list(25_000, (i) => ({ name: `${v}${i}` })),
  })),
  heavy('service ports', `${CORE}/services`, (v) => ({
    spec: { ports: list(12_000, (i) => ({ name: `p${i}`, port: i + 1, targetPort: v })) },
  })),
  heavy('service addresses', `${CORE}/services`, (v) => ({
    spec: { ports: [{ port: digit(v) }], externalIPs: list(30_000, ip) },
  })),
  heavy('endpoints', `${CORE}/endpoints`, (v) => ({
    subsets: list(8_000, (i) => ({
      addresses: [{ ip: ip(i), hostname: v }],
      ports: [{ port: 1 }],
    })),
  })),
  heavy('endpoint slice', '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', (v) => ({
    addressType: 'IPv4',
    endpoints: list(9_000, (i) => ({ addresses: [ip(i)], hostname: v })),
  })),
  heavy('ingress', `${NETWORKING}/ingresses`, (v) => ({
    spec: {
      rules: list(6_000, (i) => ({
        host: `h${i}.${v}`,
        http: {
          paths: [
            {
              path: '/',
              pathType: 'Prefix',
              backend: { service: { name: v, port: { number: 1 } } },
            },
          ],
        },
      })),
    },
  })),
  heavy('network policy', `${NETWORKING}/networkpolicies`, (v) => ({
    spec: {
      podSelector: {},
      ingress: list(8_000, (i) => ({
        from: [{ ipBlock: { cidr: `${ip(i)}/32` } }, { podSelector: { matchLabels: { v } } }],
      })),
    },
  })),
  heavy('role', `${RBAC}/namespaces/default/roles`, (v) => ({
    rules: list(15_000, (i) => ({ apiGroups: [v], resources: [`r${i}`], verbs: ['get'] })),
  })),
  heavy('role binding', `${RBAC}/namespaces/default/rolebindings`, (v) => ({
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    subjects: list(12_000, (i) => ({
      kind: 'ServiceAccount',
      name: `${v}${i}`,
      namespace: 'default',
    })),
  })),
  heavy('config map', `${CORE}/configmaps`, (v) => ({
    data: Object.fromEntries(list(40_000, (i) => [`k${i}`, v])),
  })),
  heavy('node', '/api/v1/nodes', (v) => ({
    spec: { taints: list(10_000, (i) => ({ key: `k${i}`, value: v, effect: 'NoSchedule' })) },
    status: { images: list(8_000, (i) => ({ names: [`${v}${i}`], sizeBytes: 1 })) },
  })),
  heavy('quota', `${CORE}/resourcequotas`, (v) => ({
    spec: {
      hard: Object.fromEntries(list(20_000, (i) => [`count/k${i}.${v}`, String(digit(v))])),
    },
  })),
  heavy('limits', `${CORE}/limitranges`, (v) => ({
    spec: {
      limits: list(9_000, (i) => ({ type: 'Container', max: { cpu: `${i + digit(v)}` } })),
    },
  })),
  heavy('autoscaler', '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers', (v) => ({
    spec: {
      scaleTargetRef: { kind: 'Deployment', name: v, apiVersion: 'apps/v1' },
      maxReplicas: 3,
      metrics: list(6_000, (i) => ({
        type: 'Pods',
        pods: { metric: { name: `m${i}` }, target: { type: 'AverageValue', averageValue: '1' } },
      })),
    },
  })),
  heavy(
    'webhooks',
    '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
    (v) => ({
      webhooks: list(4_000, (i) => ({
        name: `h${i}.${v}.example.com`,
        clientConfig: { url: 'https://example.com/' },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      })),
    }),
  ),
  heavy('volume', '/api/v1/persistentvolumes', (v) => ({
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      hostPath: { path: `/${v}` },
      nodeAffinity: { required: { nodeSelectorTerms: terms(9_000, v) } },
    },
  })),
  metadata('labels', (v) => ({
    labels: Object.fromEntries(list(40_000, (i) => [`l${i}`, v])),
  })),
  metadata('finalizers', (v) => ({ finalizers: list(25_000, (i) => `${v}.io/f${i}`) })),
  metadata('owners', (v) => ({
    ownerReferences: list(9_000, (i) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      name: v,
      uid: `u${i}`,
    })),
  })),
];
