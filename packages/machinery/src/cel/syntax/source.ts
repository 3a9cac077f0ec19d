import type { CelIssue, CelIssues } from '../program.ts';

const MAX_ISSUES = 100;
const MAX_SNIPPET_BYTES = 16_384;

/** Collects what is wrong with a source, with places as lines and columns of code points. */
export class IssueList {
  readonly issues: CelIssue[] = [];
  readonly #source: string;
  #count = 0;

  constructor(source: string) {
    this.#source = source;
  }

  get any(): boolean {
    return this.#count > 0;
  }

  /** Notes a problem at an offset in UTF-16 units; -1 is nowhere. */
  report(pos: number, message: string): void {
    this.#count++;
    if (this.#count > MAX_ISSUES) return;
    this.issues.push({ ...locate(this.#source, pos), message });
  }

  /** The issues as clients of Kubernetes see them. */
  result(stage: CelIssues['stage']): CelIssues {
    const sorted = this.issues.toSorted((a, b) => a.line - b.line || a.column - b.column);
    const lines = this.#source.split('\n');
    const shown = sorted.map((issue) => display(issue, lines));
    if (this.#count > MAX_ISSUES) {
      shown.push(`${this.#count - MAX_ISSUES} more errors were truncated`);
    }
    return { ok: false, stage, issues: sorted, message: shown.join('\n') };
  }
}

function locate(source: string, pos: number): { line: number; column: number } {
  if (pos < 0) return { line: -1, column: -1 };
  // cel-go finds no line in an empty source.
  if (source === '') return { line: 1, column: -1 };
  let line = 1;
  let start = 0;
  for (let next = source.indexOf('\n'); next >= 0 && next < pos; ) {
    line++;
    start = next + 1;
    next = source.indexOf('\n', start);
  }
  return { line, column: [...source.slice(start, pos)].length };
}

function display(issue: CelIssue, lines: readonly string[]): string {
  const head = `ERROR: <input>:${issue.line}:${issue.column + 1}: ${issue.message}`;
  const snippet = lines[issue.line - 1]?.replaceAll('\t', ' ');
  if (
    snippet === undefined ||
    (snippet === '' && lines.length === 1) ||
    new TextEncoder().encode(snippet).length > MAX_SNIPPET_BYTES
  ) {
    return head;
  }
  // Characters beyond ASCII are marked with wide dots so that the caret stays below its place.
  const points = [...snippet];
  const isWide = (point: string | undefined) => point !== undefined && point > '\x7f';
  const dots = points.slice(0, Math.max(issue.column, 0)).map((c) => (isWide(c) ? '．' : '.'));
  const caret = isWide(points[Math.max(issue.column, 0)]) ? '＾' : '^';
  return `${head}\n | ${snippet}\n | ${dots.join('')}${caret}`;
}
