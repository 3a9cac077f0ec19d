import {
  defineKind,
  isNotFound,
  type Kind,
  type KubeObject,
  statusErrorOf,
} from '@flotilla/machinery';
import { Absent, NO_SUCH_TYPE } from '../../fan-out/answer-errors.ts';
import type { Member } from '../../fan-out/member.ts';

/** What a pod uses, as metrics.k8s.io tells it. */
export interface PodMetrics extends KubeObject {
  containers?: readonly { name?: string; usage?: unknown }[] | null;
}

/** What a node uses. */
export interface NodeMetrics extends KubeObject {
  usage?: unknown;
}

const api = { group: 'metrics.k8s.io', version: 'v1beta1' };

/** Pods of metrics.k8s.io. */
export const PodMetricses = defineKind<PodMetrics>({
  ...api,
  kind: 'PodMetrics',
  plural: 'pods',
  namespaced: true,
});

/** Nodes of metrics.k8s.io. */
export const NodeMetricses = defineKind<NodeMetrics>({
  ...api,
  kind: 'NodeMetrics',
  plural: 'nodes',
  namespaced: false,
});

/** Which metrics are asked for. */
export interface MetricsQuestion {
  /** Undefined for all namespaces, and for nodes. */
  readonly namespace: string | undefined;
  readonly name?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

/** Asks for metrics. A server without the API is absent in kubectl's words; there is no need to discover it first. */
export async function askMetrics<T extends KubeObject>(
  { client, signal }: Member,
  kind: Kind<T>,
  { namespace, name, labelSelector, fieldSelector }: MetricsQuestion,
): Promise<T[]> {
  try {
    if (name !== undefined) {
      const key = namespace === undefined ? { name } : { name, namespace };
      return [await client.get(kind, key, { signal })];
    }
    const { items } = await client.list(kind, {
      signal,
      // They are not paged.
      pageSize: 0,
      namespace,
      ...(labelSelector === undefined ? {} : { labelSelector }),
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
    });
    return items;
  } catch (error) {
    if (isPathMissing(error)) throw new Absent('Metrics API not available', NO_SUCH_TYPE);
    throw error;
  }
}

/** A 404 about a path that nobody serves, and not about an object. */
function isPathMissing(error: unknown): boolean {
  if (!isNotFound(error)) return false;
  const { name, causes = [] } = statusErrorOf(error)?.details ?? {};
  return name === undefined || causes.some(({ reason }) => reason === 'UnexpectedServerResponse');
}
