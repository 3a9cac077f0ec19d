import { ChunkedWriter } from '../chunked-writer.ts';
import { sortBy } from '../sort/sort-by.ts';
import { Layout } from './layout.ts';
import { tableLines } from './table-lines.ts';
import type { TableOptions, Write } from './table-options.ts';
import type { Row, TableGroup } from './table-part.ts';

/**
 * Prints tables, one for each type, with a blank line between those that have something to show. Rows are in the order
 * of their clusters and then as the server gave them, unless they are sorted. Tells whether anything was printed.
 */
export async function printTables(
  groups: readonly TableGroup[],
  options: TableOptions,
  write: Write,
): Promise<boolean> {
  const writer = new ChunkedWriter(write);
  const showKind = options.showKind || groups.length > 1;
  for (const group of groups) {
    await printTable(group, { ...options, showKind }, writer);
  }
  await writer.flush();
  return writer.hasText;
}

/** A row and the place of its part. */
interface PlacedRow {
  readonly row: Row;
  readonly part: number;
}

async function printTable(
  { parts, kindPrefix }: TableGroup,
  options: TableOptions,
  writer: ChunkedWriter,
): Promise<void> {
  const rows = rowsOf(parts, options);
  const { hasHeaders, isHeaderKept = false, colours, showKind } = options;
  if (rows.length === 0 && !(hasHeaders && isHeaderKept)) return;
  const { header, clusterAt, cells } = tableLines(parts, options, showKind ? kindPrefix : '');
  const layout = new Layout();
  if (hasHeaders) layout.measure(header);
  // Cells are worked out twice, so that the text of all rows is never held at once.
  for (const { row, part } of rows) layout.measure(cells(row, part));
  if (hasHeaders) {
    if (writer.hasText) await writer.add('\n');
    await writer.add(`${layout.line(header)}\n`);
  }
  for (const { row, part } of rows) {
    const name = parts[part]?.cluster ?? '';
    const paint = colours.isOn
      ? { column: clusterAt, colour: (text: string) => colours.cluster(name, text) }
      : undefined;
    const full = writer.add(`${layout.line(cells(row, part), paint)}\n`);
    if (full !== undefined) await full;
  }
}

function rowsOf(parts: TableGroup['parts'], { sortPath }: TableOptions): readonly PlacedRow[] {
  const rows = parts.flatMap((part, index) => part.rows.map((row) => ({ row, part: index })));
  return sortPath === undefined ? rows : sortBy(rows, ({ row }) => row.key, sortPath);
}
