import { decodeUtf8 } from '../json/utf8.ts';
import { setOwn } from '../values/own-key.ts';
import { resolvePlain } from './resolve-scalar.ts';

/** Stands for "read this with the parser of all YAML". */
export const NOT_PLAIN = Symbol('not plain');

/** Indent, a dash, a key; what follows is a value. */
const START = /^( *)(- )?(?:([A-Za-z][\w./-]{0,127}):(?=$| ))?/;
/** Everything that could mean more than it seems is outside of it: quotes, comments, anchors, tags, flow collections. */
const VALUE = /^[\w./+=~-][\w./+=~@,: -]*$/;

/** What stands deeper than this stands in nothing that people keep. */
const MOST_DEPTH = 32;

interface Line {
  readonly indent: number;
  readonly isItem: boolean;
  readonly key: string | undefined;
  readonly value: string | undefined;
}

/**
 * Reads YAML of the kind that programs write: mappings and lists in blocks, values of one line and without quotes. Tells
 * NOT_PLAIN of everything else, right or wrong. A kubeconfig of fifty clusters takes the parser of all YAML longer than
 * asking half of them; this takes a twentieth of that.
 */
export function readPlainYaml(input: string | Uint8Array): unknown {
  const text = typeof input === 'string' ? input : decodeUtf8(input);
  if (text === undefined || !text.endsWith('\n')) return NOT_PLAIN;
  const lines: Line[] = [];
  for (const each of text.slice(0, -1).split('\n')) {
    const line = readLine(each);
    if (line === undefined) return NOT_PLAIN;
    lines.push(line);
  }
  return new PlainReader(lines).document();
}

function readLine(text: string): Line | undefined {
  const [start, spaces = '', dash, key] = START.exec(text) ?? [''];
  const isItem = dash !== undefined;
  if (key === undefined && !isItem) return undefined;
  if (key !== undefined && resolvePlain(key).kind !== '!!str') return undefined;
  const line = { indent: spaces.length, isItem, key, value: undefined };
  if (start.length === text.length) return key === undefined ? undefined : line;
  // A key is followed by one space, which the dash has brought with it.
  const value = text.slice(start.length + (key === undefined ? 0 : 1));
  return isValue(value) ? { ...line, value } : undefined;
}

function isValue(text: string): boolean {
  if (text === '{}' || text === '[]' || text === '""') return true;
  if (!VALUE.test(text)) return false;
  // A mapping, a list, or spaces that do not count. No pattern: long values would be gone through char by char.
  return !(
    text.includes(': ') ||
    text.endsWith(':') ||
    text.endsWith(' ') ||
    text.startsWith('- ') ||
    text === '-'
  );
}

/** Thrown where lines do not stand to each other as they should. */
class NotPlain extends Error {}

class PlainReader {
  readonly #lines: readonly Line[];
  #at = 0;
  #depth = 0;

  constructor(lines: readonly Line[]) {
    this.#lines = lines;
  }

  document(): unknown {
    try {
      const value = this.#block(0);
      return this.#at === this.#lines.length ? value : NOT_PLAIN;
    } catch (error) {
      if (error instanceof NotPlain) return NOT_PLAIN;
      throw error;
    }
  }

  /** A mapping or a list whose first line is the next one, at this indent. */
  #block(indent: number): unknown {
    this.#depth += 1;
    if (this.#depth > MOST_DEPTH) throw new NotPlain();
    const value = this.#lines[this.#at]?.isItem ? this.#list(indent) : this.#mapping(indent, {});
    this.#depth -= 1;
    return value;
  }

  #list(indent: number): unknown[] {
    const items: unknown[] = [];
    for (;;) {
      const line = this.#lines[this.#at];
      if (line === undefined || line.indent < indent || !line.isItem) return items;
      if (line.indent !== indent) throw new NotPlain();
      if (line.key === undefined) {
        this.#at += 1;
        items.push(scalarOf(line.value));
        this.#mustNotBeDeeper(indent);
      } else {
        const item: Record<string, unknown> = {};
        this.#pair(line.key, line, { indent: indent + 2, into: item });
        items.push(this.#mapping(indent + 2, item));
      }
    }
  }

  #mapping(indent: number, into: Record<string, unknown>): Record<string, unknown> {
    for (;;) {
      const line = this.#lines[this.#at];
      if (line === undefined || line.indent < indent) return into;
      // A list of its own where a key should be.
      if (line.isItem || line.indent !== indent || line.key === undefined) throw new NotPlain();
      this.#pair(line.key, line, { indent, into });
    }
  }

  #pair(
    key: string,
    { value }: Line,
    { indent, into }: { readonly indent: number; readonly into: Record<string, unknown> },
  ): void {
    // Which of two counts, and what is said of them, is for the other parser.
    if (Object.hasOwn(into, key)) throw new NotPlain();
    this.#at += 1;
    if (value !== undefined) {
      setOwn(into, key, scalarOf(value));
      this.#mustNotBeDeeper(indent);
      return;
    }
    const next = this.#lines[this.#at];
    // A list may stand as far left as its key.
    const isInside =
      next !== undefined && (next.indent > indent || (next.isItem && next.indent === indent));
    setOwn(into, key, isInside ? this.#block(next.indent) : null);
  }

  /** A value that goes on in the next line. */
  #mustNotBeDeeper(indent: number): void {
    const next = this.#lines[this.#at];
    if (next !== undefined && next.indent > indent) throw new NotPlain();
  }
}

function scalarOf(text: string | undefined): unknown {
  if (text === '{}') return {};
  if (text === '[]') return [];
  if (text === '""') return '';
  const { kind, value } = resolvePlain(text ?? '');
  // Some of them are no JSON.
  if (kind === '!!float') throw new NotPlain();
  return value;
}
