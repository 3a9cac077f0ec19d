import type { IssueList } from './source.ts';

/** What a token is: punctuation stands for itself, as do the three literal words and `in`. */
export type TokenKind =
  | 'IDENTIFIER'
  | 'ESC_IDENTIFIER'
  | 'NUM_INT'
  | 'NUM_UINT'
  | 'NUM_FLOAT'
  | 'STRING'
  | 'BYTES'
  | '<EOF>'
  | (string & {});

/** A piece of the source. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly pos: number;
}

const HIDDEN = /(?:[\t \r\n\f]+|\/\/[^\n]*)+/y;
const NUMBER =
  /(?:0x[0-9a-fA-F]+[uU]?|\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?|\d+[uU]?)/y;
const IDENTIFIER = /[A-Za-z_][A-Za-z0-9_]*/y;
const ESCAPED_IDENTIFIER = /`[A-Za-z0-9_./\- ]+`/y;
const OPERATOR = /==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%]/y;
const ESCAPE = String.raw`\\(?:[abfnrtv"'\\?\x60]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})`;
// Triple quotes are lazy: the first closing triple ends the literal.
const STRINGS = new RegExp(
  [
    String.raw`[bB]?[rR]"""[^]*?"""`,
    String.raw`[bB]?[rR]'''[^]*?'''`,
    String.raw`[bB]?[rR]"[^"\n\r]*"`,
    String.raw`[bB]?[rR]'[^'\n\r]*'`,
    String.raw`[bB]?"""(?:${ESCAPE}|[^\\])*?"""`,
    String.raw`[bB]?'''(?:${ESCAPE}|[^\\])*?'''`,
    String.raw`[bB]?"(?:${ESCAPE}|[^\\"\n\r])*"`,
    String.raw`[bB]?'(?:${ESCAPE}|[^\\'\n\r])*'`,
  ].join('|'),
  'y',
);
const STRING_START = /[bB]?[rR]?["']/y;
const WORDS: ReadonlySet<string> = new Set(['in', 'true', 'false', 'null']);

/** Splits a source into tokens; characters that begin none are reported and skipped. */
export function tokenize(source: string, issues: IssueList): Token[] {
  const tokens: Token[] = [];
  let pos = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = pos;
    return pattern.exec(source)?.[0];
  };
  while (true) {
    pos += take(HIDDEN)?.length ?? 0;
    if (pos >= source.length) break;
    const token = nextToken(take);
    if (token === undefined) {
      const bad = unrecognized(source, pos);
      issues.report(pos, `Syntax error: token recognition error at: '${bad}'`);
      pos += bad.length;
      continue;
    }
    tokens.push({ ...token, pos });
    pos += token.text.length;
  }
  tokens.push({ kind: '<EOF>', text: '<EOF>', pos });
  return tokens;
}

function nextToken(
  take: (pattern: RegExp) => string | undefined,
): { kind: TokenKind; text: string } | undefined {
  const string = take(STRING_START) === undefined ? undefined : take(STRINGS);
  if (string !== undefined) {
    return { kind: /^[bB]/.test(string) ? 'BYTES' : 'STRING', text: string };
  }
  const identifier = take(IDENTIFIER);
  if (identifier !== undefined) {
    return { kind: WORDS.has(identifier) ? identifier : 'IDENTIFIER', text: identifier };
  }
  const number = take(NUMBER);
  if (number !== undefined) return { kind: numberKind(number), text: number };
  const escaped = take(ESCAPED_IDENTIFIER);
  if (escaped !== undefined) return { kind: 'ESC_IDENTIFIER', text: escaped };
  const operator = take(OPERATOR);
  return operator === undefined ? undefined : { kind: operator, text: operator };
}

function numberKind(text: string): TokenKind {
  if (/[uU]$/.test(text)) return 'NUM_UINT';
  return text.startsWith('0x') || /^\d+$/.test(text) ? 'NUM_INT' : 'NUM_FLOAT';
}

/**
 * What the generated lexer reports: an unclosed string up to the character that ended hope, `=`,
 * `&` and `|` with the character that should have been another one, anything else alone.
 */
function unrecognized(source: string, pos: number): string {
  const open = /[bB]?[rR]?["']/y;
  open.lastIndex = pos;
  const quote = open.exec(source)?.[0];
  if (quote === undefined) {
    const first = String.fromCodePoint(source.codePointAt(pos) ?? 0);
    if (!'=&|'.includes(first) || pos + 1 >= source.length) return first;
    return first + String.fromCodePoint(source.codePointAt(pos + 1) ?? 0);
  }
  const body = new RegExp(`(?:${ESCAPE}|[^\\\\\\n\\r])*`, 'y');
  body.lastIndex = pos + quote.length;
  const end = body.lastIndex + (body.exec(source)?.[0].length ?? 0);
  const isBadEscape = source[end] === '\\';
  return source.slice(pos, Math.min(end + (isBadEscape ? 2 : 1), source.length));
}
