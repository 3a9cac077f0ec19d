const HTML = /[<>&\u2028\u2029]/;
const HTML_ALL = /[<>&\u2028\u2029]/g;

const htmlEscapes: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/**
 * JSON text as Go's encoder writes it: bigints as plain numbers, `<`, `>`, `&` and the line separators escaped,
 * fields in the order they stand. The characters escaped occur only inside strings, so one pass over the result does.
 */
export function encodeJson(value: unknown): string {
  const text = stringify(value);
  return HTML.test(text) ? text.replace(HTML_ALL, (char) => htmlEscapes[char] ?? char) : text;
}

function stringify(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch (error) {
    // The native encoder knows no bigints (TypeError) and overflows the stack on deep nesting (RangeError).
    // Both are rare, so only then pay for our own.
    if (error instanceof TypeError || error instanceof RangeError) return stringifySlow(value);
    throw error;
  }
}

/** A container being written: what is left of it, and how it ends. */
interface Open {
  readonly container: object;
  readonly members: readonly [string, unknown][] | readonly unknown[];
  next: number;
  isEmpty: boolean;
}

function stringifySlow(root: unknown): string {
  const parts: string[] = [];
  const open: Open[] = [];
  write(root, parts, open);
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    if (top.next === top.members.length) {
      parts.push(Array.isArray(top.container) ? ']' : '}');
      open.pop();
    } else {
      writeNext(top, parts, open);
    }
  }
  return parts.join('');
}

function writeNext(top: Open, parts: string[], open: Open[]): void {
  const member = top.members[top.next++];
  const isList = Array.isArray(top.container);
  const [key, value] = isList ? ['', member] : (member as [string, unknown]);
  if (!isList && isUnwritable(value)) return;
  if (!top.isEmpty) parts.push(',');
  top.isEmpty = false;
  if (!isList) parts.push(JSON.stringify(key), ':');
  write(value, parts, open);
}

function write(value: unknown, parts: string[], open: Open[]): void {
  if (typeof value === 'bigint') {
    parts.push(value.toString());
  } else if (typeof value !== 'object' || value === null) {
    parts.push(JSON.stringify(value) ?? 'null');
  } else if ('toJSON' in value && typeof value.toJSON === 'function') {
    parts.push(JSON.stringify(value.toJSON()) ?? 'null');
  } else {
    const isList = Array.isArray(value);
    // A cycle would never end: no JSON that was read can be deeper than this.
    if (open.length > 100_000) throw new TypeError('Cannot encode JSON: nested too deeply');
    parts.push(isList ? '[' : '{');
    const members = isList ? value : Object.entries(value);
    open.push({ container: value, members, next: 0, isEmpty: true });
  }
}

function isUnwritable(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol';
}
