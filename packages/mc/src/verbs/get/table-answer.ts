import type { ApiResource, IncludeObject, Table, TableRow } from '@flotilla/client';
import { matchesLabels } from '@flotilla/machinery';
import type { Member } from '../../fan-out/member.ts';
import { isMetadataPath } from '../../output/sort/sort-key.ts';
import { type Decoration, decorateColumns, decorateRow } from '../../output/table/decorate.ts';
import type { Column, Row } from '../../output/table/table-part.ts';
import { matchesGlob } from '../../selection/glob.ts';
import { type Answer, gatherAnswer, Segments } from './answer.ts';
import { plainTable, plainTables } from './plain-table.ts';
import { type GetPlan, selectionOf } from './plan.ts';
import { readPages } from './read-pages.ts';
import type { Question } from './visit-targets.ts';

/** The rows of one type that a cluster has. */
export interface TableContent {
  columns: readonly Column[];
  readonly rows: Row[];
}

/** Asks a cluster for tables, with as little of the objects as will do. */
export async function askTables(member: Member, plan: GetPlan): Promise<Answer<TableContent>> {
  const segments = new Segments<TableContent>(() => ({ columns: [], rows: [] }));
  return await gatherAnswer(member, plan, {
    segments,
    visit: (resource, question) => readTables(member, resource, { plan, question, segments }),
  });
}

interface Reading {
  readonly plan: GetPlan;
  readonly question: Question;
  readonly segments: Segments<TableContent>;
}

async function readTables(
  member: Member,
  resource: ApiResource,
  { plan, question, segments }: Reading,
): Promise<void> {
  const { client, signal } = member;
  const { segment, namespace, name, glob } = question;
  const includeObject = objectNeeded(resource, plan);
  const decoration = decorationOf(resource, plan, namespace);
  const take = (table: Table) => {
    takeTable(table, segments.of(resource, segment), {
      decoration,
      isWanted: rowFilter(table, plan, question),
    });
  };
  const { plainNow } = plan;
  if (name !== undefined && glob === undefined) {
    const key = namespace === undefined ? { name } : { name, namespace };
    const { subresource } = plan;
    take(
      plainNow === undefined
        ? await client.table(resource, { ...key, subresource, includeObject, signal })
        : plainTable([await client.get(resource, key, { signal })], plainNow),
    );
    return;
  }
  const selection = { ...selectionOf(plan), namespace, signal };
  const namespacesOnly = isNamespaceEnough(plan);
  const before = segments.of(resource, segment).rows.length;
  const pages = (pageSize: number): AsyncIterable<Table> =>
    plainNow === undefined
      ? client.tablePages(resource, { ...selection, includeObject, namespacesOnly, pageSize })
      : plainTables(client.pages(resource, { ...selection, pageSize }), plainNow);
  await readPages(
    {
      pages,
      take,
      restart: () => {
        segments.of(resource, segment).rows.length = before;
      },
    },
    plan.pageSize,
  );
}

function takeTable(
  table: Table,
  content: TableContent,
  { decoration, isWanted }: { readonly decoration: Decoration; readonly isWanted: RowFilter },
): void {
  // Later pages may leave the columns out.
  if (table.columnDefinitions.length > 0) content.columns = decorateColumns(table, decoration);
  const { rows, columns } = content;
  if (columns.length === 0 && table.rows.length > 0) {
    throw new TypeError('a table has rows and no columns');
  }
  for (const row of table.rows) if (isWanted(row)) rows.push(decorateRow(row, decoration));
}

type RowFilter = (row: TableRow) => boolean;

/** What servers cannot leave out: names that a glob does not mean, and what files name but selectors do not. */
function rowFilter(table: Table, { objectSelector }: GetPlan, { glob }: Question): RowFilter {
  if (glob !== undefined) {
    const nameAt = nameIndex(table);
    return (row) => matchesGlob(glob, nameOf(row, nameAt));
  }
  if (objectSelector === undefined) return () => true;
  return (row) => matchesLabels(objectSelector, row.object?.metadata?.labels);
}

function nameIndex({ columnDefinitions }: Table): number {
  return columnDefinitions.findIndex(({ format, type }) => format === 'name' && type === 'string');
}

function nameOf(row: TableRow, nameAt: number): string {
  const named = row.object?.metadata?.name ?? row.cells[nameAt];
  if (typeof named !== 'string') throw new TypeError('a row of a table has no name');
  return named;
}

/** Names and ages are in the cells; the rest needs the object's metadata, or, to sort by it, the object. */
function objectNeeded({ namespaced }: ApiResource, plan: GetPlan): IncludeObject {
  const { sortPath, labelColumns, showLabels, allNamespaces, objectSelector } = plan;
  if (sortPath !== undefined) return isMetadataPath(sortPath) ? 'Metadata' : 'Object';
  const needsLabels = labelColumns.length > 0 || showLabels || objectSelector !== undefined;
  const isNeeded = (allNamespaces && namespaced) || needsLabels;
  return isNeeded ? 'Metadata' : 'None';
}

/** Most of what `-A` brings is then never read. */
function isNamespaceEnough({
  sortPath,
  labelColumns,
  showLabels,
  allNamespaces,
}: GetPlan): boolean {
  return allNamespaces && sortPath === undefined && labelColumns.length === 0 && !showLabels;
}

function decorationOf(
  { namespaced }: ApiResource,
  plan: GetPlan,
  namespace: string | undefined,
): Decoration {
  const { labelColumns, showLabels, sortPath, allNamespaces, namespaces } = plan;
  const isShown = namespaced && (allNamespaces || namespaces.length > 1);
  return {
    labelColumns,
    showLabels,
    sortPath,
    ...(isShown
      ? { namespace: (row: TableRow) => namespace ?? row.object?.metadata?.namespace ?? '' }
      : {}),
  };
}
