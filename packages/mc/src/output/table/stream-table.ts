import { Layout } from './layout.ts';
import { mergeColumns } from './merge-columns.ts';
import { type TableLines, tableLines } from './table-lines.ts';
import type { TableOptions, Write } from './table-options.ts';
import type { TablePart } from './table-part.ts';

/**
 * A table that is printed as its rows come: one header, and widths that only grow. A cluster that has columns nobody
 * had before is preceded by a new header.
 */
export class StreamTable {
  readonly #options: TableOptions;
  readonly #prefix: string;
  readonly #write: Write;
  readonly #layout = new Layout();
  #columns: TablePart['columns'] = [];
  #header: string | undefined;

  constructor(options: TableOptions, prefix: string, write: Write) {
    this.#options = options;
    this.#prefix = prefix;
    this.#write = write;
  }

  /** Prints the rows of one cluster; resolves when more can be taken. */
  async add(part: TablePart): Promise<void> {
    if (part.rows.length === 0) return;
    // What was shown before stays where it was, whether this cluster has it or not.
    const known = { cluster: '', columns: this.#columns };
    const lines = tableLines([known, part], this.#options, this.#prefix);
    this.#columns =
      part.columns.length > 0 ? mergedWith(this.#columns, part.columns) : this.#columns;
    await this.#write(this.#textOf(part, lines));
  }

  /** Prints the header again before what comes next. */
  repeatHeader(): void {
    this.#header = undefined;
  }

  #textOf(part: TablePart, { header, clusterAt, cells }: TableLines): string {
    const { hasHeaders, colours } = this.#options;
    const isNew = hasHeaders && header.join('\t') !== this.#header;
    if (isNew) this.#layout.measure(header);
    const texts = part.rows.map((row) => cells(row, 1));
    for (const text of texts) this.#layout.measure(text);
    const paint = colours.isOn
      ? { column: clusterAt, colour: (text: string) => colours.cluster(part.cluster, text) }
      : undefined;
    const rows = texts.map((text) => `${this.#layout.line(text, paint)}\n`);
    if (!isNew) return rows.join('');
    this.#header = header.join('\t');
    return [`${this.#layout.line(header)}\n`, ...rows].join('');
  }
}

function mergedWith(
  known: TablePart['columns'],
  columns: TablePart['columns'],
): TablePart['columns'] {
  return known === columns ? known : mergeColumns([known, columns]).columns;
}
