import type { Token, TokenKind } from './lexer.ts';
import type { IssueList } from './source.ts';

/** The tokens that can begin an operand. */
export const OPERAND: readonly TokenKind[] = [
  '[',
  '{',
  '(',
  '.',
  '-',
  '!',
  'true',
  'false',
  'null',
  'NUM_FLOAT',
  'NUM_INT',
  'NUM_UINT',
  'STRING',
  'BYTES',
  'IDENTIFIER',
];

/** The order in which cel-go's grammar declares its tokens, which its messages follow. */
const ORDER: readonly TokenKind[] = [
  ...['<EOF>', '==', '!=', 'in', '<', '<=', '>=', '>', '&&', '||', '[', ']', '{', '}', '(', ')'],
  ...['.', ',', '-', '!', '?', ':', '+', '*', '/', '%', 'true', 'false', 'null', 'NUM_FLOAT'],
  ...['NUM_INT', 'NUM_UINT', 'STRING', 'BYTES', 'IDENTIFIER', 'ESC_IDENTIFIER'],
];

/**
 * Tokens with one place to stand.
 *
 * The messages follow those of cel-go's generated parser: one superfluous token is "extraneous",
 * one forgotten bracket is "missing", everything else is "mismatched" and ends the parse.
 */
export class TokenStream {
  readonly #tokens: readonly Token[];
  readonly #issues: IssueList;
  readonly #stop: () => Error;
  #at = 0;

  constructor(tokens: readonly Token[], issues: IssueList, stop: () => Error) {
    this.#tokens = tokens;
    this.#issues = issues;
    this.#stop = stop;
  }

  peek(ahead = 0): Token {
    const last = this.#tokens.length - 1;
    return this.#tokens[Math.min(this.#at + ahead, last)] as Token;
  }

  get kind(): TokenKind {
    return this.peek().kind;
  }

  /** The kind of the token before this place. */
  get previous(): TokenKind | undefined {
    return this.#tokens[this.#at - 1]?.kind;
  }

  next(): Token {
    const token = this.peek();
    this.#at++;
    return token;
  }

  accept(kind: TokenKind): Token | undefined {
    return this.kind === kind ? this.next() : undefined;
  }

  isNumber(ahead: number): boolean {
    const { kind } = this.peek(ahead);
    return kind === 'NUM_INT' || kind === 'NUM_FLOAT';
  }

  startsOperand(): boolean {
    return OPERAND.includes(this.kind);
  }

  /** Whether names joined by dots and then a brace follow, as in a message. */
  startsStruct(): boolean {
    let ahead = 0;
    while (this.peek(ahead).kind === '.' && this.peek(ahead + 1).kind === 'IDENTIFIER') ahead += 2;
    return this.peek(ahead).kind === '{';
  }

  /** The token that begins an operand, after one superfluous token at most. */
  operand(others: readonly TokenKind[]): Token {
    return this.oneOf([...OPERAND, ...others]);
  }

  /** The token here, which must be of one of the kinds; it is not consumed. */
  oneOf(kinds: readonly TokenKind[]): Token {
    const token = this.peek();
    if (kinds.includes(token.kind)) return token;
    if (kinds.includes(this.peek(1).kind)) {
      this.#extraneous(token, kinds);
      return this.peek();
    }
    throw this.#mismatched(token, kinds);
  }

  expect(kind: TokenKind): Token {
    this.oneOf([kind]);
    return this.next();
  }

  /** Consumes a closing bracket, or notes that it is missing. */
  close(kind: TokenKind): void {
    const token = this.peek();
    if (token.kind === kind) this.#at++;
    else if (this.peek(1).kind === kind) {
      this.#extraneous(token, [kind]);
      this.#at++;
    } else if (token.kind === '<EOF>' || token.kind === ')' || token.kind === ']') {
      this.#issues.report(
        this.#place(token),
        `Syntax error: missing '${kind}' at ${quote(token.text)}`,
      );
    } else {
      throw this.#mismatched(token, [kind]);
    }
  }

  /** The token here, where the grammar had to look ahead and found no way on. */
  viable(kinds: readonly TokenKind[], before: string): Token {
    const token = this.peek();
    if (kinds.includes(token.kind)) return token;
    if (['true', 'false', 'null'].includes(token.kind)) {
      this.#issues.report(
        token.pos,
        `Syntax error: mismatched input '${token.text}' expecting IDENTIFIER`,
      );
      throw this.#stop();
    }
    const input = token.kind === '<EOF>' ? before : before + token.text;
    this.#issues.report(
      this.#place(token),
      `Syntax error: no viable alternative at input ${quote(input)}`,
    );
    throw this.#stop();
  }

  end(): void {
    const token = this.peek();
    if (token.kind === '<EOF>') return;
    if (this.peek(1).kind !== '<EOF>') throw this.#mismatched(token, ['<EOF>']);
    this.#extraneous(token, ['<EOF>']);
  }

  #extraneous(token: Token, kinds: readonly TokenKind[]): void {
    this.#issues.report(
      this.#place(token),
      `Syntax error: extraneous input ${quote(token.text)} expecting ${expecting(kinds)}`,
    );
    this.#at++;
  }

  #mismatched(token: Token, kinds: readonly TokenKind[]): Error {
    this.#issues.report(
      this.#place(token),
      `Syntax error: mismatched input ${quote(token.text)} expecting ${expecting(kinds)}`,
    );
    return this.#stop();
  }

  #place(token: Token): number {
    return token.pos;
  }
}

const quote = (text: string): string =>
  `'${text.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')}'`;

function expecting(kinds: readonly TokenKind[]): string {
  const names = ORDER.filter((kind) => kinds.includes(kind)).map((kind) =>
    /^[A-Z<]/.test(kind) && kind.length > 2 ? kind : `'${kind}'`,
  );
  return names.length === 1 ? (names[0] as string) : `{${names.join(', ')}}`;
}
