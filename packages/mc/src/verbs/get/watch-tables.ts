import type { ApiResource, Table, TableRow } from '@flotilla/client';
import type { Member } from '../../fan-out/member.ts';
import type { Change } from '../../follow/follower.ts';
import { watchLimits } from '../../follow/object-source.ts';
import type { Item, Source } from '../../follow/source.ts';
import { kindPrefix } from '../../output/formats/name.ts';
import { sortLeniently } from '../../output/sort/sort-by.ts';
import { isMetadataPath } from '../../output/sort/sort-key.ts';
import { type Decoration, decorateColumns, decorateRow } from '../../output/table/decorate.ts';
import { StreamTable } from '../../output/table/stream-table.ts';
import type { Column, Row } from '../../output/table/table-part.ts';
import { matchesGlob } from '../../selection/glob.ts';
import type { Session } from '../../session.ts';
import type { Call } from '../../verb.ts';
import { tableOptions } from './list.ts';
import { plainTable } from './plain-table.ts';
import type { GetPlan } from './plan.ts';
import type { Question } from './visit-targets.ts';
import type { WatchView } from './watch.ts';
import { watchSelection } from './watch-selection.ts';

/** A row as it was last seen, with what its cells mean. */
interface SeenRow {
  readonly columns: readonly Column[];
  readonly row: Row;
  readonly prefix: string;
}

/** kubectl's words, all as wide as the widest. */
const EVENTS: Readonly<Record<Change<unknown>['type'], string>> = {
  ADDED: 'ADDED   ',
  MODIFIED: 'MODIFIED',
  DELETED: 'DELETED ',
};
const EVENT_COLUMN: Column = { name: 'Event', isName: false, priority: 0 };

/** Shows changes as rows of one table that servers print. */
export function tableView(call: Call, plan: GetPlan, session: Session): WatchView<SeenRow> {
  const options = tableOptions(call, plan, session);
  const showsEvents = call.flags.bool('output-watch-events');
  let table: StreamTable | undefined;
  return {
    source: (member, resource, question) =>
      tableSource(member, resource, { plan, question, session }),
    print: async (cluster, changes) => {
      const [first] = changes;
      if (first === undefined) return;
      table ??= new StreamTable(
        options,
        options.showKind ? first.value.prefix : '',
        session.io.out,
      );
      for (const { columns, rows } of runsOf(inOrder(changes, plan))) {
        await table.add(
          showsEvents
            ? {
                cluster,
                columns: [EVENT_COLUMN, ...columns],
                rows: rows.map(({ type, value }) => ({
                  cells: [EVENTS[type], ...value.row.cells],
                })),
              }
            : { cluster, columns, rows: rows.map(({ value }) => value.row) },
        );
      }
    },
  };
}

function inOrder(changes: readonly Change<SeenRow>[], { sortPath }: GetPlan) {
  return sortPath === undefined ? changes : sortLeniently(changes, ({ value }) => value.row.key);
}

interface RowRun {
  readonly columns: readonly Column[];
  readonly rows: Change<SeenRow>[];
}

/** Neighbours of the same columns; a server that was upgraded meanwhile may have others. */
function runsOf(changes: readonly Change<SeenRow>[]): RowRun[] {
  const runs: RowRun[] = [];
  for (const change of changes) {
    const last = runs.at(-1);
    if (last?.columns === change.value.columns) last.rows.push(change);
    else runs.push({ columns: change.value.columns, rows: [change] });
  }
  return runs;
}

interface TableReading {
  readonly plan: GetPlan;
  readonly question: Question;
  readonly session: Session;
}

function tableSource(
  { client }: Member,
  resource: ApiResource,
  { plan, question, session }: TableReading,
): Source<SeenRow> {
  const { sortPath, plainNow } = plan;
  const { glob } = question;
  const { io, settings } = session;
  const selection = watchSelection(plan, question);
  // Rows are told apart by the metadata of their objects.
  const includeObject =
    sortPath === undefined || isMetadataPath(sortPath)
      ? ('Metadata' as const)
      : ('Object' as const);
  const decoration = decorationOf(resource, { plan, question, session });
  const prefix = kindPrefix(resource);
  let columns: readonly Column[] = [];
  /** Watches leave the columns out after the first event. */
  const take = (table: Table): (Item<SeenRow> | undefined)[] => {
    if (table.columnDefinitions.length > 0) {
      const told = decorateColumns(table, decoration);
      if (!sameColumns(columns, told)) columns = told;
    }
    return table.rows.map((row) => {
      const {
        uid = '',
        resourceVersion = '',
        name = '',
        namespace = '',
      } = row.object?.metadata ?? {};
      if (glob !== undefined && !matchesGlob(glob, name)) return undefined;
      const value = { columns, prefix, row: decorateRow(row, decoration) };
      return { uid: uid === '' ? `${namespace}/${name}` : uid, resourceVersion, value };
    });
  };
  return {
    pageSize: plan.pageSize,
    pages: async function* (pageSize, signal) {
      const { timeoutMs } = settings.execution;
      const asked = { ...selection, pageSize, signal, timeoutMs };
      const pages =
        plainNow === undefined
          ? client.tablePages(resource, { ...asked, includeObject })
          : plainPages(client.pages(resource, asked), plainNow);
      for await (const page of pages) {
        const resourceVersion = page.metadata.resourceVersion ?? '';
        yield { items: take(page).flatMap((item) => item ?? []), resourceVersion };
      }
    },
    watch: async function* (resourceVersion, signal) {
      const asked = { ...selection, ...watchLimits(io), resourceVersion, signal };
      const events =
        plainNow === undefined
          ? client.watchTable(resource, { ...asked, includeObject })
          : plainEvents(client.watch(resource, asked), plainNow);
      for await (const { type, table } of events) {
        const at = table.metadata.resourceVersion ?? '';
        const [item] = type === 'BOOKMARK' ? [] : take(table);
        const reached = at === '' ? versionOf(table) : at;
        yield type === 'BOOKMARK' || item === undefined
          ? { resourceVersion: reached }
          : { resourceVersion: reached, change: { type, item } };
      }
    },
  };
}

function versionOf({ rows }: Table): string {
  return rows[0]?.object?.metadata?.resourceVersion ?? '';
}

function sameColumns(one: readonly Column[], other: readonly Column[]): boolean {
  return (
    one.length === other.length &&
    one.every(
      ({ name, priority, isName }, index) =>
        other[index]?.name === name &&
        other[index].priority === priority &&
        other[index].isName === isName,
    )
  );
}

async function* plainPages(
  pages: AsyncIterable<
    Pick<Table, 'metadata'> & { readonly items: Parameters<typeof plainTable>[0] }
  >,
  now: () => number,
): AsyncGenerator<Table> {
  for await (const { items, metadata } of pages) yield { ...plainTable(items, now), metadata };
}

async function* plainEvents(
  events: ReturnType<Member['client']['watch']>,
  now: () => number,
): AsyncGenerator<{
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly table: Table;
}> {
  for await (const { type, object } of events) yield { type, table: plainTable([object], now) };
}

function decorationOf({ namespaced }: ApiResource, { plan, question }: TableReading): Decoration {
  const { labelColumns, showLabels, sortPath, allNamespaces, namespaces } = plan;
  const isShown = namespaced && (allNamespaces || namespaces.length > 1);
  return {
    labelColumns,
    showLabels,
    sortPath,
    ...(isShown
      ? {
          namespace: (row: TableRow) => question.namespace ?? row.object?.metadata?.namespace ?? '',
        }
      : {}),
  };
}
