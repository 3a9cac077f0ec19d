import { SourceMap, type SourceMapPayload } from 'node:module';

/** A script as V8 reports it: functions with nested ranges, each with how often it ran. */
export interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly {
    readonly ranges: readonly { startOffset: number; endOffset: number; count: number }[];
  }[];
}

/** What Node keeps of a script's source map beside its coverage. */
export interface CachedMap {
  /** Without the line ends. */
  readonly lineLengths: readonly number[];
  readonly data: SourceMapPayload | null;
}

/** By source file: for each line that has code, whether any of it ran. */
export type LineCounts = Map<string, Map<number, boolean>>;

/** Adds what one run of one script covered. A line counts as run when its first code did. */
export function addCoverage(counts: LineCounts, script: ScriptCoverage, cached: CachedMap): void {
  if (cached.data === null) return;
  const map = new SourceMap(cached.data);
  const ranges = script.functions
    .flatMap(({ ranges: own }) => own)
    // Outer ranges first, so that the last that holds a place is the innermost.
    .sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  const sweep = createSweep(ranges);
  const seen = new Map<string, Set<number>>();
  let offset = 0;
  for (const [line, length] of cached.lineLengths.entries()) {
    for (const column of columnsOf(map, line, length)) {
      const entry = map.findEntry(line, column);
      if (!('originalSource' in entry)) continue;
      const { originalSource, originalLine } = entry;
      const lines = seen.get(originalSource) ?? new Set();
      seen.set(originalSource, lines);
      if (lines.has(originalLine)) continue;
      lines.add(originalLine);
      const file = counts.get(originalSource) ?? new Map<number, boolean>();
      counts.set(originalSource, file);
      const ran = sweep(offset + column) > 0;
      file.set(originalLine, ran || file.get(originalLine) === true);
    }
    offset += length + 1;
  }
}

/** Where segments of the map begin on a line of the bundle. */
function* columnsOf(map: SourceMap, line: number, length: number): Generator<number> {
  let column = 0;
  while (column < length) {
    const entry = map.findEntry(line, column);
    if ('generatedLine' in entry && entry.generatedLine === line) yield entry.generatedColumn;
    const next = nextColumn(map, line, [column, length]);
    if (next <= column) return;
    column = next;
  }
}

/** The first column after `from` that belongs to another segment, found by halving; `end` when there is none. */
function nextColumn(map: SourceMap, line: number, [from, end]: readonly [number, number]): number {
  const start = startOf(map, line, from);
  let [low, high] = [from, end];
  if (startOf(map, line, end) === start) return end;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (startOf(map, line, middle) === start) low = middle;
    else high = middle;
  }
  return high;
}

function startOf(map: SourceMap, line: number, column: number): number {
  const entry = map.findEntry(line, column);
  return 'generatedColumn' in entry && entry.generatedLine === line ? entry.generatedColumn : -1;
}

/** How often the innermost range around a place ran; places are asked for in order. */
function createSweep(
  ranges: readonly { startOffset: number; endOffset: number; count: number }[],
): (offset: number) => number {
  const open: { endOffset: number; count: number }[] = [];
  let next = 0;
  return (offset) => {
    for (;;) {
      const range = ranges[next];
      if (range === undefined || range.startOffset > offset) break;
      while ((open.at(-1)?.endOffset ?? Infinity) <= range.startOffset) open.pop();
      open.push(range);
      next += 1;
    }
    while ((open.at(-1)?.endOffset ?? Infinity) <= offset) open.pop();
    return open.at(-1)?.count ?? 1;
  };
}
