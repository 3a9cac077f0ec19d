import { goQuote } from '../go/quote.ts';
import { ParseError } from '../parse-error.ts';
import type { Token } from './token.ts';

/** The tokens of a template one after the other, and the errors of whoever reads them. */
export class TokenStream {
  readonly #tokens: readonly Token[];
  readonly #name: string;
  #next = 0;
  /** Where the action began that is being read; 0 outside of actions. */
  actionLine = 0;

  constructor(tokens: readonly Token[], name: string) {
    this.#tokens = tokens;
    this.#name = name;
  }

  /** A place to come back to. */
  mark(): number {
    return this.#next;
  }

  /** Goes back to a place. */
  reset(mark: number): void {
    this.#next = mark;
  }

  expectEnd(context: string): void {
    const token = this.takeNonSpace();
    if (token.kind !== 'right-delim') this.unexpected(token, context);
  }

  peek(): Token {
    return this.#tokens[this.#next] ?? { kind: 'eof', text: 'EOF', at: 0, line: 0 };
  }

  take(): Token {
    const token = this.peek();
    // An error stays the next token: nothing comes behind it.
    if (token.kind !== 'error') this.#next++;
    return token;
  }

  peekNonSpace(): Token {
    while (this.peek().kind === 'space') this.#next++;
    return this.peek();
  }

  takeNonSpace(): Token {
    this.peekNonSpace();
    return this.take();
  }

  unexpected(token: Token, context: string): never {
    if (token.kind !== 'error') return this.fail(`unexpected ${tokenText(token)} in ${context}`);
    const isElsewhere = this.actionLine !== 0 && this.actionLine !== token.line;
    const started = ` started at ${this.#name}:${this.actionLine}`;
    const where = token.text.endsWith(' action') ? started : ` in action${started}`;
    return this.fail(token.text + (isElsewhere ? where : ''), token.line);
  }

  fail(problem: string, line = this.#line()): never {
    throw new ParseError(`template: ${this.#name}:${line}: ${problem}`);
  }

  /** Of what was read last. */
  #line(): number {
    return (this.#tokens[this.#next - 1] ?? this.peek()).line;
  }
}

function tokenText({ kind, text }: Token): string {
  if (kind === 'eof') return 'EOF';
  if (kind === 'keyword' || kind === 'dot') return `<${text}>`;
  return text.length > 10 ? `${goQuote([...text].slice(0, 10).join(''))}...` : goQuote(text);
}
