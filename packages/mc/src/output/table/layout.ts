const PADDING = 3;
const NARROWEST = 6;
const HIGH_SURROGATE = /[\ud800-\udbff]/;

/** Lines next to each other that have a column, and how wide it is there. */
interface Run {
  readonly start: number;
  readonly width: number;
}

/**
 * Lays lines out as kubectl's tabwriter does: a column is as wide as its widest cell and three spaces, no narrower than
 * six. Lines may have different numbers of cells; a line that has no such column ends it, and below begins another,
 * which is never narrower. First all lines of a batch are measured, then the same lines are written in the same order.
 */
export class Layout {
  /** Widest so far, by column, also in batches before. */
  readonly #remembered: number[] = [];
  /** The runs that the last measured line is in. */
  #open: { readonly start: number; width: number }[] = [];
  #runs: Run[][] = [];
  #measured = 0;
  #written = 0;

  /** Makes room for a line. The last cell of a line ends no column, so it widens none. */
  measure(cells: readonly string[]): void {
    const columns = Math.max(0, cells.length - 1);
    if (this.#open.length > columns) this.#close(columns);
    for (let column = 0; column < columns; column++) {
      const width = codePoints(cells[column] ?? '') + PADDING;
      const run = this.#open[column];
      if (run === undefined) {
        this.#open.push({ start: this.#measured, width: Math.max(width, NARROWEST) });
      } else if (width > run.width) {
        run.width = width;
      }
    }
    this.#measured += 1;
  }

  /** The next of the measured lines, without its end. */
  line(cells: readonly string[], paint?: Paint): string {
    this.#close(0);
    let text = '';
    for (let column = 0; column < cells.length; column++) {
      const cell = cells[column] ?? '';
      const shown = paint?.column === column ? paint.colour(cell) : cell;
      const width = column === cells.length - 1 ? 0 : this.#widthOf(column);
      text += shown.padEnd(width + shown.length - codePoints(cell));
    }
    this.#written += 1;
    if (this.#written === this.#measured) this.#startBatch();
    return text;
  }

  #close(from: number): void {
    while (this.#open.length > from) {
      const run = this.#open.pop();
      const column = this.#open.length;
      if (run === undefined) continue;
      const width = Math.max(run.width, this.#remembered[column] ?? 0);
      this.#remembered[column] = width;
      this.#runs[column] ??= [];
      this.#runs[column].push({ start: run.start, width });
    }
  }

  #widthOf(column: number): number {
    const runs = this.#runs[column] ?? [];
    // Runs are in order, and those that are over are not needed again.
    while (runs.length > 1 && (runs[1]?.start ?? 0) <= this.#written) runs.shift();
    return runs[0]?.width ?? 0;
  }

  #startBatch(): void {
    this.#runs = [];
    this.#measured = 0;
    this.#written = 0;
  }
}

/** Which cell of a line has a colour; padding has none, and neither counts nor is counted. */
export interface Paint {
  readonly column: number;
  readonly colour: (cell: string) => string;
}

/** Cells are measured in code points, as Go measures them. */
function codePoints(text: string): number {
  let count = text.length;
  if (!HIGH_SURROGATE.test(text)) return count;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit <= 0xdbff) count--;
  }
  return count;
}
