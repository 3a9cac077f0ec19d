import type { Api, Json } from '../api.ts';

const APPS = '/apis/apps/v1/namespaces';
const BATCH = '/apis/batch/v1/namespaces';

interface Watched {
  readonly path: (namespace: string) => string;
  readonly object: Json;
  readonly isDone: (status: Json) => boolean;
}

const LABELS = { app: 'shape' };
const SELECTOR = { matchLabels: LABELS };

function template(restartPolicy: string) {
  return {
    metadata: { labels: LABELS },
    spec: {
      restartPolicy,
      terminationGracePeriodSeconds: 0,
      containers: [{ name: 'main', image: 'registry.invalid/app:1' }],
    },
  };
}

function workload(kind: string, group: 'apps' | 'batch', spec: Json) {
  const labels = { app: kind.toLowerCase() };
  const metadata = { name: kind.toLowerCase() };
  const own = structuredClone(spec);
  if (own.selector !== undefined) own.selector = { matchLabels: labels };
  own.template.metadata.labels = labels;
  return { apiVersion: `${group}/v1`, kind, metadata, spec: own };
}

const WATCHED: readonly Watched[] = [
  {
    path: (namespace) => `${APPS}/${namespace}/deployments`,
    object: workload('Deployment', 'apps', {
      replicas: 2,
      selector: SELECTOR,
      template: template('Always'),
    }),
    isDone: ({ availableReplicas, conditions = [] }) =>
      availableReplicas === 2 &&
      conditions.some(({ reason }: Json) => reason === 'NewReplicaSetAvailable'),
  },
  {
    path: (namespace) => `${APPS}/${namespace}/statefulsets`,
    object: workload('StatefulSet', 'apps', {
      replicas: 2,
      serviceName: 'none',
      selector: SELECTOR,
      template: template('Always'),
    }),
    isDone: ({ availableReplicas }) => availableReplicas === 2,
  },
  {
    path: (namespace) => `${APPS}/${namespace}/daemonsets`,
    object: workload('DaemonSet', 'apps', { selector: SELECTOR, template: template('Always') }),
    isDone: ({ numberAvailable }) => numberAvailable === 2,
  },
  {
    path: (namespace) => `${BATCH}/${namespace}/jobs`,
    object: workload('Job', 'batch', {
      completions: 2,
      parallelism: 2,
      template: template('Never'),
    }),
    isDone: ({ conditions = [] }) => conditions.some(({ type }: Json) => type === 'Complete'),
  },
];

/** Statuses, annotations and offspring of one workload of every kind, without what is chance. */
export async function statusesOf(api: Api, namespace: string): Promise<Json> {
  await api.create('/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  });
  await api.until(
    `/api/v1/namespaces/${namespace}/serviceaccounts/default`,
    ({ code }) => code === 200,
  );
  for (const { path, object } of WATCHED) await api.create(path(namespace), object);
  const found: Json = {};
  for (const { path, object, isDone } of WATCHED) {
    const { name } = object.metadata;
    const done = await api.until(`${path(namespace)}/${name}`, ({ body }) =>
      isDone(body.status ?? {}),
    );
    const { annotations, finalizers } = done.metadata;
    found[name] = plain({ annotations, finalizers, status: done.status });
  }
  const sets = await api.until(`${APPS}/${namespace}/replicasets`, ({ body }) =>
    body.items.every(({ status }: Json) => status.availableReplicas === 2),
  );
  found.replicasets = sets.items.map(offspring);
  const revisions = await api.get(`${APPS}/${namespace}/controllerrevisions`);
  found.revisions = revisions.body.items.map(offspring);
  const pods = await api.until(`/api/v1/namespaces/${namespace}/pods`, ({ body }) =>
    body.items.every(({ metadata }: Json) => metadata.finalizers === undefined),
  );
  found.pods = pods.items
    .map(offspring)
    .sort((a: Json, b: Json) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return found;
}

/** What was made for a workload; of pods kwok writes another status than a kubelet. */
function offspring({ kind, metadata, spec, status, data, revision }: Json): Json {
  const { generateName, labels, annotations, ownerReferences } = metadata;
  const owners = ownerReferences.map((owner: Json) => ({ ...owner, uid: undefined }));
  const isPod = kind === undefined ? spec?.containers !== undefined : kind === 'Pod';
  const specShown = isPod ? podSpec(spec) : spec;
  return plain({
    name: metadata.name,
    generateName,
    labels,
    annotations,
    owners,
    spec: specShown,
    status: isPod ? undefined : status,
    data,
    revision,
  });
}

function podSpec({ hostname, subdomain, tolerations, affinity }: Json): Json {
  return { hostname, subdomain, tolerations, affinity };
}

/** Hashes, times and uids are chance; a hash is the same wherever it stands, which lengths would tell. */
function plain(value: Json): Json {
  const text = JSON.stringify(value)
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '<time>')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uid>')
    .replace(/-[bcdfghjklmnpqrstvwxz2456789]{5,10}(?=["\\-])/g, '-<hash>')
    .replace(
      /("(?:pod-template-hash|controller-revision-hash|controller.kubernetes.io\/hash)":)"[^"<]+"/g,
      '$1"<hash>"',
    );
  return JSON.parse(text);
}
