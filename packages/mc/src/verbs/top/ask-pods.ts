import { Pods } from '@flotilla/client';
import { formatDuration, isNotFound } from '@flotilla/machinery';
import type { Member } from '../../fan-out/member.ts';
import { type Amounts, byAmount, readAmounts, sumAmounts } from './amounts.ts';
import { askMetrics, type PodMetrics, PodMetricses } from './metrics.ts';
import type { TopPlan } from './top-plan.ts';

/** Which pods. */
export interface PodPlan extends TopPlan {
  readonly allNamespaces: boolean;
  /** `-n`; empty means each cluster's own. */
  readonly namespaces: readonly string[];
  readonly fieldSelector?: string | undefined;
  readonly hasContainers: boolean;
  readonly now: () => number;
}

/** What a pod uses. */
export interface PodUsage {
  readonly namespace: string;
  readonly name: string;
  readonly amounts: Amounts;
  readonly containers: readonly { readonly name: string; readonly amounts: Amounts }[];
  /** As the server sent it. */
  readonly object: PodMetrics;
}

/** What the pods of one cluster use, in kubectl's order. */
export interface PodAnswer {
  readonly pods: readonly PodUsage[];
  /** Where it was asked; undefined for all namespaces. */
  readonly namespaces: readonly (string | undefined)[];
}

/** Metrics of a new pod may take as long. */
const CREATION_DELAY_MS = 120_000;

/** Whether pods may be of several namespaces. */
export function showsNamespaces({ allNamespaces, namespaces }: PodPlan): boolean {
  return allNamespaces || namespaces.length > 1;
}

/** Asks a cluster what its pods use. */
export async function askPods(member: Member, plan: PodPlan): Promise<PodAnswer> {
  const { allNamespaces, name } = plan;
  const own = plan.namespaces.length > 0 ? plan.namespaces : [member.namespace];
  // kubectl looks for a name in no namespace at all then, and says what the server says to that.
  const namespaces = allNamespaces ? [undefined] : own;
  const found: PodMetrics[] = [];
  let missing: unknown;
  for (const namespace of namespaces) {
    try {
      found.push(...(await askMetrics(member, PodMetricses, { ...plan, namespace })));
    } catch (error) {
      if (name === undefined || !isNotFound(error)) throw error;
      missing ??= error;
    }
  }
  if (found.length === 0) {
    if (missing !== undefined) throw missing as Error;
    await explainNothing(member, plan, namespaces);
  }
  const pods = found.map(readPod(plan)).sort(podOrder(plan));
  return { pods, namespaces };
}

/** By namespace, where that is shown, and name; or the most first. What is equal keeps its order. */
export function podOrder(plan: PodPlan): (a: PodUsage, b: PodUsage) => number {
  const { sortBy } = plan;
  if (sortBy !== undefined) {
    const compare = byAmount(sortBy);
    return (a, b) => compare(a.amounts, b.amounts);
  }
  const byNamespace = showsNamespaces(plan);
  return (a, b) =>
    (byNamespace ? compareText(a.namespace, b.namespace) : 0) || compareText(a.name, b.name);
}

function readPod({ sortBy }: PodPlan): (object: PodMetrics) => PodUsage {
  const compare = sortBy === undefined ? undefined : byAmount(sortBy);
  return (object) => {
    const { name = '', namespace = '' } = object.metadata;
    const containers = (object.containers ?? [])
      .map((container) => ({
        name: container.name ?? '',
        amounts: readAmounts(container.usage),
      }))
      .sort((a, b) => compare?.(a.amounts, b.amounts) ?? compareText(a.name, b.name));
    const amounts = sumAmounts(containers.map((container) => container.amounts));
    return { name, namespace, containers, amounts, object };
  };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Pods without metrics are a failure in kubectl's words; no pods are not. */
async function explainNothing(
  { client, signal }: Member,
  { labelSelector, fieldSelector, now }: PodPlan,
  namespaces: readonly (string | undefined)[],
): Promise<void> {
  const selection = {
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
  };
  let isAny = false;
  for (const namespace of namespaces) {
    const pages = client.pages(Pods, { ...selection, namespace, metadataOnly: true, signal });
    for await (const { items } of pages) {
      for (const { metadata } of items) {
        isAny = true;
        const ageMs = now() - Date.parse(metadata.creationTimestamp ?? '');
        if (!(ageMs > CREATION_DELAY_MS)) continue;
        const age = formatDuration(BigInt(Math.round(ageMs)) * 1_000_000n);
        throw new Error(
          `Metrics not available for pod ${metadata.namespace}/${metadata.name}, age: ${age}`,
        );
      }
    }
  }
  if (isAny) throw new Error('metrics not available yet');
}
