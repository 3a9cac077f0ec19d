import { RESERVED } from '../escaping.ts';
import { CelUint, type CelValue } from '../values/value.ts';
import type { CallExpr, EntryExpr, Expr } from './ast.ts';
import { AstFactory, TooManyNodes } from './factory.ts';
import { tokenize } from './lexer.ts';
import { expandMacro, MacroError } from './macros.ts';
import type { IssueList } from './source.ts';
import { OPERAND, TokenStream } from './token-stream.ts';
import { UnescapeError, unescapeBytes, unescapeString } from './unescape.ts';

const MAX_CODE_POINTS = 100_000;
const MAX_DEPTH = 250;
const MAX_INT = 2n ** 63n - 1n;
const MAX_UINT = 2n ** 64n - 1n;

const RELATIONS: ReadonlySet<string> = new Set(['<', '<=', '>=', '>', '==', '!=', 'in']);
const CALC: ReadonlyMap<string, number> = new Map([
  ['+', 1],
  ['-', 1],
  ['*', 2],
  ['/', 2],
  ['%', 2],
]);

/** Ends the parse; what went wrong is already among the issues. */
class ParseStop extends Error {}

/** A parsed expression and how many nodes it has. */
export interface Parsed {
  readonly root: Expr;
  readonly nodeCount: number;
}

/** What the grammar allows. */
export interface ParseOptions {
  /** Whether macros that only stored expressions may use are expanded. */
  readonly stored?: boolean;
}

/** Parses a source and expands its macros; undefined where there are issues. */
export function parse(
  source: string,
  issues: IssueList,
  options: ParseOptions = {},
): Parsed | undefined {
  const size = countCodePoints(source);
  if (size > MAX_CODE_POINTS) {
    issues.report(
      -1,
      `expression code point size exceeds limit: size: ${size}, limit ${MAX_CODE_POINTS}`,
    );
    return undefined;
  }
  const stream = new TokenStream(tokenize(source, issues), issues, () => new ParseStop());
  const parser = new Parser(stream, issues, options.stored ?? false);
  try {
    const root = parser.start();
    return issues.any ? undefined : { root, nodeCount: parser.factory.count };
  } catch (err) {
    if (err instanceof TooManyNodes) issues.report(-1, err.message);
    else if (!(err instanceof ParseStop)) throw err;
    return undefined;
  }
}

function countCodePoints(source: string): number {
  let count = source.length;
  for (let i = 0; i < source.length; i++) if ((source.charCodeAt(i) & 0xfc00) === 0xdc00) count--;
  return count;
}

type Rule = 'expr' | 'relation' | 'calc' | 'member';

class Parser {
  readonly factory = new AstFactory();
  readonly #tokens: TokenStream;
  readonly #stored: boolean;
  readonly #issues: IssueList;
  readonly #depth: Record<Rule, number> = { expr: 0, relation: 0, calc: 0, member: 0 };

  constructor(tokens: TokenStream, issues: IssueList, stored: boolean) {
    this.#stored = stored;
    this.#tokens = tokens;
    this.#issues = issues;
  }

  start(): Expr {
    const root = this.#expr();
    this.#tokens.end();
    return root;
  }

  /** Grammar rules count their own depth, since cel-go limits each rule by itself. */
  #enter(rule: Rule): void {
    this.#depth[rule]++;
    if (this.#depth[rule] <= MAX_DEPTH) return;
    this.#issues.report(-1, `expression recursion limit exceeded: ${MAX_DEPTH}`);
    throw new ParseStop();
  }

  #expr(): Expr {
    this.#enter('expr');
    const condition = this.#logical('||');
    const question = this.#tokens.accept('?');
    let result = condition;
    if (question) {
      const truthy = this.#logical('||');
      this.#tokens.expect(':');
      const falsy = this.#expr();
      result = this.factory.call(question.pos, '_?_:_', [condition, truthy, falsy]);
    }
    this.#depth.expr--;
    return result;
  }

  #logical(operator: '||' | '&&'): Expr {
    const term = () => (operator === '||' ? this.#logical('&&') : this.#relation());
    const terms = [term()];
    const places: number[] = [];
    for (let op = this.#tokens.accept(operator); op; op = this.#tokens.accept(operator)) {
      places.push(op.pos);
      terms.push(term());
    }
    if (terms.length === 1) return terms[0] as Expr;
    // Balanced, so that a long chain does not become a deep tree.
    const balance = (low: number, high: number): Expr => {
      const mid = (low + high + 1) >> 1;
      const left = mid === low ? (terms[mid] as Expr) : balance(low, mid - 1);
      const right = mid === high ? (terms[mid + 1] as Expr) : balance(mid + 1, high);
      return this.factory.call(places[mid] ?? -1, `_${operator}_`, [left, right]);
    };
    return balance(0, places.length - 1);
  }

  #relation(): Expr {
    const outer = this.#depth.relation;
    this.#enter('relation');
    let left = this.#calc(1);
    while (RELATIONS.has(this.#tokens.kind)) {
      this.#enter('relation');
      const op = this.#tokens.next();
      const right = this.#calc(1);
      left = this.factory.call(op.pos, op.text === 'in' ? '@in' : `_${op.text}_`, [left, right]);
    }
    this.#depth.relation = outer;
    return left;
  }

  #calc(minimum: number): Expr {
    const outer = this.#depth.calc;
    this.#enter('calc');
    let left = this.#unary();
    for (;;) {
      const precedence = CALC.get(this.#tokens.kind);
      if (precedence === undefined || precedence < minimum) break;
      this.#enter('calc');
      const op = this.#tokens.next();
      const right = this.#calc(precedence + 1);
      left = this.factory.call(op.pos, `_${op.text}_`, [left, right]);
    }
    this.#depth.calc = outer;
    return left;
  }

  #unary(): Expr {
    const first = this.#tokens.peek();
    if (first.kind !== '!' && first.kind !== '-') return this.#member();
    if (first.kind === '-' && this.#tokens.isNumber(1)) return this.#member();
    let count = 0;
    while (this.#tokens.accept(first.kind)) count++;
    if (first.kind === '-') this.#tokens.viable(OPERAND, '-');
    const operand = this.#member();
    if (count % 2 === 0) return operand;
    return this.factory.call(first.pos, first.kind === '!' ? '!_' : '-_', [operand]);
  }

  #member(): Expr {
    const outer = this.#depth.member;
    this.#enter('member');
    let operand = this.#primary();
    for (;;) {
      const kind = this.#tokens.kind;
      if (kind === '.') operand = this.#selectOrCall(operand);
      else if (kind === '[') operand = this.#index(operand);
      else break;
      this.#enter('member');
    }
    this.#depth.member = outer;
    return operand;
  }

  #selectOrCall(operand: Expr): Expr {
    const dot = this.#tokens.next();
    const question = this.#tokens.accept('?');
    const name = question
      ? this.#tokens.oneOf(['IDENTIFIER', 'ESC_IDENTIFIER'])
      : this.#tokens.viable(['IDENTIFIER', 'ESC_IDENTIFIER'], '.');
    this.#tokens.next();
    if (name.kind === 'ESC_IDENTIFIER') {
      this.#issues.report(name.pos, "unsupported syntax: '`'");
    }
    if (question) {
      const field = this.factory.literal(name.pos, name.text);
      return this.factory.call(dot.pos, '_?._', [operand, field]);
    }
    const open = name.kind === 'IDENTIFIER' ? this.#tokens.accept('(') : undefined;
    if (!open) return this.factory.select(dot.pos, operand, name.text);
    return this.#call({ pos: open.pos, name: name.text, target: operand, args: this.#args() });
  }

  #index(operand: Expr): Expr {
    const open = this.#tokens.next();
    const question = this.#tokens.accept('?');
    if (!question) this.#tokens.operand(['?']);
    const index = this.#expr();
    this.#tokens.close(']');
    return this.factory.call(open.pos, question ? '_[?_]' : '_[_]', [operand, index]);
  }

  #call(call: Pick<CallExpr, 'pos' | 'name' | 'target' | 'args'>): Expr {
    try {
      const expanded = expandMacro(call, { make: this.factory, stored: this.#stored });
      if (expanded) return expanded;
    } catch (err) {
      if (!(err instanceof MacroError)) throw err;
      this.#issues.report(err.pos, err.message);
      return this.factory.literal(call.pos, null);
    }
    return this.factory.member(call);
  }

  #args(): Expr[] {
    const args: Expr[] = [];
    if (this.#tokens.accept(')')) return args;
    this.#tokens.operand([')']);
    do args.push(this.#expr());
    while (this.#tokens.accept(','));
    this.#tokens.close(')');
    return args;
  }

  #primary(): Expr {
    const token = this.#tokens.operand([]);
    switch (token.kind) {
      case '(': {
        this.#tokens.next();
        const inner = this.#expr();
        this.#tokens.close(')');
        return inner;
      }
      case '[':
        return this.#list();
      case '{': {
        const open = this.#tokens.next();
        return this.factory.map(
          open.pos,
          this.#entries(() => this.#expr(), [...OPERAND, '}', ',', '?']),
        );
      }
      case '.':
      case 'IDENTIFIER':
        return this.#ident();
      default:
        return this.#literal();
    }
  }

  #list(): Expr {
    const open = this.#tokens.next();
    const elements: Expr[] = [];
    const optionals: number[] = [];
    if (!this.#emptyBody(']')) {
      do {
        if (this.#tokens.kind === ']') break;
        if (elements.length > 0 && this.#tokens.kind !== '?' && !this.#tokens.startsOperand()) {
          break;
        }
        if (this.#tokens.accept('?')) optionals.push(elements.length);
        elements.push(this.#expr());
      } while (this.#tokens.accept(','));
      this.#closeBody(']');
    }
    return this.factory.list(open.pos, elements, optionals);
  }

  /** Brackets or braces with nothing, or only a comma, in them. */
  #emptyBody(close: string): boolean {
    if (this.#tokens.accept(close)) return true;
    if (!this.#tokens.accept(',')) return false;
    this.#tokens.close(close);
    return true;
  }

  #closeBody(close: string): void {
    if (this.#tokens.previous === ',') this.#tokens.close(close);
    else this.#tokens.oneOf([close, ',']);
    if (this.#tokens.kind === close) this.#tokens.next();
  }

  #entries(key: () => Expr, first: readonly string[]): EntryExpr[] {
    const entries: EntryExpr[] = [];
    if (this.#emptyBody('}')) return entries;
    do {
      if (this.#tokens.kind === '}') break;
      const optional = this.#tokens.accept('?') !== undefined;
      if (entries.length === 0 && !optional) this.#tokens.oneOf(first);
      const name = key();
      const colon = this.#tokens.expect(':');
      const value = this.#expr();
      entries.push({ ...this.factory.node(colon.pos), key: name, value, optional });
    } while (this.#tokens.accept(','));
    this.#closeBody('}');
    return entries;
  }

  #ident(): Expr {
    const dot = this.#tokens.accept('.');
    const name = this.#tokens.oneOf(['IDENTIFIER']);
    this.#tokens.next();
    if (this.#tokens.startsStruct()) return this.#struct(dot ? '.' : '', name.text);
    if (RESERVED.has(name.text)) {
      this.#issues.report((dot ?? name).pos, `reserved identifier: ${name.text}`);
      if (this.#tokens.accept('(')) this.#args();
      return this.factory.literal(name.pos, null);
    }
    const full = dot ? `.${name.text}` : name.text;
    const open = this.#tokens.accept('(');
    if (!open) return this.factory.ident(name.pos, full);
    return this.#call({ pos: open.pos, name: full, target: undefined, args: this.#args() });
  }

  #struct(prefix: string, first: string): Expr {
    let name = prefix + first;
    while (this.#tokens.accept('.')) name += `.${this.#tokens.next().text}`;
    const open = this.#tokens.next();
    const field = (): Expr => {
      const token = this.#tokens.oneOf(['IDENTIFIER', 'ESC_IDENTIFIER']);
      this.#tokens.next();
      if (token.kind === 'ESC_IDENTIFIER') {
        this.#issues.report(token.pos, "unsupported syntax: '`'");
      }
      return this.factory.literal(token.pos, token.text);
    };
    return this.factory.struct(
      open.pos,
      name,
      this.#entries(field, ['IDENTIFIER', 'ESC_IDENTIFIER', '}', ',', '?']),
    );
  }

  #literal(): Expr {
    const sign = this.#tokens.accept('-');
    const token = this.#tokens.next();
    const pos = (sign ?? token).pos;
    try {
      return this.factory.literal(pos, literalValue(token.kind, token.text, sign !== undefined));
    } catch (err) {
      if (!(err instanceof UnescapeError)) throw err;
      this.#issues.report(pos, err.message);
      return this.factory.literal(pos, null);
    }
  }
}

function literalValue(kind: string, text: string, negative: boolean): CelValue {
  switch (kind) {
    case 'NUM_INT': {
      const value = negative ? -BigInt(text) : BigInt(text);
      if (value > MAX_INT || value < -MAX_INT - 1n) throw new UnescapeError('invalid int literal');
      return value;
    }
    case 'NUM_UINT': {
      const value = BigInt(text.slice(0, -1));
      if (value > MAX_UINT) throw new UnescapeError('invalid uint literal');
      return new CelUint(value);
    }
    case 'NUM_FLOAT': {
      const value = Number(text);
      if (!Number.isFinite(value)) throw new UnescapeError('invalid double literal');
      return negative ? -value : value;
    }
    case 'STRING':
      return unescapeString(text);
    case 'BYTES':
      return unescapeBytes(text.slice(1));
    case 'true':
      return true;
    case 'false':
      return false;
    default:
      return null;
  }
}
