import type { Outcome } from '../../fan-out/outcome.ts';
import { kindPrefix } from '../../output/formats/name.ts';
import { NAMESPACE_COLUMN } from '../../output/table/decorate.ts';
import { printTables } from '../../output/table/print-tables.ts';
import { StreamTable } from '../../output/table/stream-table.ts';
import type { TableOptions } from '../../output/table/table-options.ts';
import type { TableGroup, TablePart } from '../../output/table/table-part.ts';
import type { Session } from '../../session.ts';
import type { Answer, Segment } from './answer.ts';
import { finishGet, unknownEverywhere } from './finish.ts';
import type { GetPlan } from './plan.ts';
import { askTables, type TableContent } from './table-answer.ts';

/** How tables are listed. */
export interface TableListing {
  readonly options: TableOptions;
  readonly isCsv: boolean;
  /** Prints each cluster as it answers. */
  readonly isStreamed: boolean;
}

type TableAnswer = Answer<TableContent>;

/** Asks the clusters for tables and prints them as one for each type. */
export async function listTables(
  plan: GetPlan,
  session: Session,
  listing: TableListing,
): Promise<number> {
  const { options, isStreamed } = listing;
  const streamed = isStreamed ? streamTables(plan, options, session.io.out) : undefined;
  const outcomes = await session.fanOut(
    await session.fleet(plan.clusters),
    (member) => askTables(member, plan),
    {
      isEmpty: ({ segments }) => segments.every(({ content }) => content.rows.length === 0),
      onOutcome: (outcome) => streamed?.add(outcome),
    },
  );
  const hasOutput = await (streamed === undefined
    ? printAll(outcomes, { plan, session, listing })
    : streamed.done());
  return finishGet({ session, plan }, outcomes, { output: hasOutput ? 'some' : 'none' });
}

/** Whether there was anything to print. */
async function printAll(
  outcomes: readonly Outcome<TableAnswer>[],
  { plan, session: { io }, listing }: PrintContext,
): Promise<boolean> {
  if (unknownEverywhere(outcomes, plan).length > 0) return false;
  const groups = groupTables(outcomes);
  if (!listing.isCsv) return await printTables(groups, listing.options, io.out);
  const { printCsv } = await import('../../output/formats/csv.ts');
  return await printCsv(groups, listing.options, io.out);
}

interface PrintContext {
  readonly plan: GetPlan;
  readonly session: Session;
  readonly listing: TableListing;
}

/** The answers of all clusters by type, in the order of what was asked for; neighbours of one type are one table. */
export function groupTables(outcomes: readonly Outcome<TableAnswer>[]): TableGroup[] {
  const places = new Map<string, { segment: number; type: string; group: TableGroup }>();
  for (const { cluster, value } of outcomes) {
    for (const each of value?.segments ?? []) {
      const type = typeOf(each);
      const key = `${each.segment} ${type}`;
      const place = places.get(key) ?? {
        segment: each.segment,
        type,
        group: { kindPrefix: kindPrefix(each.resource), parts: [] },
      };
      places.set(key, place);
      (place.group.parts as TablePart[]).push({ cluster: cluster.name, ...each.content });
    }
  }
  const ordered = [...places.values()].sort((a, b) => a.segment - b.segment);
  const groups: { type: string; group: TableGroup }[] = [];
  for (const { type, group } of ordered) {
    const last = groups.at(-1);
    if (last?.type === type) last.group = joined(last.group, group);
    else groups.push({ type, group });
  }
  return withNamespaces(groups.map(({ group }) => group));
}

/** Once a table has shown namespaces, kubectl shows the column in all that follow, empty where there are none. */
function withNamespaces(groups: readonly TableGroup[]): TableGroup[] {
  const hasColumn = ({ columns }: TablePart) => columns[0]?.isNamespace === true;
  const first = groups.findIndex(({ parts }) => parts.some(hasColumn));
  return groups.map((group, index) => ({
    ...group,
    parts: group.parts.map((part) =>
      first < 0 || index < first || hasColumn(part) || part.columns.length === 0
        ? part
        : {
            ...part,
            columns: [NAMESPACE_COLUMN, ...part.columns],
            rows: part.rows.map((row) => ({ ...row, cells: ['', ...row.cells] })),
          },
    ),
  }));
}

/** All of one cluster before all of the next. */
function joined(one: TableGroup, other: TableGroup): TableGroup {
  const clusters = [...new Set([...one.parts, ...other.parts].map(({ cluster }) => cluster))];
  const of = (cluster: string) =>
    [...one.parts, ...other.parts].filter((part) => part.cluster === cluster);
  return { kindPrefix: one.kindPrefix, parts: clusters.sort().flatMap(of) };
}

function typeOf({ resource }: Segment<unknown>): string {
  return `${resource.plural}.${resource.group}`;
}

/** Prints clusters in the order they answer, a table for each type. */
function streamTables(plan: GetPlan, options: TableOptions, write: Session['io']['out']) {
  const tables = new Map<string, StreamTable>();
  const isManyTypes = new Set(plan.targets.map(({ type }) => type)).size > 1;
  let last: string | undefined;
  let writing = Promise.resolve();
  const add = async ({ cluster, value }: Outcome<TableAnswer>): Promise<void> => {
    const segments = value?.segments ?? [];
    for (const segment of segments) {
      if (segment.content.rows.length === 0) continue;
      const type = typeOf(segment);
      const showKind = options.showKind || isManyTypes || segments.length > 1;
      const table =
        tables.get(type) ??
        new StreamTable(options, showKind ? kindPrefix(segment.resource) : '', write);
      tables.set(type, table);
      if (last !== undefined && last !== type) {
        if (options.hasHeaders) await write('\n');
        table.repeatHeader();
      }
      last = type;
      await table.add({ cluster: cluster.name, ...segment.content });
      // It has been printed, and fleets may be large.
      segment.content.rows.length = 0;
    }
  };
  return {
    add: (outcome: Outcome<TableAnswer>) => {
      writing = writing.then(() => add(outcome));
      writing.catch(() => {});
    },
    /** Whether anything was printed. */
    done: async () => {
      await writing;
      return last !== undefined;
    },
  };
}
