import { ParseError } from '../../parse-error.ts';
import type { Step } from './steps.ts';

const MAX_LENGTH = 4096;
const MAX_DEPTH = 20;
const TERMINATORS = ' \t\r\n.,[]$@{}';
const COMPARISON = /^([^!<>=]+)([!<>=]+)([^\n]+)$/;
const SLICE = /^(-?[0-9]*)(:-?[0-9]*)?(:-?[0-9]*)?$/;

/** Reads a path as printer columns have it (`.spec.x`, `.items[*].name`, `.a[?(@.b=="c")].d`); throws ParseError. */
export function parseJsonPath(text: string): readonly Step[] {
  if (text.length > MAX_LENGTH) throw new ParseError('path is too long');
  return new PathParser(text, 0).parse();
}

class PathParser {
  readonly #text: string;
  readonly #depth: number;
  readonly #steps: Step[] = [];
  #at = 0;

  constructor(text: string, depth: number) {
    if (depth > MAX_DEPTH) throw new ParseError('path is nested too deep');
    this.#text = text;
    this.#depth = depth;
  }

  parse(): readonly Step[] {
    while (this.#at < this.#text.length) this.#step();
    return this.#steps;
  }

  #step(): void {
    const rest = this.#text.slice(this.#at, this.#at + 3);
    if (rest.startsWith('[?(')) this.#filter();
    else if (rest.startsWith('..')) this.#recursive();
    else this.#simple(rest[0] ?? '');
  }

  #simple(char: string): void {
    if (char === ' ' || char === '@' || char === '$') this.#at++;
    else if (char === '[') this.#brackets();
    else if (char === '"' || char === "'") this.#quoted(char);
    else if (char === '.') {
      this.#at++;
      this.#field();
    } else if (/[-+0-9]/.test(char)) this.#number();
    else if (/[_\p{L}\p{Nd}]/u.test(char)) this.#word();
    else throw new ParseError(`unrecognized character in action: ${char}`);
  }

  #recursive(): void {
    if (this.#steps.at(-1)?.kind === 'recursive') {
      throw new ParseError('invalid multiple recursive descent');
    }
    this.#at += 2;
    this.#steps.push({ kind: 'recursive' });
    if (/[_\p{L}\p{Nd}]/u.test(this.#text[this.#at] ?? '')) this.#field();
  }

  #field(): void {
    let name = '';
    for (; this.#at < this.#text.length; this.#at++) {
      let char = this.#text[this.#at] ?? '';
      if (char === '\\') char = this.#text[++this.#at] ?? '';
      else if (TERMINATORS.includes(char)) break;
      name += char;
    }
    this.#steps.push(name === '*' ? { kind: 'wildcard' } : { kind: 'field', name });
  }

  #brackets(): void {
    const end = this.#text.indexOf(']', this.#at);
    if (end < 0) throw new ParseError('unterminated array');
    const inside = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    const parts = inside.split(',');
    if (parts.length > 1) {
      const union = parts.map((part) => this.#nested(`[${part.trim()}]`));
      this.#steps.push({ kind: 'union', parts: union });
      return;
    }
    const key = /^'([^']*)'$/.exec(inside)?.[1];
    if (key === undefined) this.#steps.push(slice(inside));
    else this.#steps.push(...this.#nested(`.${key}`));
  }

  #filter(): void {
    const start = this.#at + 3;
    let quote: string | undefined;
    let isClosed = false;
    let end = start;
    for (; ; end++) {
      const char = this.#text[end];
      if (char === undefined || char === '\n') throw new ParseError('unterminated filter');
      if (char === '"' || char === "'") {
        if (quote === undefined) quote = char;
        else if (char === quote && this.#text[end - 1] !== '\\') isClosed = true;
      } else if (char === ')' && (quote !== undefined) === isClosed) break;
    }
    if (this.#text[end + 1] !== ']') throw new ParseError('unclosed array expect ]');
    const text = this.#text.slice(start, end);
    this.#at = end + 2;
    const [, left, operator, right] = COMPARISON.exec(text) ?? [];
    this.#steps.push({
      kind: 'filter',
      left: this.#nested(left ?? text),
      right: right === undefined ? [] : this.#nested(right),
      operator: operator ?? 'exists',
    });
  }

  #quoted(quote: string): void {
    let end = this.#at + 1;
    while (this.#text[end] !== quote || this.#text[end - 1] === '\\') {
      if (end >= this.#text.length) throw new ParseError('unterminated quoted string');
      end++;
    }
    const value = this.#text.slice(this.#at + 1, end).replace(/\\([\s\S])/g, '$1');
    this.#at = end + 1;
    this.#steps.push({ kind: 'literal', value });
  }

  #number(): void {
    const [text = ''] = /^[-+]?[.0-9]*/.exec(this.#text.slice(this.#at)) ?? [];
    const value = Number(text);
    if (text === '' || Number.isNaN(value)) throw new ParseError(`cannot parse number ${text}`);
    this.#at += text.length;
    this.#steps.push({ kind: 'literal', value });
  }

  #word(): void {
    const start = this.#at;
    while (this.#at < this.#text.length && !TERMINATORS.includes(this.#text[this.#at] ?? '')) {
      this.#at++;
    }
    const word = this.#text.slice(start, this.#at);
    if (word !== 'true' && word !== 'false') {
      throw new ParseError(`unrecognized identifier ${word}`);
    }
    this.#steps.push({ kind: 'literal', value: word === 'true' });
  }

  #nested(text: string): readonly Step[] {
    return new PathParser(text, this.#depth + 1).parse();
  }
}

function slice(inside: string): Step {
  const match = SLICE.exec(inside === '*' ? ':' : inside);
  if (match === null) throw new ParseError(`invalid array index ${inside}`);
  const [, start = '', end, step] = match;
  const number = (text: string | undefined) => {
    const digits = text?.replace(/^:/, '') ?? '';
    return digits === '' ? undefined : Number(digits);
  };
  return {
    kind: 'slice',
    start: number(start),
    end: number(end),
    isSingle: end === undefined,
    step: number(step),
  };
}
