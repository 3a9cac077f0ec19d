import { Nodes } from '@flotilla/client';
import { isJsonObject, type KubeObject, quantityOf } from '@flotilla/machinery';
import type { Member } from '../../fan-out/member.ts';
import { type Amounts, byAmount, readAmounts } from './amounts.ts';
import { askMetrics, type NodeMetrics, NodeMetricses } from './metrics.ts';
import type { TopPlan } from './top-plan.ts';

/** Which nodes, and what their usage is compared with. */
export interface NodePlan extends TopPlan {
  /** What nodes have, instead of what pods may have of it. */
  readonly ofCapacity: boolean;
}

/** What a node uses, and what it has. */
export interface NodeUsage {
  readonly name: string;
  /** Undefined where nobody measured it. */
  readonly amounts: Amounts | undefined;
  /** Undefined where there is no such node any more. */
  readonly available: Amounts | undefined;
  /** As the server sent it; undefined where it sent nothing. */
  readonly object: NodeMetrics | undefined;
}

/** What the nodes of one cluster use: in kubectl's order, those without metrics last. */
export async function askNodes(member: Member, plan: NodePlan): Promise<NodeUsage[]> {
  const { sortBy } = plan;
  const measured = await askMetrics(member, NodeMetricses, { ...plan, namespace: undefined });
  if (measured.length === 0) throw new Error('metrics not available yet');
  const available = await askAvailable(member, plan);
  const nodes = measured.map((object): NodeUsage => {
    const name = object.metadata.name ?? '';
    const amounts = readAmounts(object.usage);
    return { name, amounts, available: available.get(name), object };
  });
  const names = new Set(nodes.map(({ name }) => name));
  const silent = [...available].flatMap(([name, has]): NodeUsage[] =>
    names.has(name) ? [] : [{ name, amounts: undefined, available: has, object: undefined }],
  );
  return [...nodes.sort(nodeOrder(sortBy)), ...silent.sort(nodeOrder(undefined))];
}

/** By name, or the most first; what was not measured comes last. */
export function nodeOrder(sortBy: NodePlan['sortBy']): (a: NodeUsage, b: NodeUsage) => number {
  if (sortBy === undefined) return (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
  const compare = byAmount(sortBy);
  return (a, b) => {
    const unmeasured = Number(a.amounts === undefined) - Number(b.amounts === undefined);
    return unmeasured || compare(a.amounts ?? {}, b.amounts ?? {});
  };
}

async function askAvailable(
  { client, signal }: Member,
  { name, labelSelector, ofCapacity }: NodePlan,
): Promise<Map<string, Amounts>> {
  const available = new Map<string, Amounts>();
  const take = (node: KubeObject): void => {
    const { status } = node as { readonly status?: unknown };
    const fields = isJsonObject(status) ? status : {};
    const has = readAmounts(ofCapacity ? fields['capacity'] : fields['allocatable']);
    const swap = swapOf(fields['nodeInfo']);
    // What a node calls allocatable has no swap in it.
    const { swap: _, ...rest } = has;
    available.set(node.metadata.name ?? '', swap === undefined ? rest : { ...rest, swap });
  };
  if (name !== undefined) {
    take(await client.get(Nodes, { name }, { signal }));
    return available;
  }
  const selection = labelSelector === undefined ? {} : { labelSelector };
  for await (const { items } of client.pages(Nodes, { ...selection, signal })) items.forEach(take);
  return available;
}

function swapOf(nodeInfo: unknown) {
  const swap = isJsonObject(nodeInfo) ? nodeInfo['swap'] : undefined;
  const capacity = isJsonObject(swap) ? swap['capacity'] : undefined;
  return typeof capacity === 'number' && Number.isSafeInteger(capacity)
    ? quantityOf(capacity, 'BinarySI')
    : undefined;
}
