import { encodeJson } from './encode-json.ts';

/**
 * JSON text as Go writes maps: keys in byte order, `<`, `>` and `&` escaped, bigints as plain numbers; indented by
 * `indent` spaces, on one line without.
 */
export function formatJson(value: unknown, indent = 0): string {
  const parts: string[] = [];
  write(value, '\n', { parts, step: ' '.repeat(indent) });
  return parts.join('');
}

/** Where the text goes, and by how much each level is indented. */
interface Target {
  readonly parts: string[];
  readonly step: string;
}

/** `edge` is the line break before the closing bracket: a new line and the indent of this level. */
function write(value: unknown, edge: string, target: Target): void {
  if (typeof value !== 'object' || value === null) {
    target.parts.push(typeof value === 'string' ? textOf(value) : encodeJson(value));
  } else if (Array.isArray(value)) {
    writeList(value, edge, target);
  } else {
    writeObject(value as Readonly<Record<string, unknown>>, edge, target);
  }
}

function writeList(list: readonly unknown[], edge: string, target: Target): void {
  const { parts, step } = target;
  if (list.length === 0) {
    parts.push('[]');
    return;
  }
  const inner = edge + step;
  parts.push('[');
  for (const [index, item] of list.entries()) {
    if (index > 0) parts.push(',');
    if (step !== '') parts.push(inner);
    write(item, inner, target);
  }
  if (step !== '') parts.push(edge);
  parts.push(']');
}

function writeObject(
  object: Readonly<Record<string, unknown>>,
  edge: string,
  target: Target,
): void {
  const { parts, step } = target;
  const inner = edge + step;
  const colon = step === '' ? ':' : ': ';
  let isEmpty = true;
  for (const key of sortedKeys(object)) {
    const value = object[key];
    if (value === undefined) continue;
    parts.push(isEmpty ? '{' : ',');
    isEmpty = false;
    if (step !== '') parts.push(inner);
    parts.push(textOf(key) + colon);
    write(value, inner, target);
  }
  if (isEmpty) {
    parts.push('{}');
    return;
  }
  if (step !== '') parts.push(edge);
  parts.push('}');
}

/** Nothing in it that JSON or Go would escape: most texts are. */
const PLAIN = /^[ !#-%'-;=?-[\]-~]*$/;

function textOf(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : encodeJson(text);
}

/** Keys by their bytes in UTF-8, which is the order of their code points. */
function sortedKeys(object: object): string[] {
  const keys = Object.keys(object).sort();
  return keys.some((key) => /[\ud800-\udfff]/.test(key))
    ? keys.sort((a, b) => (a === b ? 0 : isBefore(a, b) ? -1 : 1))
    : keys;
}

function isBefore(a: string, b: string): boolean {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    // Units of surrogate pairs are less than those above them, and their characters are not.
    return x < 0xd800 || y < 0xd800 ? x < y : (a.codePointAt(i) ?? 0) < (b.codePointAt(i) ?? 0);
  }
  return a.length < b.length;
}
