import { type Client, Namespaces, type Pod, Pods, ServiceAccounts } from '@flotilla/client';

/** Starting costs processor time alone; more at once only makes each slower. */
const AT_ONCE = 8;
const PER_NAMESPACE = 50;
const CREATED = '2026-01-01T00:00:00Z';

/** Has a server hold pods number `first` up to `last`, each written as in a cluster: by a controller, then by a kubelet. */
export async function fillPods(client: Client, first: number, last: number): Promise<void> {
  for (let index = first; index < last; index += PER_NAMESPACE) {
    const namespace = namespaceOf(index);
    const account = { apiVersion: 'v1', kind: 'ServiceAccount' };
    const metadata = { name: 'default', namespace };
    await client.create(Namespaces, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace },
    });
    await client.create(ServiceAccounts, { ...account, metadata });
  }
  let next = first;
  const work = async (): Promise<void> => {
    while (next < last) {
      const pod = podOf(next);
      next += 1;
      const { metadata } = await client.create(Pods, pod, {
        fieldManager: 'kube-controller-manager',
      });
      await client.replace(
        Pods,
        { ...pod, metadata, status: statusOf(pod) },
        { subresource: 'status', fieldManager: 'kubelet' },
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

function namespaceOf(index: number): string {
  return `team-${String(Math.floor(index / PER_NAMESPACE)).padStart(2, '0')}`;
}

/** As the ReplicaSet of a Deployment makes them: ten pods to one. */
function podOf(index: number): Pod {
  const app = `shop-${Math.floor(index / 10)}`;
  const hash = `7d9f8b6c${index % 10}`;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `${app}-${hash}-${String(index).padStart(5, 'x')}`,
      generateName: `${app}-${hash}-`,
      namespace: namespaceOf(index),
      labels: {
        'app.kubernetes.io/name': app,
        'app.kubernetes.io/instance': 'production',
        'pod-template-hash': hash,
      },
      annotations: {
        'prometheus.io/scrape': 'true',
        'checksum/config': `3b1f8a52c1c94b1e8f0e3f0a${index}`.padEnd(64, '7'),
      },
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          name: `${app}-${hash}`,
          uid: '2d912a8d-ac95-45c5-85d0-76915a7db9f7',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      nodeName: `node-${index % 12}`,
      containers: [containerOf('web', 8080), containerOf('proxy', 15_001)],
      terminationGracePeriodSeconds: 30,
      tolerations: ['not-ready', 'unreachable'].map((taint) => ({
        key: `node.kubernetes.io/${taint}`,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 300,
      })),
    },
  };
}

function containerOf(name: string, port: number) {
  return {
    name,
    image: `registry.example.com/shop/${name}:v1.42.0`,
    args: ['serve', `--listen=:${port}`, '--log-format=json'],
    ports: [{ name: 'http', containerPort: port }],
    env: Array.from({ length: 4 }, (_, index) => ({
      name: `SHOP_SETTING_${index}`,
      value: `the value of setting ${index} of ${name}`,
    })),
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
    readinessProbe: { httpGet: { path: '/readyz', port: 'http' }, periodSeconds: 5 },
  };
}

function statusOf({ spec }: Pod): NonNullable<Pod['status']> {
  const types = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady'];
  return {
    phase: 'Running',
    conditions: [...types, 'PodScheduled'].map((type) => ({
      type,
      status: 'True' as const,
      lastProbeTime: null,
      lastTransitionTime: CREATED,
    })),
    hostIP: '192.0.2.10',
    podIP: '192.0.2.77',
    podIPs: [{ ip: '192.0.2.77' }],
    qosClass: 'Burstable',
    startTime: CREATED,
    containerStatuses: (spec?.containers ?? []).map(({ name, image }) => ({
      name,
      image,
      imageID: `registry.example.com/shop/${name}@sha256:${'5e'.repeat(32)}`,
      containerID: `containerd://${'c0'.repeat(32)}`,
      ready: true,
      started: true,
      restartCount: 1,
      state: { running: { startedAt: CREATED } },
      lastState: { terminated: { exitCode: 1, reason: 'Error', finishedAt: CREATED } },
    })),
  };
}
