import {
  type Client,
  ConfigMaps,
  CronJobs,
  DaemonSets,
  Deployments,
  Jobs,
  Namespaces,
  Services,
  StatefulSets,
} from '@flotilla/client';
import {
  apiVersionOf,
  isAlreadyExists,
  isForbidden,
  isNotFound,
  type Kind,
  type KubeObject,
  systemClock,
} from '@flotilla/machinery';
import type { FleetMember } from './fleet-member.ts';

const NAMESPACE = 'shop';
/** Says that the workloads were made once; what users did to them since is theirs. */
const MARKER = { namespace: 'kube-system', name: 'flotilla-fleet' };
const PAUSE_MS = 50;

/** Gives a member something to look at, once: whoever deletes it does not get it back. */
export async function seedWorkloads(
  client: Client,
  member: FleetMember,
  signal: AbortSignal,
): Promise<void> {
  if (await exists(client, signal)) return;
  await create(client, { kind: Namespaces, object: namespace() }, signal);
  for (const workload of workloads(member)) await create(client, workload, signal);
  const marker = { ...head(ConfigMaps, MARKER), data: { seeded: 'true' } };
  await create(client, { kind: ConfigMaps, object: marker }, signal);
}

async function exists(client: Client, signal: AbortSignal): Promise<boolean> {
  try {
    await client.get(ConfigMaps, MARKER, { signal });
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

interface Workload {
  readonly kind: Kind;
  readonly object: KubeObject;
}

async function create(
  client: Client,
  { kind, object }: Workload,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    try {
      await client.create(kind, object, { signal });
      return;
    } catch (error) {
      // A start before this one got so far.
      if (isAlreadyExists(error)) return;
      // The namespace is a moment old: its service account comes next.
      if (!isForbidden(error)) throw error;
      await systemClock.wait(PAUSE_MS, signal);
    }
  }
}

function namespace(): KubeObject {
  return { ...head(Namespaces, { name: NAMESPACE }) };
}

/** Some of every kind, in versions that differ from member to member. */
function workloads({ number }: FleetMember): Workload[] {
  const version = `1.${3 + number}.0`;
  return [
    deployment('web', { replicas: 1 + (number % 3), image: `shop/web:${version}` }),
    deployment('cart', { replicas: 2, image: 'shop/cart:2.1.0' }),
    {
      kind: StatefulSets,
      object: {
        ...head(StatefulSets, { namespace: NAMESPACE, name: 'orders-db' }),
        spec: {
          replicas: 1 + (number % 2),
          serviceName: 'orders-db',
          selector: { matchLabels: { app: 'orders-db' } },
          template: template('orders-db', 'shop/postgres:16.4'),
        },
      },
    },
    service('web', { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] }),
    service('orders-db', {
      clusterIP: 'None',
      selector: { app: 'orders-db' },
      ports: [{ port: 5432 }],
    }),
    {
      kind: DaemonSets,
      object: {
        ...head(DaemonSets, { namespace: 'kube-system', name: 'node-agent' }),
        spec: {
          selector: { matchLabels: { app: 'node-agent' } },
          template: template('node-agent', 'shop/node-agent:0.9.2'),
        },
      },
    },
    {
      kind: Jobs,
      object: {
        ...head(Jobs, { namespace: NAMESPACE, name: 'migrate-orders' }),
        spec: { template: template('migrate-orders', `shop/migrate:${version}`, 'Never') },
      },
    },
    {
      kind: CronJobs,
      object: {
        ...head(CronJobs, { namespace: NAMESPACE, name: 'daily-report' }),
        spec: {
          schedule: '0 6 * * *',
          jobTemplate: {
            spec: { template: template('daily-report', 'shop/report:1.0.3', 'Never') },
          },
        },
      },
    },
  ];
}

function deployment(
  name: string,
  { replicas, image }: { replicas: number; image: string },
): Workload {
  return {
    kind: Deployments,
    object: {
      ...head(Deployments, { namespace: NAMESPACE, name }),
      spec: {
        replicas,
        selector: { matchLabels: { app: name } },
        template: template(name, image),
      },
    },
  };
}

function service(name: string, spec: Record<string, unknown>): Workload {
  return {
    kind: Services,
    object: { ...head(Services, { namespace: NAMESPACE, name }), spec },
  };
}

function template(name: string, image: string, restartPolicy = 'Always') {
  return {
    metadata: { labels: { app: name } },
    spec: { restartPolicy, containers: [{ name, image, ports: [{ containerPort: 8080 }] }] },
  };
}

function head(kind: Kind, metadata: { namespace?: string; name: string }): KubeObject {
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { ...metadata } };
}
