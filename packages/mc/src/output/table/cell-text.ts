import { goSprint } from '@flotilla/machinery';
import { printableCell } from '../../text/printable.ts';

/** A cell as kubectl shows it: nothing for nil, cut at a line break, and safe for terminals. */
export function cellText(cell: unknown): string {
  if (typeof cell === 'string') return printableCell(cell);
  if (cell === null || cell === undefined) return '';
  return typeof cell === 'number' || typeof cell === 'boolean'
    ? String(cell)
    : printableCell(goSprint(cell));
}
