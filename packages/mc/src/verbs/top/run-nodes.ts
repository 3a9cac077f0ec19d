import type { Json } from '@flotilla/machinery';
import type { Outcome } from '../../fan-out/outcome.ts';
import type { Session } from '../../session.ts';
import type { Call } from '../../verb.ts';
import { amountText, type Measured, shareText, sumAmounts, UNKNOWN } from './amounts.ts';
import { askNodes, type NodePlan, type NodeUsage, nodeOrder } from './ask-nodes.ts';
import { printTopTable } from './print-lines.ts';
import { sumLines } from './sum-lines.ts';
import { makeTopPlan } from './top-plan.ts';

const HEADERS: Readonly<Record<Measured, readonly string[]>> = {
  cpu: ['CPU(cores)', 'CPU(%)'],
  memory: ['MEMORY(bytes)', 'MEMORY(%)'],
  swap: ['SWAP(bytes)', 'SWAP(%)'],
};

/** Shows what the nodes of all clusters use, and how much of what they have that is. */
export async function runTopNodes(call: Call, session: Session): Promise<number> {
  const plan: NodePlan = {
    ...makeTopPlan(call, {
      type: 'node',
      nameAndSelector: 'only one of NAME or --selector can be provided',
    }),
    ofCapacity: call.flags.bool('show-capacity'),
  };
  const outcomes = await session.fanOut(await session.fleet(plan.clusters), (member) =>
    askNodes(member, plan),
  );
  if (plan.format !== undefined) {
    const { printEnvelope } = await import('../print-envelope.ts');
    const items = (nodes: readonly NodeUsage[]) =>
      nodes.flatMap(({ object }) => (object === undefined ? [] : [object as unknown as Json]));
    await printEnvelope(outcomes, { format: plan.format, items }, session);
  } else if (outcomes.some(({ value }) => value !== undefined)) {
    await printNodes(plan, outcomes, session);
  }
  return session.conclude(outcomes);
}

async function printNodes(
  { measured, hasHeaders, hasSum, sortBy }: NodePlan,
  outcomes: readonly Outcome<readonly NodeUsage[]>[],
  session: Session,
): Promise<void> {
  const clusters = outcomes.map(({ cluster, value = [] }) => ({
    cluster: cluster.name,
    items: value,
  }));
  const all = clusters.flatMap(({ cluster, items }) => items.map((node) => ({ cluster, node })));
  const compare = nodeOrder(sortBy);
  if (sortBy !== undefined) all.sort((a, b) => compare(a.node, b.node));
  const lines = all.map(({ cluster, node }) => ({
    cells: [node.name, ...usageCells(node, measured)],
    cluster,
  }));
  const sums = hasSum
    ? sumLines<NodeUsage>({
        clusters,
        before: 1,
        cells: (nodes) => usageCells(together(nodes), measured),
        clusterColumn: session.settings.output.clusterColumn,
      })
    : [];
  await printTopTable(
    {
      header: hasHeaders
        ? ['NAME', ...measured.flatMap((resource) => HEADERS[resource])]
        : undefined,
      nameEnd: 1,
      lines: [...lines, ...sums],
    },
    session,
  );
}

/** A line is shorter where nobody knows what a node has, as it is in kubectl. */
function usageCells(
  { amounts, available }: Pick<NodeUsage, 'amounts' | 'available'>,
  measured: readonly Measured[],
): string[] {
  return measured.flatMap((resource) => {
    const has = available?.[resource];
    const isWithout = resource === 'swap' && available !== undefined && has === undefined;
    if (amounts === undefined || isWithout) return [UNKNOWN, UNKNOWN];
    const used = amountText(resource, amounts[resource]);
    return has === undefined ? [used] : [used, shareText(amounts[resource], has)];
  });
}

/** Of nodes that were not measured, neither what they use nor what they have is counted. */
function together(nodes: readonly NodeUsage[]): Pick<NodeUsage, 'amounts' | 'available'> {
  const measured = nodes.filter(({ amounts }) => amounts !== undefined);
  return {
    amounts: sumAmounts(measured.map(({ amounts }) => amounts ?? {})),
    available: sumAmounts(measured.map(({ available }) => available ?? {})),
  };
}
