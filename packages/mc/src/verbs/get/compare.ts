import type { Outcome } from '../../fan-out/outcome.ts';
import { ChunkedWriter } from '../../output/chunked-writer.ts';
import {
  type CustomColumn,
  customCells,
  parseCustomColumns,
} from '../../output/formats/custom-columns.ts';
import { kindPrefix } from '../../output/formats/name.ts';
import { Layout } from '../../output/table/layout.ts';
import type { Session } from '../../session.ts';
import { printableLine } from '../../text/printable.ts';
import { UsageError } from '../../usage-error.ts';
import type { Call } from '../../verb.ts';
import type { Answer } from './answer.ts';
import { finishGet } from './finish.ts';
import { askObjects, type ObjectContent } from './object-answer.ts';
import type { GetPlan } from './plan.ts';

/** One object on one cluster. */
interface Sample {
  readonly namespace: string;
  /** With its kind where there are several. */
  readonly name: string;
  readonly kind: string;
  readonly cells: readonly string[];
}

const MISSING = '<missing>';

/**
 * Prints fields of the same object on all clusters below each other, with a column that names the fields in which a
 * cluster differs from most.
 */
export async function compareFields(call: Call, plan: GetPlan, session: Session): Promise<number> {
  const { flags } = call;
  const output = flags.text('output') ?? '';
  if (output !== '' && output !== 'wide') {
    throw new UsageError(`--compare cannot be used with ${output} printer`);
  }
  const columns = columnsOf(flags.texts('compare'));
  const outcomes = await session.fanOut(
    await session.fleet(plan.clusters),
    (member) =>
      askObjects(member, plan, (object, resource): Sample => {
        const { name = '', namespace = '' } = (object['metadata'] ?? {}) as Record<string, string>;
        const cells = customCells(object, columns).map(printableLine);
        return { name, namespace, kind: kindPrefix(resource), cells };
      }),
    { isEmpty: ({ segments }) => segments.every(({ content }) => content.kept.length === 0) },
  );
  const lines = linesOf(outcomes, columns);
  const isShown = lines.rows.length > 0;
  if (isShown) {
    const all = flags.bool('no-headers') ? lines.rows : [lines.header, ...lines.rows];
    await write(all, session);
  }
  return finishGet({ session, plan }, outcomes, { output: isShown ? 'some' : 'none' });
}

function columnsOf(fields: readonly string[]): CustomColumn[] {
  const paths = fields.map((field) => field.trim()).filter((field) => field !== '');
  if (paths.length === 0) throw new UsageError('--compare needs a field, such as .spec.replicas');
  return parseCustomColumns(paths.map((path) => `${headerOf(path)}:${path}`).join(','));
}

/** `.spec.replicas` is SPEC.REPLICAS; braces say nothing. */
function headerOf(path: string): string {
  return path.replace(/^\{?\.?|\}$/g, '').toUpperCase();
}

type Samples = Outcome<Answer<ObjectContent<Sample>>>;

function linesOf(
  outcomes: readonly Samples[],
  columns: readonly CustomColumn[],
): { readonly header: string[]; readonly rows: string[][] } {
  const answered = outcomes.filter(({ value }) => value !== undefined);
  const objects = new Map<string, Map<string, Sample>>();
  for (const { cluster, value } of answered) {
    for (const { content } of value?.segments ?? []) {
      for (const sample of content.kept) {
        const key = `${sample.kind}\n${sample.namespace}\n${sample.name}`;
        const found = objects.get(key) ?? new Map<string, Sample>();
        objects.set(key, found.set(cluster.name, sample));
      }
    }
  }
  const samples = [...objects.values()].flatMap((each) => [...each.values()]);
  const hasNamespaces = new Set(samples.map(({ namespace }) => namespace)).size > 1;
  const hasKinds = new Set(samples.map(({ kind }) => kind)).size > 1;
  const rows = [...objects.keys()].sort().flatMap((key) => {
    const found = objects.get(key) ?? new Map<string, Sample>();
    const usual = columns.map((_, index) =>
      mostFrequent([...found.values()].map(({ cells }) => cells[index] ?? '')),
    );
    const [kind = '', namespace = '', name = ''] = key.split('\n');
    return answered.map(({ cluster }) => {
      const sample = found.get(cluster.name);
      const cells = sample?.cells ?? columns.map(() => MISSING);
      const drift =
        sample === undefined
          ? ['missing']
          : columns.filter((_, at) => cells[at] !== usual[at]).map(({ header }) => header);
      return [
        ...(hasNamespaces ? [printableLine(namespace)] : []),
        printableLine(hasKinds ? kind + name : name),
        printableLine(cluster.name),
        ...cells,
        drift.join(',') || '<none>',
      ];
    });
  });
  const header = [
    ...(hasNamespaces ? ['NAMESPACE'] : []),
    'NAME',
    'CLUSTER',
    ...columns.map(({ header: each }) => each),
    'DRIFT',
  ];
  return { header, rows };
}

/** Of several that are as frequent, the first. */
function mostFrequent(values: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let usual: string | undefined;
  for (const [value, count] of counts) if (count > (counts.get(usual ?? '') ?? 0)) usual = value;
  return usual;
}

async function write(lines: readonly (readonly string[])[], { io }: Session): Promise<void> {
  const layout = new Layout();
  const writer = new ChunkedWriter(io.out);
  for (const line of lines) layout.measure(line);
  for (const line of lines) await writer.add(`${layout.line(line)}\n`);
  await writer.flush();
}
