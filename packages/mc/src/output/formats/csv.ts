import { ChunkedWriter } from '../chunked-writer.ts';
import { sortBy } from '../sort/sort-by.ts';
import { tableLines } from '../table/table-lines.ts';
import type { TableOptions, Write } from '../table/table-options.ts';
import type { TableGroup } from '../table/table-part.ts';

/** Prints tables as CSV (RFC 4180), with a blank line between those of different types. Tells whether anything was. */
export async function printCsv(
  groups: readonly TableGroup[],
  options: TableOptions,
  write: Write,
): Promise<boolean> {
  const writer = new ChunkedWriter(write);
  const isKindShown = options.showKind || groups.length > 1;
  for (const { parts, kindPrefix } of groups) {
    const placed = parts.flatMap((part, index) => part.rows.map((row) => ({ row, part: index })));
    const rows =
      options.sortPath === undefined
        ? placed
        : sortBy(placed, ({ row }) => row.key, options.sortPath);
    if (rows.length === 0) continue;
    const { header, cells } = tableLines(parts, options, isKindShown ? kindPrefix : '');
    if (options.hasHeaders && writer.hasText) await writer.add('\r\n');
    if (options.hasHeaders) await writer.add(csvLine(header));
    for (const { row, part } of rows) {
      const full = writer.add(csvLine(cells(row, part)));
      if (full !== undefined) await full;
    }
  }
  await writer.flush();
  return writer.hasText;
}

function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: string): string {
  return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
