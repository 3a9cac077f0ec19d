import type { Table, TableRow } from '@flotilla/client';
import { formatLabels, isJsonObject } from '@flotilla/machinery';
import { type SortPath, sortKeyOf } from '../sort/sort-key.ts';
import type { Column, Row } from './table-part.ts';

/** What stands beside the columns of the server. */
export interface Decoration {
  /** Undefined shows none; a function tells it where rows carry no object. */
  readonly namespace?: ((row: TableRow) => string) | undefined;
  /** `-L`. */
  readonly labelColumns: readonly string[];
  readonly showLabels: boolean;
  readonly sortPath?: SortPath | undefined;
}

/** The columns of a table as they are shown: `[NAMESPACE] <server's> <-L's> [LABELS]`. */
export function decorateColumns(
  { columnDefinitions }: Pick<Table, 'columnDefinitions'>,
  { namespace, labelColumns, showLabels }: Decoration,
): Column[] {
  const own = columnDefinitions.map((definition): Column => {
    const { name, format, type, priority } = definition;
    return {
      name: String(name),
      isName: format === 'name' && type === 'string',
      priority: typeof priority === 'number' ? priority : 0,
    };
  });
  return [
    ...(namespace === undefined ? [] : [NAMESPACE_COLUMN]),
    ...own,
    // The part behind the last slash tells enough.
    ...labelColumns.map((label) => added(label.split('/').at(-1) ?? label)),
    ...(showLabels ? [added('Labels')] : []),
  ];
}

/** What `-A` shows first. */
export const NAMESPACE_COLUMN: Column = { ...added('Namespace'), isNamespace: true };

function added(name: string): Column {
  return { name, isName: false, priority: 0 };
}

/** A row with the cells of those columns; nothing else of its object is kept. */
export function decorateRow(row: TableRow, decoration: Decoration): Row {
  const { namespace, labelColumns, showLabels, sortPath } = decoration;
  const cells = Array.isArray(row.cells) ? (row.cells as unknown[]) : [];
  const key = sortPath === undefined ? undefined : sortKeyOf(row.object, sortPath);
  const isPlain = namespace === undefined && labelColumns.length === 0 && !showLabels;
  if (isPlain) return key === undefined ? { cells } : { cells, key };
  const all = namespace === undefined ? [...cells] : [namespace(row), ...cells];
  // Behind whatever the server sent, as in kubectl, also where that is more than it has columns for.
  if (labelColumns.length > 0 || showLabels) {
    const given: unknown = row.object?.metadata?.labels;
    const labels = isJsonObject(given) ? (given as Record<string, string>) : {};
    for (const label of labelColumns) all.push(labels[label] ?? '');
    if (showLabels) all.push(formatLabels(labels) || '<none>');
  }
  return key === undefined ? { cells: all } : { cells: all, key };
}
