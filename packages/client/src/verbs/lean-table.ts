import { isJsonObject, type Json } from '@flotilla/machinery';

const ROWS = '"rows":[';
const ROW = '{"cells":[';
const NEXT_ROW = `},${ROW}`;
const NAMESPACE = '"namespace":"';
/** Beyond 2^53, perhaps: a reader that takes more care has to look. */
const LARGE_INTEGER = /[[,]-?\d{16}/;

/**
 * Reads a Table of which nothing but the cells and the namespaces of its objects is wanted. The objects are nearly all
 * of its bytes, and they are skipped instead of parsed: a list of pods is read in a fifth of the time. This relies on
 * the form in which API servers write, where quotes within texts are escaped and so no text can look like the marks
 * that are searched for. Undefined for anything else, which then has to be read in the usual way.
 */
export function readLeanTable(body: Buffer): Json | undefined {
  const text = body.toString('latin1');
  const rowsAt = text.indexOf(ROWS);
  if (!text.startsWith('{"kind":"Table"') || rowsAt < 0) return undefined;
  const end = text.trimEnd().length;
  if (!text.startsWith(']}', end - 2)) return undefined;
  const head = parse(`${text.slice(0, rowsAt)}"rows":[]}`);
  const found = splitRows(text, rowsAt + ROWS.length, end - ']}'.length);
  if (!isJsonObject(head) || found === undefined) return undefined;
  // One text is parsed faster than many.
  const all = `[${found.cells.join(',')}]`;
  const cells = LARGE_INTEGER.test(all) ? undefined : parse(all);
  if (!Array.isArray(cells)) return undefined;
  const rows = cells.map((row: unknown, index) => ({
    cells: row,
    object: { metadata: { namespace: found.namespaces[index] ?? '' } },
  }));
  return { ...head, rows };
}

interface SplitRows {
  /** The text of each row's cells, in brackets. */
  readonly cells: string[];
  readonly namespaces: string[];
}

function splitRows(text: string, start: number, end: number): SplitRows | undefined {
  const cells: string[] = [];
  const namespaces: string[] = [];
  let at = start;
  while (at < end) {
    if (!text.startsWith(ROW, at)) return undefined;
    const next = text.indexOf(NEXT_ROW, at);
    const row = text.slice(at, next < 0 || next > end ? end : next + 1);
    const cellsEnd = row.indexOf('],"');
    const namespace = namespaceIn(row, cellsEnd);
    if (cellsEnd < 0 || namespace === undefined) return undefined;
    cells.push(row.slice(ROW.length - 1, cellsEnd + 1));
    namespaces.push(namespace);
    at += row.length + 1;
  }
  return { cells, namespaces };
}

/** Undefined where something else of that name may come first. */
function namespaceIn(row: string, from: number): string | undefined {
  const at = row.indexOf(NAMESPACE, from);
  if (at < 0) return '';
  const before = row.slice(from, at);
  if (before.includes('"labels":') || before.includes('"annotations":')) return undefined;
  const start = at + NAMESPACE.length;
  const namespace = row.slice(start, row.indexOf('"', start));
  return /^[A-Za-z0-9.-]*$/.test(namespace) ? namespace : undefined;
}

function parse(latin1: string): unknown {
  const isAscii = !/[\u0080-\u00ff]/.test(latin1);
  try {
    return JSON.parse(isAscii ? latin1 : Buffer.from(latin1, 'latin1').toString());
  } catch {
    return undefined;
  }
}
