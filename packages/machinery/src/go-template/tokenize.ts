import { formatCharacter } from '../go/format-character.ts';
import { goQuote } from '../go/quote.ts';
import type { Token, TokenKind } from './token.ts';

const KEYWORDS = new Set([
  'block',
  'break',
  'continue',
  'define',
  'else',
  'end',
  'if',
  'nil',
  'range',
  'template',
  'with',
]);

const WORD = /[_\p{L}\p{Nd}]*/uy;
const NUMBER =
  /[-+]?(?:0[xX][0-9a-fA-F_]*(?:\.[0-9a-fA-F_]*)?(?:[pP][-+]?[0-9_]*)?|0[oO][0-7_]*|0[bB][01_]*|[0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9_]*)?)i?/y;
const SPACES = /[ \t\r\n]+/y;

/** The tokens of a template, text and actions, up to its end or to the first thing that is none. */
export function tokenize(input: string): Token[] {
  return new Tokenizer(input).run();
}

class Tokenizer {
  readonly #input: string;
  readonly #tokens: Token[] = [];
  #at = 0;
  #line = 1;
  #depth = 0;

  constructor(input: string) {
    this.#input = input;
  }

  run(): Token[] {
    while (this.#readText() && this.#readAction());
    return this.#tokens;
  }

  /** Text up to an action; false when there is none. */
  #readText(): boolean {
    const open = this.#input.indexOf('{{', this.#at);
    const end = open < 0 ? this.#input.length : open;
    const isTrimmed = open >= 0 && /^-[ \t\r\n]/.test(this.#input.slice(open + 2, open + 4));
    const whole = this.#input.slice(this.#at, end);
    const text = isTrimmed ? whole.replace(/[ \t\r\n]+$/, '') : whole;
    if (text !== '') this.#emit('text', text);
    this.#skipTo(end);
    if (open < 0) this.#push('eof', 'EOF');
    return open >= 0;
  }

  /** An action with its brackets, or a comment; false when nothing can follow. */
  #readAction(): boolean {
    const start = this.#at;
    const isTrimmed = /^-[ \t\r\n]/.test(this.#input.slice(start + 2, start + 4));
    const inside = start + (isTrimmed ? 4 : 2);
    if (this.#input.startsWith('/*', inside)) return this.#readComment(inside);
    this.#push('left-delim', '{{');
    this.#skipTo(inside);
    this.#depth = 0;
    for (;;) {
      const close = this.#closing();
      if (close !== undefined) {
        if (this.#depth > 0) return this.#fail('unclosed left paren');
        return this.#readEnd(close);
      }
      if (!this.#readPart()) return false;
    }
  }

  #readComment(inside: number): boolean {
    const end = this.#input.indexOf('*/', inside + 2);
    if (end < 0) return this.#fail('unclosed comment');
    this.#skipTo(end + 2);
    const close = this.#closing();
    if (close === undefined) return this.#fail('comment ends before closing delimiter');
    this.#skipClosing(close);
    return true;
  }

  /** The brackets that end an action here, with their trim marker; undefined where it goes on. */
  #closing(): string | undefined {
    return /^(?:[ \t\r\n]-)?\}\}/.exec(this.#input.slice(this.#at, this.#at + 4))?.[0];
  }

  #readEnd(close: string): boolean {
    this.#skipTo(this.#at + close.length - 2);
    this.#push('right-delim', '}}');
    this.#skipClosing('}}', close.length > 2);
    return true;
  }

  #skipClosing(close: string, isTrimmed = close.length > 2): void {
    const end = this.#at + close.length;
    SPACES.lastIndex = end;
    const spaces = isTrimmed ? (SPACES.exec(this.#input)?.[0] ?? '') : '';
    this.#skipTo(end + spaces.length);
  }

  #readPart(): boolean {
    const char = String.fromCodePoint(this.#input.codePointAt(this.#at) ?? 0);
    if (this.#at >= this.#input.length) return this.#fail('unclosed action');
    if (/[ \t\r\n]/.test(char)) return this.#readSpace();
    if (char === ':') {
      return this.#input[this.#at + 1] === '='
        ? this.#emit('declare', ':=')
        : this.#fail('expected :=');
    }
    if (char === '=') return this.#emit('assign', char);
    if (char === '|') return this.#emit('pipe', char);
    if (char === '"') return this.#readQuoted('"', 'string');
    if (char === "'") return this.#readQuoted("'", 'character');
    if (char === '`') return this.#readRaw();
    if (char === '$') return this.#readName('variable');
    if (char === '.' && !/[0-9]/.test(this.#input[this.#at + 1] ?? 'end')) {
      return this.#readName('field');
    }
    if (/[-+.0-9]/.test(char)) return this.#readNumber();
    if (/[_\p{L}\p{Nd}]/u.test(char)) return this.#readWord();
    return this.#readSign(char);
  }

  #readSign(char: string): boolean {
    if (char === '(') {
      this.#depth++;
      return this.#emit('left-paren', char);
    }
    if (char === ')') {
      if (this.#depth === 0) return this.#fail('unexpected right paren');
      this.#depth--;
      return this.#emit('right-paren', char);
    }
    if (/[!-~]/.test(char)) return this.#emit('sign', char);
    return this.#fail(`unrecognized character in action: ${formatCharacter(char)}`);
  }

  /** The last space before a trim marker belongs to the marker. */
  #readSpace(): boolean {
    SPACES.lastIndex = this.#at;
    const spaces = SPACES.exec(this.#input)?.[0] ?? '';
    const isMarked = this.#input.startsWith('-}}', this.#at + spaces.length);
    const text = isMarked ? spaces.slice(0, -1) : spaces;
    return text === '' ? true : this.#emit('space', text);
  }

  /** `.name`, `$name`, or the dot and the dollar alone. */
  #readName(kind: 'field' | 'variable'): boolean {
    const name = this.#wordAt(this.#at + 1);
    if (!this.#isTerminated(this.#at + 1 + name.length)) {
      return this.#badCharacter(this.#at + 1 + name.length);
    }
    const text = this.#input.slice(this.#at, this.#at + 1 + name.length);
    return this.#emit(text === '.' ? 'dot' : kind, text);
  }

  #readWord(): boolean {
    const word = this.#wordAt(this.#at);
    if (!this.#isTerminated(this.#at + word.length)) {
      return this.#badCharacter(this.#at + word.length);
    }
    if (word === 'true' || word === 'false') return this.#emit('bool', word);
    return this.#emit(KEYWORDS.has(word) ? 'keyword' : 'identifier', word);
  }

  #readNumber(): boolean {
    NUMBER.lastIndex = this.#at;
    const text = NUMBER.exec(this.#input)?.[0] ?? '';
    const rest = this.#wordAt(this.#at + text.length);
    if (text === '' || rest !== '') {
      const shown = text + String.fromCodePoint(rest.codePointAt(0) ?? 0).replace('\0', '');
      return this.#fail(`bad number syntax: ${goQuote(shown)}`);
    }
    return this.#emit('number', text);
  }

  #readQuoted(quote: string, kind: 'string' | 'character'): boolean {
    let end = this.#at + 1;
    while (this.#input[end] !== quote) {
      if (this.#input[end] === '\\') end++;
      if (end >= this.#input.length || this.#input[end] === '\n') {
        const what = kind === 'string' ? 'quoted string' : 'character constant';
        return this.#fail(`unterminated ${what}`);
      }
      end++;
    }
    return this.#emit(kind, this.#input.slice(this.#at, end + 1));
  }

  #readRaw(): boolean {
    const end = this.#input.indexOf('`', this.#at + 1);
    if (end < 0) return this.#fail('unterminated raw quoted string');
    return this.#emit('raw-string', this.#input.slice(this.#at, end + 1));
  }

  #wordAt(at: number): string {
    WORD.lastIndex = at;
    return WORD.exec(this.#input)?.[0] ?? '';
  }

  #isTerminated(at: number): boolean {
    const char = this.#input[at];
    return char === undefined || /[ \t\r\n.,|:)(]/.test(char) || this.#input.startsWith('}}', at);
  }

  #badCharacter(at: number): boolean {
    const char = String.fromCodePoint(this.#input.codePointAt(at) ?? 0xfffd);
    return this.#fail(`bad character ${formatCharacter(char)}`);
  }

  #emit(kind: TokenKind, text: string): boolean {
    this.#push(kind, text);
    this.#skipTo(this.#at + text.length);
    return true;
  }

  #fail(problem: string): boolean {
    this.#push('error', problem);
    return false;
  }

  #push(kind: TokenKind, text: string): void {
    this.#tokens.push({ kind, text, at: this.#at, line: this.#line });
  }

  #skipTo(end: number): void {
    for (let i = this.#at; i < end; i++) if (this.#input[i] === '\n') this.#line++;
    this.#at = end;
  }
}
