import type { Json } from '@flotilla/machinery';
import type { Outcome } from '../../fan-out/outcome.ts';
import type { Session } from '../../session.ts';
import { printableLine } from '../../text/printable.ts';
import { UsageError } from '../../usage-error.ts';
import type { Call } from '../../verb.ts';
import { type Amounts, amountText, sumAmounts } from './amounts.ts';
import {
  askPods,
  type PodAnswer,
  type PodPlan,
  type PodUsage,
  podOrder,
  showsNamespaces,
} from './ask-pods.ts';
import { printTopTable, type TopLine } from './print-lines.ts';
import { sumLines } from './sum-lines.ts';
import { makeTopPlan, readFieldSelector } from './top-plan.ts';

const NAME_AND_SELECTOR = 'only one of NAME or selector can be provided';
const HEADERS = { cpu: 'CPU(cores)', memory: 'MEMORY(bytes)', swap: 'SWAP(bytes)' };

/** Shows what the pods of all clusters use. */
export async function runTopPods(call: Call, session: Session): Promise<number> {
  const plan = makePodPlan(call, session);
  const outcomes = await session.fanOut(
    await session.fleet(plan.clusters),
    (member) => askPods(member, plan),
    { isEmpty: ({ pods }) => pods.length === 0 },
  );
  if (plan.format !== undefined) {
    const { printEnvelope } = await import('../print-envelope.ts');
    const items = ({ pods }: PodAnswer) => pods.map(({ object }) => object as unknown as Json);
    await printEnvelope(outcomes, { format: plan.format, items }, session);
    return session.conclude(outcomes);
  }
  if (outcomes.some(({ status, value }) => status === 'ok' && value !== undefined)) {
    await printPods(plan, outcomes, session);
  } else if (outcomes.some(({ status }) => status === 'empty')) {
    session.io.err(`${emptyText(outcomes)}\n`);
  }
  return session.conclude(outcomes);
}

function makePodPlan(call: Call, { settings, io }: Session): PodPlan {
  const { flags } = call;
  const plan = makeTopPlan(call, { type: 'pod', nameAndSelector: NAME_AND_SELECTOR });
  const fieldSelector = readFieldSelector(flags);
  if (plan.name !== undefined && fieldSelector !== undefined) {
    throw new UsageError(NAME_AND_SELECTOR);
  }
  const allNamespaces = flags.bool('all-namespaces');
  return {
    ...plan,
    fieldSelector,
    allNamespaces,
    namespaces: allNamespaces ? [] : [...new Set(settings.kubectl.namespaces)].sort(),
    hasContainers: flags.bool('containers'),
    now: io.clock.now,
  };
}

async function printPods(
  plan: PodPlan,
  outcomes: readonly Outcome<PodAnswer>[],
  session: Session,
): Promise<void> {
  const { measured, hasContainers, hasHeaders, hasSum, sortBy } = plan;
  const names = [
    ...(showsNamespaces(plan) ? ['NAMESPACE'] : []),
    ...(hasContainers ? ['POD'] : []),
    'NAME',
  ];
  const usage = (amounts: Amounts): string[] =>
    measured.map((resource) => amountText(resource, amounts[resource]));
  const clusters = outcomes.map(({ cluster, value }) => ({
    cluster: cluster.name,
    items: value?.pods ?? [],
  }));
  const all = clusters.flatMap(({ cluster, items }) => items.map((pod) => ({ cluster, pod })));
  const compare = podOrder(plan);
  // Within a cluster they are in order; only amounts have an order over all clusters.
  if (sortBy !== undefined) all.sort((a, b) => compare(a.pod, b.pod));
  const lines = all.flatMap(({ cluster, pod }) =>
    podRows(pod, plan).map(({ cells, amounts }): TopLine => {
      return { cells: [...cells, ...usage(amounts)], cluster };
    }),
  );
  const sums = hasSum
    ? sumLines<PodUsage>({
        clusters,
        before: names.length,
        cells: (pods) => usage(sumAmounts(pods.map(({ amounts }) => amounts))),
        clusterColumn: session.settings.output.clusterColumn,
      })
    : [];
  await printTopTable(
    {
      header: hasHeaders ? [...names, ...measured.map((resource) => HEADERS[resource])] : undefined,
      nameEnd: names.length,
      lines: [...lines, ...sums],
    },
    session,
  );
}

/** A pod, or each of its containers. */
function podRows(
  { namespace, name, amounts, containers }: PodUsage,
  plan: PodPlan,
): { readonly cells: readonly string[]; readonly amounts: Amounts }[] {
  const place = showsNamespaces(plan) ? [namespace] : [];
  if (!plan.hasContainers) return [{ cells: [...place, name], amounts }];
  return containers.map((container) => ({
    cells: [...place, name, container.name],
    amounts: container.amounts,
  }));
}

function emptyText(outcomes: readonly Outcome<PodAnswer>[]): string {
  const asked = outcomes.flatMap(({ value }) => (value === undefined ? [] : [value.namespaces]));
  const [only = '', ...others] = new Set(asked.map((namespaces) => namespaces.join(', ')));
  if (only === '' || others.length > 0) return 'No resources found';
  const word = only.includes(', ') ? 'namespaces' : 'namespace';
  return `No resources found in ${printableLine(only)} ${word}.`;
}
