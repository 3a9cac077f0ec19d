import type { Answer, Api, Json } from '../api.ts';
import { NODES } from '../cluster.ts';

interface Workload {
  readonly path: string;
  readonly object: Json;
  /** Whether the controllers have done all they do for it. */
  readonly isDone: (object: Json) => boolean;
}

const LABELS = { app: 'judge' };
const SPEC = {
  // Pods stop at once: nobody waits for the container of a played node.
  terminationGracePeriodSeconds: 0,
  containers: [{ name: 'main', image: 'registry.invalid/app:1' }],
};
const TEMPLATE = { metadata: { labels: LABELS }, spec: SPEC };
const SELECTOR = { matchLabels: LABELS };
const JOB_SPEC = {
  parallelism: 2,
  completions: 2,
  template: { metadata: { labels: LABELS }, spec: { ...SPEC, restartPolicy: 'Never' } },
};
const APPS = 'apis/apps/v1';

/** What is left of a namespace's workloads must be nothing at all. */
const OFFSPRING = [
  'api/v1#pods',
  `${APPS}#replicasets`,
  `${APPS}#controllerrevisions`,
  'apis/batch/v1#jobs',
];

/** The kinds whose controllers make pods, each with how it looks when they are all there. */
const WORKLOADS: readonly Workload[] = [
  {
    // First, because it begins with a minute of the clock.
    path: 'apis/batch/v1#cronjobs',
    object: named('CronJob', 'batch/v1', {
      schedule: '* * * * *',
      jobTemplate: { spec: JOB_SPEC },
    }),
    isDone: ({ status }) => status?.lastScheduleTime !== undefined,
  },
  {
    path: `${APPS}#deployments`,
    object: named('Deployment', 'apps/v1', { replicas: 2, selector: SELECTOR, template: TEMPLATE }),
    isDone: ({ status }) => status?.availableReplicas === 2,
  },
  {
    path: `${APPS}#statefulsets`,
    object: named('StatefulSet', 'apps/v1', {
      replicas: 2,
      serviceName: 'none',
      selector: SELECTOR,
      template: TEMPLATE,
    }),
    isDone: ({ status }) => status?.availableReplicas === 2,
  },
  {
    path: `${APPS}#daemonsets`,
    object: named('DaemonSet', 'apps/v1', { selector: SELECTOR, template: TEMPLATE }),
    isDone: ({ status }) => status?.numberAvailable === NODES,
  },
  {
    path: 'apis/batch/v1#jobs',
    object: named('Job', 'batch/v1', JOB_SPEC),
    isDone: ({ status }) => status?.succeeded === 2 && has(status, 'Complete'),
  },
];

function named(kind: string, apiVersion: string, spec: Json) {
  return { apiVersion, kind, metadata: { name: kind.toLowerCase(), labels: LABELS }, spec };
}

function has(status: Json, type: string): boolean {
  return status.conditions?.some((each: Json) => each.type === type && each.status === 'True');
}

/** What one round did. */
export interface Round {
  readonly pods: number;
}

/**
 * Creates one workload of every kind in a namespace of its own, waits for their pods to run, deletes
 * the workloads, waits for all they made to be collected, and at last for the namespace to go.
 */
export async function runRound(api: Api, namespace: string): Promise<Round> {
  await api.create('/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  });
  // Without it pods are refused, and a CronJob would lose its minute.
  const account = `/api/v1/namespaces/${namespace}/serviceaccounts/default`;
  await api.until(account, ({ code }) => code === 200);
  const at = (path: string) => `/${path.replace('#', `/namespaces/${namespace}/`)}`;
  for (const { path, object } of WORKLOADS) await api.create(at(path), object);

  for (const { path, object, isDone } of WORKLOADS) {
    await api.until(`${at(path)}/${object.metadata.name}`, ({ body }) => isDone(body));
  }
  const pods = await api.until(at('api/v1#pods'), allScheduled);

  // The last one in the foreground, so that it goes after its pods.
  for (const [index, { path, object }] of WORKLOADS.entries()) {
    const propagationPolicy = index === WORKLOADS.length - 1 ? 'Foreground' : 'Background';
    await api.delete(`${at(path)}/${object.metadata.name}`, { propagationPolicy });
  }
  for (const path of [...WORKLOADS.map((each) => each.path), ...OFFSPRING]) {
    await api.until(at(path), isEmpty);
  }
  await api.create(at('api/v1#configmaps'), {
    metadata: { name: 'left', finalizers: ['judge.example/held'] },
  });
  await api.delete(`/api/v1/namespaces/${namespace}`);
  await api.until(`/api/v1/namespaces/${namespace}`, ({ body }) =>
    has(body.status, 'NamespaceFinalizersRemaining'),
  );
  await api.patch(`${at('api/v1#configmaps')}/left`, { metadata: { finalizers: null } });
  await api.until(`/api/v1/namespaces/${namespace}`, ({ code }) => code === 404);
  return { pods: pods.items.length };
}

function isEmpty({ body }: Answer): boolean {
  return body.items.length === 0;
}

function allScheduled({ body }: Answer): boolean {
  return body.items.every(
    ({ spec, status }: Json) =>
      spec.nodeName !== undefined && ['Running', 'Succeeded'].includes(status.phase),
  );
}
