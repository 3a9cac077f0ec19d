import {
  type ApiResponse,
  type Mount,
  type MountedExchange,
  type MountedPrinter,
  type MountedResource,
  showList,
  showObject,
} from '@flotilla/apiserver';
import {
  type KubeObject,
  matchesFields,
  matchesLabels,
  notFound,
  parseFieldSelector,
  parseLabelSelector,
} from '@flotilla/machinery';

/** Amounts by resource, as metrics-server writes them: `{ cpu: '12345678n', memory: '3452Ki' }`. */
export type Usage = Readonly<Record<string, string>>;

/** What a pod uses, by container. */
export interface PodUsage {
  readonly name: string;
  /** @default 'default' */
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly containers: Readonly<Record<string, Usage>>;
}

/** What a node uses. */
export interface NodeUsage {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly usage: Usage;
}

/** What is measured; tests may change the lists while a server runs. */
export interface Measured {
  readonly pods?: readonly PodUsage[];
  readonly nodes?: readonly NodeUsage[];
}

const GROUP = 'metrics.k8s.io';
const VERSION = 'v1beta1';
const API_VERSION = `${GROUP}/${VERSION}`;
const MEASURED_AT = '2026-01-01T00:00:00Z';
const WINDOW = '15s';

const RESOURCES: readonly MountedResource[] = [
  { name: 'nodes', kind: 'NodeMetrics', namespaced: false, verbs: ['get', 'list'], singular: '' },
  { name: 'pods', kind: 'PodMetrics', namespaced: true, verbs: ['get', 'list'], singular: '' },
];

/**
 * Serves metrics.k8s.io/v1beta1 as metrics-server does behind an APIService: NodeMetrics and PodMetrics that can be got
 * and listed and nothing else.
 *
 * @example
 * const mounts = [mountMetrics({ nodes: [{ name: 'n1', usage: { cpu: '250m', memory: '1Gi' } }] })];
 * await using server = await startServer({ mounts });
 */
export function mountMetrics(measured: Measured): Mount {
  return {
    group: GROUP,
    version: VERSION,
    resources: RESOURCES,
    service: { namespace: 'kube-system', name: 'metrics-server', port: 443 },
    handle: async (exchange) => await Promise.resolve(answer(measured, exchange)),
  };
}

function answer({ pods = [], nodes = [] }: Measured, exchange: MountedExchange): ApiResponse {
  const { info, request, resource } = exchange;
  const objects = resource.name === 'nodes' ? nodes.map(nodeMetrics) : pods.map(podMetrics);
  const placed = objects.filter(
    ({ metadata }) => info.namespace === '' || metadata.namespace === info.namespace,
  );
  if (info.verb !== 'list') {
    const found = placed.find(({ metadata }) => metadata.name === info.name);
    if (found === undefined) throw missing(exchange);
    return showObject(request, PRINTER, found);
  }
  return showList(request, PRINTER, {
    kind: `${resource.kind}List`,
    apiVersion: API_VERSION,
    items: placed.filter((each) => isSelected(each, request.query)),
    itemsHaveKinds: true,
  });
}

/** In metrics-server's words. */
function missing({ info, resource }: MountedExchange): Error {
  const name = info.namespace === '' ? info.name : `${info.namespace}/${info.name}`;
  return notFound({ group: GROUP, resource: resource.kind.toLowerCase() }, name);
}

function isSelected({ metadata }: KubeObject, query: URLSearchParams): boolean {
  const { name = '', namespace = '', labels = {} } = metadata;
  const fields: Record<string, string> = { 'metadata.name': name, 'metadata.namespace': namespace };
  return (
    matchesLabels(parseLabelSelector(query.get('labelSelector') ?? ''), labels) &&
    matchesFields(
      parseFieldSelector(query.get('fieldSelector') ?? ''),
      (field) => fields[field] ?? '',
    )
  );
}

function podMetrics({ name, namespace = 'default', labels, containers }: PodUsage): KubeObject {
  return {
    kind: 'PodMetrics',
    apiVersion: API_VERSION,
    metadata: { name, namespace, creationTimestamp: MEASURED_AT, ...(labels ? { labels } : {}) },
    timestamp: MEASURED_AT,
    window: WINDOW,
    containers: Object.entries(containers).map(([container, usage]) => ({
      name: container,
      usage,
    })),
  } as KubeObject;
}

function nodeMetrics({ name, labels, usage }: NodeUsage): KubeObject {
  return {
    kind: 'NodeMetrics',
    apiVersion: API_VERSION,
    metadata: { name, creationTimestamp: MEASURED_AT, ...(labels ? { labels } : {}) },
    timestamp: MEASURED_AT,
    window: WINDOW,
    usage,
  } as KubeObject;
}

const PRINTER: MountedPrinter<KubeObject> = {
  columns: [
    { name: 'Name', type: 'string', format: 'name' },
    { name: 'Window', type: 'string' },
  ],
  cells: ({ metadata }) => [metadata.name ?? '', WINDOW],
};
