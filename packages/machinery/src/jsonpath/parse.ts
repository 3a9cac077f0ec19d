import { formatCharacter } from '../go/format-character.ts';
import { goUnquote } from '../go/unquote.ts';
import { GoNumber } from '../go/values.ts';
import { ParseError } from '../parse-error.ts';
import type { Slice, Step, TemplatePart } from './node.ts';

const TERMINATOR = /[ \t\r\n.,[\]$@{}]/;
const WORD = /[_\p{L}\p{Nd}]/u;
const COMPARISON = /^([^!<>=]+)([!<>=]+)(.+?)$/;
const SLICE = /^(-?[0-9]*)(:-?[0-9]*)?(:-?[0-9]*)?$/;

/** Longer than any template people write; unions and filters nest, and nesting costs stack. */
const MAX_DEPTH = 100;

/** Reads a template of kubectl's JSONPath dialect. Throws ParseError with kubectl's text. */
export function parseTemplate(text: string, depth = 0): TemplatePart[] {
  if (depth > MAX_DEPTH) throw new ParseError('template is nested too deeply');
  const parts: TemplatePart[] = [];
  const reader = new ActionReader(text, depth);
  for (;;) {
    const open = text.indexOf('{', reader.at);
    const plain = text.slice(reader.at, open < 0 ? undefined : open);
    if (plain !== '') parts.push({ kind: 'text', text: plain });
    if (open < 0) return parts;
    reader.at = open + 1;
    parts.push({ kind: 'steps', steps: reader.readAction() });
  }
}

/** Steps as they stand between braces. */
function parseSteps(text: string, depth: number): readonly Step[] {
  const [first] = parseTemplate(`{${text}}`, depth);
  return first?.kind === 'steps' ? first.steps : [];
}

/** Reads what stands between braces, from `at` on. */
class ActionReader {
  at = 0;
  readonly #text: string;
  readonly #depth: number;
  #steps: Step[] = [];

  constructor(text: string, depth: number) {
    this.#text = text;
    this.#depth = depth;
  }

  /** Up to and past the closing brace. */
  readAction(): readonly Step[] {
    this.#steps = [];
    while (this.#text[this.at] !== '}') this.#readStep();
    this.at++;
    return this.#steps;
  }

  #readStep(): void {
    if (this.#text.startsWith('[?(', this.at)) this.#readFilter();
    else if (this.#text.startsWith('..', this.at)) this.#readRecursive();
    else this.#readSimpleStep();
  }

  #readSimpleStep(): void {
    const char = String.fromCodePoint(this.#text.codePointAt(this.at) ?? 10);
    if (char === '\n' || char === '\r') throw new ParseError('unclosed action');
    if (char === ' ' || char === '@' || char === '$') {
      this.at++;
    } else if (char === '[') {
      this.#readBrackets();
    } else if (char === '"' || char === "'") {
      this.#readQuoted(char);
    } else if (char === '.') {
      this.at++;
      this.#readField();
    } else if (/[-+]|\p{Nd}/u.test(char)) {
      this.#readNumber();
    } else if (WORD.test(char)) {
      this.#readWord();
    } else {
      throw new ParseError(`unrecognized character in action: ${formatCharacter(char)}`);
    }
  }

  #readRecursive(): void {
    if (this.#steps.at(-1)?.kind === 'recursive') {
      throw new ParseError('invalid multiple recursive descent');
    }
    this.at += 2;
    this.#steps.push({ kind: 'recursive' });
    const next = String.fromCodePoint(this.#text.codePointAt(this.at) ?? 10);
    if (WORD.test(next)) this.#readField();
  }

  #readField(): void {
    const start = this.at;
    while (this.at < this.#text.length && !TERMINATOR.test(this.#text[this.at] ?? '')) {
      this.at += this.#text[this.at] === '\\' ? 2 : 1;
    }
    const written = this.#text.slice(start, this.at);
    this.#steps.push(
      written === '*'
        ? { kind: 'wildcard' }
        : { kind: 'field', name: written.replaceAll('\\', '') },
    );
  }

  #readWord(): void {
    const start = this.at;
    while (this.at < this.#text.length && !TERMINATOR.test(this.#text[this.at] ?? '')) this.at++;
    const name = this.#text.slice(start, this.at);
    this.#steps.push(
      name === 'true' || name === 'false'
        ? { kind: 'literal', value: name === 'true' }
        : { kind: 'word', name },
    );
  }

  #readNumber(): void {
    const [text = ''] = /^[-+]?[.\p{Nd}]*/u.exec(this.#text.slice(this.at)) ?? [];
    this.at += text.length;
    this.#steps.push({ kind: 'literal', value: numberOf(text) });
  }

  #readQuoted(quote: '"' | "'"): void {
    const start = this.at;
    do {
      this.at++;
      const char = this.#text[this.at];
      if (char === undefined || char === '\n') throw new ParseError('unterminated quoted string');
    } while (this.#text[this.at] !== quote || this.#text[this.at - 1] === '\\');
    this.at++;
    const written = this.#text.slice(start, this.at);
    const value = goUnquote(written.slice(1, -1), quote);
    if (value === undefined) {
      throw new ParseError(`unquote string ${written} error invalid syntax`);
    }
    this.#steps.push({ kind: 'literal', value });
  }

  #readBrackets(): void {
    const end = this.#text.slice(this.at).search(/[\]\n]/) + this.at;
    if (end < this.at || this.#text[end] === '\n') throw new ParseError('unterminated array');
    const inside = this.#text.slice(this.at + 1, end);
    this.at = end + 1;
    const members = inside.split(',');
    if (members.length > 1) {
      const union = members.map((member) => this.#nested(`[${member.replace(/^ +| +$/g, '')}]`));
      this.#steps.push({ kind: 'union', members: union });
      return;
    }
    const key = /^'([^']*)'$/.exec(inside)?.[1];
    if (key === undefined) this.#steps.push(sliceOf(inside));
    else this.#steps.push(...this.#nested(`.${key}`));
  }

  #readFilter(): void {
    const start = this.at + '[?('.length;
    const end = this.#endOfFilter(start);
    if (this.#text[end + 1] !== ']') throw new ParseError('unclosed array expect ]');
    const text = this.#text.slice(start, end);
    this.at = end + 2;
    const [, left, operator, right] = COMPARISON.exec(text) ?? [];
    this.#steps.push({
      kind: 'filter',
      left: this.#nested(left ?? text),
      right: right === undefined ? [] : this.#nested(right),
      operator: operator ?? 'exists',
    });
  }

  /** The closing bracket; one in a quoted text is none. Only one text is looked for, as upstream does. */
  #endOfFilter(start: number): number {
    let quote: string | undefined;
    let isClosed = false;
    for (let end = start; ; end++) {
      const char = this.#text[end];
      if (char === undefined || char === '\n') throw new ParseError('unterminated filter');
      if (char === '"' || char === "'") {
        if (quote === undefined) quote = char;
        else if (char === quote && this.#text[end - 1] !== '\\') isClosed = true;
      } else if (char === ')' && (quote !== undefined) === isClosed) {
        return end;
      }
    }
  }

  #nested(text: string): readonly Step[] {
    return parseSteps(text, this.#depth + 1);
  }
}

function numberOf(text: string): number | bigint | GoNumber {
  if (/^[-+]?[0-9]+$/.test(text)) {
    const value = Number(text);
    if (Number.isSafeInteger(value)) return value;
    const exact = BigInt(text.replace('+', ''));
    if (BigInt.asIntN(64, exact) === exact) return exact;
  }
  if (!/^[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)$/.test(text)) {
    throw new ParseError(`cannot parse number ${text}`);
  }
  const value = Number(text);
  return Number.isInteger(value) ? new GoNumber('float64', value) : value;
}

function sliceOf(inside: string): Slice {
  const match = SLICE.exec(inside === '*' ? ':' : inside);
  if (match === null) throw new ParseError(`invalid array index ${inside}`);
  const [, start = '', end, step] = match;
  return {
    kind: 'slice',
    start: indexOf(start),
    end: indexOf(end?.slice(1) ?? ''),
    step: indexOf(step?.slice(1) ?? ''),
    isSingle: end === undefined,
  };
}

function indexOf(text: string): number | undefined {
  if (text === '') return undefined;
  const value = text === '-' ? Number.NaN : Number(text);
  if (!Number.isSafeInteger(value)) throw new ParseError(`array index ${text} is not a number`);
  return value;
}
