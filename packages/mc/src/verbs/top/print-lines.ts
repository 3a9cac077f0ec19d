import { ChunkedWriter } from '../../output/chunked-writer.ts';
import { cellText } from '../../output/table/cell-text.ts';
import { Layout } from '../../output/table/layout.ts';
import type { Session } from '../../session.ts';
import { chooseColours } from '../../text/colour.ts';

/** One line of a table of usage. */
export interface TopLine {
  readonly cells: readonly string[];
  /** Whose line it is; undefined for sums over all. */
  readonly cluster?: string | undefined;
}

/** A table of usage, before the column of clusters is in it. */
export interface TopTable {
  /** Undefined for none. */
  readonly header: readonly string[] | undefined;
  /** Behind how many cells the cluster stands, where it stands behind the name. */
  readonly nameEnd: number;
  readonly lines: readonly TopLine[];
}

/** Prints a table as kubectl's top does, which ends every cell of a line with a tab, the last one, too. */
export async function printTopTable(
  { header, nameEnd, lines }: TopTable,
  { io, settings }: Pick<Session, 'io' | 'settings'>,
): Promise<void> {
  const { clusterColumn, color } = settings.output;
  const colours = chooseColours(color, io).out;
  const column = clusterColumn === 'first' ? 0 : nameEnd;
  const whole = (cells: readonly string[], cluster: string): string[] => {
    const all = clusterColumn === 'none' ? cells : cells.toSpliced(column, 0, cluster);
    return [...all.map(cellText), ''];
  };
  const rows = lines.map(({ cells, cluster = '' }) => ({ cells: whole(cells, cluster), cluster }));
  const head = header === undefined ? undefined : whole(header, 'CLUSTER');
  const layout = new Layout();
  if (head !== undefined) layout.measure(head);
  for (const { cells } of rows) layout.measure(cells);
  const writer = new ChunkedWriter(io.out);
  if (head !== undefined) await writer.add(`${layout.line(head)}\n`);
  for (const { cells, cluster } of rows) {
    const isPainted = colours.isOn && clusterColumn !== 'none' && cluster !== '';
    const colour = (text: string): string => colours.cluster(cluster, text);
    const full = writer.add(`${layout.line(cells, isPainted ? { column, colour } : undefined)}\n`);
    if (full !== undefined) await full;
  }
  await writer.flush();
}
