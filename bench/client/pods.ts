import type { Client, Pod } from '@flotilla/client';
import { ConfigMaps, Namespaces, Pods } from '@flotilla/client';
import { PLACE, podName } from './job.ts';

const AT_ONCE = 16;

/** Makes the namespaces and the pods of the benchmark. */
export async function fill(client: Client): Promise<void> {
  for (const name of [PLACE.namespace, PLACE.scratch]) {
    await client.create(Namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  const indexes = Array.from({ length: PLACE.pods }, (_, index) => index).values();
  const work = async (): Promise<void> => {
    for (const index of indexes) await client.create(Pods, podOf(index));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** Deletes what the load created, so that a turn does not meet more objects than the one before. */
export async function sweep(client: Client): Promise<void> {
  await client.deleteCollection(ConfigMaps, { namespace: PLACE.scratch });
}

/** How long one of the pods is as the server sends it. */
export async function podBytes(client: Client): Promise<number> {
  const pod = await client.get(Pods, { namespace: PLACE.namespace, name: podName(0) });
  return Buffer.byteLength(JSON.stringify(pod));
}

/** A pod of about 4 KB as a Deployment's ReplicaSet makes them: 20 pods to one. */
function podOf(index: number): Pod {
  const set = Math.floor(index / 20);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: podName(index),
      namespace: PLACE.namespace,
      labels: {
        'app.kubernetes.io/name': `web-${set}`,
        'app.kubernetes.io/instance': 'production',
        'pod-template-hash': `7d9f8b6c${set}`,
      },
      annotations: {
        'prometheus.io/scrape': 'true',
        'checksum/config': `3b1f8a52c1c94b1e8f0e3f0a${set}`.padEnd(64, '7'),
      },
    },
    spec: {
      containers: [containerOf('web', 8080), containerOf('proxy', 15_001)],
      terminationGracePeriodSeconds: 30,
      tolerations: [
        { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
      ],
    },
  };
}

function containerOf(name: string, port: number) {
  return {
    name,
    image: `registry.example.com/shop/${name}:v1.42.0`,
    args: ['serve', `--listen=:${port}`, '--log-format=json'],
    ports: [{ name: 'http', containerPort: port }],
    env: Array.from({ length: 6 }, (_, index) => ({
      name: `SHOP_SETTING_${index}`,
      value: `the value of setting ${index} of ${name}`,
    })),
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
    readinessProbe: { httpGet: { path: '/readyz', port: 'http' }, periodSeconds: 5 },
    livenessProbe: { httpGet: { path: '/livez', port: 'http' }, periodSeconds: 10 },
  };
}
