import { goQuote } from '../go/quote.ts';
import { encodeJson } from '../json/encode-json.ts';
import { parseJson } from '../json/parse-json.ts';
import { ParseError } from '../parse-error.ts';
import { floatText } from './go-values.ts';
import { compareValues } from './values.ts';

/**
 * One step of a path, as FieldsV1 writes it: `f:name` a field, `k:{"name":"a"}` the list item with this key, `v:"a"`
 * the item of a set, `i:0` an index. The text is canonical, so that equal elements are equal strings.
 */
export type PathElement = string;

/** The step to a field or map key. */
export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

/** The step to the list item with these key fields. */
export function keyElement(fields: Readonly<Record<string, unknown>>): PathElement {
  const names = Object.keys(fields).sort();
  const texts = names.map((name) => `${JSON.stringify(name)}:${scalarText(fields[name])}`);
  return `k:{${texts.join(',')}}`;
}

/** The step to the item of a set. */
export function valueElement(value: unknown): PathElement {
  return `v:${scalarText(value)}`;
}

function scalarText(value: unknown): string {
  return encodeJson(value);
}

/**
 * The canonical text of an element that a client sent; undefined when it is of a kind only a later version knows.
 * Throws ParseError when it cannot be read.
 */
export function parseElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new ParseError('key must be 2 characters long:');
  if (text[1] !== ':') throw new ParseError(`missing colon: ${text}`);
  const content = text.slice(2);
  switch (text[0]) {
    case 'f':
      return text;
    case 'v':
      return valueElement(parseJson(content, { strict: false }).value);
    case 'k':
      return keyElement(keyFields(content));
    case 'i':
      if (!/^[+-]?\d+$/.test(content)) {
        throw new ParseError(`strconv.Atoi: parsing ${goQuote(content)}: invalid syntax`);
      }
      return `i:${Number(content)}`;
    default:
      return undefined;
  }
}

function keyFields(content: string): Record<string, unknown> {
  const { value } = parseJson(content, { strict: false });
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ParseError('expect { or n');
  }
  return value as Record<string, unknown>;
}

/** Upstream's order: `.`, then fields, keys, values, indexes. */
export function compareElements(a: PathElement, b: PathElement): number {
  if (a === b) return 0;
  const kind = rank(a) - rank(b);
  if (kind !== 0) return kind;
  switch (a[0]) {
    case 'k':
      return compareKeys(contentOf(a), contentOf(b));
    case 'v':
      return compareValues(contentOf(a), contentOf(b));
    case 'i':
      return Number(a.slice(2)) - Number(b.slice(2));
    default:
      return compareValues(a, b);
  }
}

const RANKS: Readonly<Record<string, number>> = { '.': 0, f: 1, k: 2, v: 3, i: 4 };

function rank(element: PathElement): number {
  return RANKS[element[0] ?? ''] ?? 5;
}

function contentOf(element: PathElement): unknown {
  return parseJson(element.slice(2), { strict: false }).value;
}

function compareKeys(a: unknown, b: unknown): number {
  const left = Object.entries(a as object);
  const right = Object.entries(b as object);
  for (let i = 0; i < left.length && i < right.length; i += 1) {
    const [name, value] = left[i] as [string, unknown];
    const [otherName, otherValue] = right[i] as [string, unknown];
    const order = compareValues(name, otherName) || compareValues(value, otherValue);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** A path as conflicts and errors show it: `.spec.ports[port=80,protocol="TCP"].name`. */
export function pathText(path: readonly PathElement[]): string {
  return path.map(elementText).join('');
}

/** One step of a path as conflicts and errors show it. */
export function elementText(element: PathElement): string {
  const content = element.slice(2);
  switch (element[0]) {
    case 'f':
      return `.${content}`;
    case 'k': {
      const fields = Object.entries(contentOf(element) as object);
      return `[${fields.map(([name, value]) => `${name}=${valueText(value)}`).join(',')}]`;
    }
    case 'v':
      return `[=${valueText(contentOf(element))}]`;
    default:
      return `[${content}]`;
  }
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number') return floatText(value);
  if (Array.isArray(value)) return `[${value.map(valueText).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([name, member]) => `${name}=${valueText(member)}`)
      .join('');
  }
  return String(value);
}
