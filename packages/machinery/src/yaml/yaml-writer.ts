import { byteLength } from '../go/byte-length.ts';
import { compareKeys } from './compare-keys.ts';
import { type ScalarStyle, scalarStyle } from './scalar-style.ts';
import { codePoints, ESCAPED, escaped, scalarText } from './yaml-text.ts';

const INDENT = 2;
/** Lines longer than this are broken at their next space, where their style allows it. */
const WIDTH = 80;
/** Longer keys stand on lines of their own, behind a question mark. */
const LONGEST_KEY_BYTES = 128;

/**
 * Writes one document in Go's form. It keeps, as Go's writer does, where on its line it is and what it has just
 * written, because line breaks and blanks depend on it.
 */
export class YamlWriter {
  readonly #parts: string[] = [];
  #column = 0;
  /** The last thing written was a blank, or stood for one. */
  #isAfterBlank = true;
  /** Nothing but indent and `-`, `?`, `:` signs is on this line. */
  #isInIndent = true;

  /** The document with its last line break. */
  finish(): string {
    this.#newLine(0);
    return this.#parts.join('');
  }

  /** A value of a mapping, a list or the document; `indent` is that of what it stands in, -1 for the document. */
  write(value: unknown, indent: number, isInMapping = false): void {
    if (Array.isArray(value)) {
      this.#writeList(value, indent, isInMapping);
    } else if (typeof value === 'object' && value !== null) {
      this.#writeMapping(value as Readonly<Record<string, unknown>>, indent);
    } else {
      this.#writeScalar(value, indent);
    }
  }

  #writeMapping(object: Readonly<Record<string, unknown>>, outer: number): void {
    const keys = Object.keys(object).filter((key) => isWritable(object[key]));
    if (keys.length === 0) {
      this.#sign('{}');
      return;
    }
    const indent = outer < 0 ? 0 : outer + INDENT;
    for (const key of keys.sort(compareKeys)) {
      this.#newLine(indent);
      this.#writeKey(key, indent);
      this.write(object[key], indent, true);
    }
  }

  #writeKey(key: string, indent: number): void {
    const isSimple = !/[\r\n\u0085\u2028\u2029]/.test(key) && byteLength(key) <= LONGEST_KEY_BYTES;
    if (isSimple) {
      // Go would leave it bare, and nobody could read the mapping again.
      this.#writeText(key, key === '<<' ? 'double' : scalarStyle(key, true));
      this.#put(':');
      this.#isAfterBlank = false;
      return;
    }
    this.#sign('?', true);
    this.#writeText(key, scalarStyle(key, false), indent + INDENT);
    this.#newLine(indent);
    this.#sign(':', true);
  }

  #writeList(list: readonly unknown[], outer: number, isInMapping: boolean): void {
    if (list.length === 0) {
      this.#sign('[]');
      return;
    }
    // Below a key, the items stand as far left as the key does.
    const isLevel = isInMapping && !this.#isInIndent;
    const indent = outer < 0 ? 0 : isLevel ? outer : outer + INDENT;
    for (const item of list) {
      this.#newLine(indent);
      this.#sign('-', true);
      this.write(isWritable(item) ? item : null, indent);
    }
  }

  #writeScalar(value: unknown, indent: number): void {
    const inner = indent < 0 ? INDENT : indent + INDENT;
    if (typeof value === 'string') this.#writeText(value, scalarStyle(value, false), inner);
    else this.#writeText(scalarText(value), 'plain', inner);
  }

  /** Without an indent to go on at, all stays on one line. */
  #writeText(text: string, style: ScalarStyle, indent?: number): void {
    switch (style) {
      case 'plain':
        this.#blank();
        this.#writeFolded(text, indent);
        break;
      case 'single':
        this.#sign("'");
        this.#writeQuoted(text.replaceAll("'", "''"), indent);
        this.#put("'");
        break;
      case 'double':
        this.#sign('"');
        this.#writeEscaped(text, indent);
        this.#put('"');
        break;
      default:
        this.#writeLiteral(text, indent ?? 0);
        return;
    }
    this.#isAfterBlank = false;
    this.#isInIndent = false;
  }

  /** Spaces right at the quotes stay where they are. */
  #writeQuoted(text: string, indent: number | undefined): void {
    const [, before = '', inner = '', after = ''] = /^( *)(.*?)( *)$/s.exec(text) ?? [];
    this.#put(before);
    this.#writeFolded(inner, indent);
    this.#put(after);
  }

  /** Breaks long lines at single spaces. A break within the text is one of the rare ones, and is written twice. */
  #writeFolded(text: string, indent: number | undefined): void {
    if (
      indent === undefined ||
      (this.#column + text.length <= WIDTH && !/[\u2028\u2029]/.test(text))
    ) {
      this.#put(text);
      return;
    }
    let isAfterBreak = false;
    for (const piece of text.match(/ +|[\n\u2028\u2029]|[^ \n\u2028\u2029]+/g) ?? []) {
      if (/[\n\u2028\u2029]/.test(piece)) {
        this.#break(piece);
        isAfterBreak = true;
        continue;
      }
      if (isAfterBreak) this.#pad(indent);
      isAfterBreak = false;
      if (piece === ' ' && this.#column > WIDTH) this.#wrap(indent);
      else this.#put(piece);
    }
  }

  #writeEscaped(text: string, indent: number | undefined): void {
    if (this.#column + text.length <= WIDTH && !ESCAPED.test(text)) {
      this.#put(text);
      return;
    }
    // Go's writer asks for a byte order mark at the wrong place, and so escapes all of a text that begins with one.
    const isAllEscaped = text.startsWith('\ufeff');
    const chars = [...text];
    let isAfterSpace = false;
    for (const [index, char] of chars.entries()) {
      const isInner = index > 0 && index < chars.length - 1;
      if (isAllEscaped || ESCAPED.test(char)) {
        this.#put(escaped(char));
        isAfterSpace = false;
      } else if (
        char === ' ' &&
        indent !== undefined &&
        !isAfterSpace &&
        isInner &&
        this.#column > WIDTH
      ) {
        this.#wrap(indent);
        if (chars[index + 1] === ' ') this.#put('\\');
        isAfterSpace = true;
      } else {
        this.#put(char);
        isAfterSpace = char === ' ';
      }
    }
  }

  #writeLiteral(text: string, indent: number): void {
    const hint = /^[ \n\u2028\u2029]/.test(text) ? String(INDENT) : '';
    const chomp = !/[\n\u2028\u2029]$/.test(text)
      ? '-'
      : /(?:^|[\n\u2028\u2029]).$/s.test(text)
        ? '+'
        : '';
    this.#sign(`|${hint}${chomp}`);
    this.#break('\n');
    this.#isInIndent = true;
    this.#isAfterBlank = true;
    for (const piece of text.match(/[\n\u2028\u2029]|[^\n\u2028\u2029]+/g) ?? []) {
      if (/[\n\u2028\u2029]/.test(piece)) {
        this.#break(piece);
        this.#isInIndent = true;
      } else {
        this.#pad(indent);
        this.#put(piece);
        this.#isInIndent = false;
      }
    }
  }

  /** To the indent, on a new line unless this one has nothing but indent on it. */
  #newLine(indent: number): void {
    const isThere = this.#column === indent && this.#isAfterBlank;
    if (!this.#isInIndent || this.#column > indent || (this.#column === indent && !isThere)) {
      this.#break('\n');
    }
    this.#pad(indent);
    this.#isAfterBlank = true;
    this.#isInIndent = true;
  }

  #wrap(indent: number): void {
    this.#break('\n');
    this.#pad(indent);
  }

  /** A sign with the blank it needs before it. */
  #sign(text: string, isIndent = false): void {
    this.#blank();
    this.#put(text);
    this.#isAfterBlank = false;
    this.#isInIndent = this.#isInIndent && isIndent;
  }

  #blank(): void {
    if (!this.#isAfterBlank) this.#put(' ');
  }

  #pad(indent: number): void {
    if (this.#column < indent) this.#put(' '.repeat(indent - this.#column));
  }

  #put(text: string): void {
    this.#parts.push(text);
    this.#column += codePoints(text);
  }

  #break(text: string): void {
    this.#parts.push(text);
    this.#column = 0;
  }
}

function isWritable(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}
