import { isJsonObject, type Json } from '@flotilla/machinery';

const TABLE = Buffer.from('{"kind":"Table"');
const ROWS = Buffer.from('"rows":[');
const ROW = Buffer.from('{"cells":[');
const NEXT_ROW = Buffer.from('},{"cells":[');
const CELLS_END = Buffer.from('],"');
const END = Buffer.from(']}');
const NAMESPACE = Buffer.from('"namespace":"');
const QUOTE = '"'.charCodeAt(0);
const SPACE = ' '.charCodeAt(0);
/** Beyond 2^53, perhaps: a reader that takes more care has to look. */
const LARGE_INTEGER = /[[,]-?\d{16}/;

/**
 * Reads a Table of which nothing but the cells and the namespaces of its objects is wanted. The objects are nearly all
 * of its bytes, and they are skipped instead of parsed, without ever being a string: a list of pods is read in a tenth
 * of the time. This relies on the form in which API servers write, where quotes within texts are escaped and so no text
 * can look like the marks that are searched for. Undefined for anything else, which then has to be read in the usual way.
 */
export function readLeanTable(body: Buffer): Json | undefined {
  const rowsAt = body.indexOf(ROWS);
  if (!startsWith(body, TABLE, 0) || rowsAt < 0) return undefined;
  let end = body.length;
  while (end > 0 && (body[end - 1] ?? 0) <= SPACE) end -= 1;
  if (!startsWith(body, END, end - END.length)) return undefined;
  const head = parse(`${body.toString('latin1', 0, rowsAt)}"rows":[]}`);
  const found = splitRows(body, rowsAt + ROWS.length, end - END.length);
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

function splitRows(body: Buffer, start: number, end: number): SplitRows | undefined {
  const cells: string[] = [];
  const namespaces: string[] = [];
  let at = start;
  while (at < end) {
    if (!startsWith(body, ROW, at)) return undefined;
    const next = body.indexOf(NEXT_ROW, at);
    // Searched by itself, so that what a row does not have is not looked for in all the others.
    const row = body.subarray(at, next < 0 || next > end ? end : next + 1);
    const cellsEnd = row.indexOf(CELLS_END);
    const namespace = namespaceIn(row, cellsEnd);
    if (cellsEnd < 0 || namespace === undefined) return undefined;
    cells.push(row.toString('latin1', ROW.length - 1, cellsEnd + 1));
    namespaces.push(namespace);
    at += row.length + 1;
  }
  return { cells, namespaces };
}

/** Undefined where something else of that name may come first. */
function namespaceIn(row: Buffer, from: number): string | undefined {
  const at = row.indexOf(NAMESPACE, from);
  if (at < 0) return '';
  const before = row.toString('latin1', from, at);
  if (before.includes('"labels":') || before.includes('"annotations":')) return undefined;
  const start = at + NAMESPACE.length;
  const namespace = row.toString('latin1', start, row.indexOf(QUOTE, start));
  return /^[A-Za-z0-9.-]*$/.test(namespace) ? namespace : undefined;
}

function startsWith(body: Buffer, mark: Buffer, at: number): boolean {
  const end = at + mark.length;
  return at >= 0 && end <= body.length && body.compare(mark, 0, mark.length, at, end) === 0;
}

function parse(latin1: string): unknown {
  const isAscii = !/[\u0080-\u00ff]/.test(latin1);
  try {
    return JSON.parse(isAscii ? latin1 : Buffer.from(latin1, 'latin1').toString());
  } catch {
    return undefined;
  }
}
