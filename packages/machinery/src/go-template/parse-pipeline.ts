import { goQuote } from '../go/quote.ts';
import { goUnquote } from '../go/unquote.ts';
import { ParseError } from '../parse-error.ts';
import { functionNames } from './functions.ts';
import { type Command, nodeText, type Operand, type Pipeline } from './node.ts';
import { parseCharacter, parseNumber } from './parse-number.ts';
import type { Token } from './token.ts';
import type { TokenStream } from './token-stream.ts';

/** Deeper than people write; reading recurses. */
const MAX_DEPTH = 500;

/** Reads what stands in an action: `$x := .a.b | printf "%s"`. */
export class PipelineReader {
  /** Names that are declared so far. */
  variables = ['$'];
  readonly #stream: TokenStream;
  #depth = 0;

  constructor(stream: TokenStream) {
    this.#stream = stream;
  }

  /** Up to and past the brackets, or the parenthesis, that end it. */
  read(context: string, end: 'right-delim' | 'right-paren' = 'right-delim'): Pipeline {
    const { at } = this.#stream.peekNonSpace();
    const { variables, isAssignment } = this.#declarations(context);
    const commands: Command[] = [];
    for (;;) {
      const token = this.#stream.peekNonSpace();
      if (token.kind === end) {
        this.#stream.takeNonSpace();
        this.#checkPipeline(commands, context);
        return { kind: 'pipeline', at, variables, isAssignment, commands };
      }
      if (!startsOperand(token)) {
        this.#stream.takeNonSpace();
        this.#stream.unexpected(token, context);
      }
      commands.push(this.#command());
    }
  }

  #declarations(context: string): { variables: string[]; isAssignment: boolean } {
    const variables: string[] = [];
    for (;;) {
      const variable = this.#stream.peekNonSpace();
      const start = this.#stream.mark();
      if (variable.kind !== 'variable') return { variables, isAssignment: false };
      this.#stream.takeNonSpace();
      const sign = this.#stream.peekNonSpace();
      if (sign.kind !== 'assign' && sign.kind !== 'declare' && sign.text !== ',') {
        this.#stream.reset(start);
        return { variables, isAssignment: false };
      }
      this.#stream.takeNonSpace();
      variables.push(variable.text);
      this.variables.push(variable.text);
      if (sign.text !== ',') return { variables, isAssignment: sign.kind === 'assign' };
      this.#checkMoreDeclarations(context, variables.length);
    }
  }

  #checkMoreDeclarations(context: string, count: number): void {
    if (context !== 'range' || count >= 2) this.#stream.fail(`too many declarations in ${context}`);
    if (!['variable', 'right-delim', 'right-paren'].includes(this.#stream.peekNonSpace().kind)) {
      this.#stream.fail('range can only initialize variables');
    }
  }

  #checkPipeline(commands: readonly Command[], context: string): void {
    if (commands.length === 0) this.#stream.fail(`missing value for ${context}`);
    for (const [index, { args }] of commands.entries()) {
      const isValue = ['bool', 'dot', 'nil', 'number', 'string'].includes(args[0]?.kind ?? '');
      if (index > 0 && isValue) {
        this.#stream.fail(`non executable command in pipeline stage ${index + 1}`);
      }
    }
  }

  #command(): Command {
    const { at } = this.#stream.peekNonSpace();
    const args: Operand[] = [];
    for (;;) {
      this.#stream.peekNonSpace();
      const operand = this.#operand();
      if (operand !== undefined) args.push(operand);
      const token = this.#stream.peek();
      if (token.kind === 'right-delim' || token.kind === 'right-paren') break;
      this.#stream.take();
      if (token.kind === 'space') continue;
      if (token.kind !== 'pipe') this.#stream.unexpected(token, 'operand');
      break;
    }
    if (args.length === 0) this.#stream.fail('empty command');
    return { kind: 'command', at, args };
  }

  #operand(): Operand | undefined {
    const operand = this.#term();
    if (operand === undefined || this.#stream.peek().kind !== 'field') return operand;
    const { at } = this.#stream.peek();
    const names: string[] = [];
    while (this.#stream.peek().kind === 'field') names.push(this.#stream.take().text.slice(1));
    switch (operand.kind) {
      case 'field':
      case 'variable':
        return { kind: operand.kind, at, names: [...operand.names, ...names] };
      case 'bool':
      case 'string':
      case 'number':
      case 'nil':
      case 'dot':
        return this.#stream.fail(`unexpected . after term ${goQuote(nodeText(operand))}`);
      default:
        return { kind: 'chain', at, of: operand, names };
    }
  }

  #term(): Operand | undefined {
    const token = this.#stream.peekNonSpace();
    if (!startsOperand(token)) return undefined;
    this.#stream.takeNonSpace();
    const { text, at } = token;
    switch (token.kind) {
      case 'identifier':
        if (!functionNames.has(text)) this.#stream.fail(`function ${goQuote(text)} not defined`);
        return { kind: 'function', at, name: text };
      case 'dot':
        return { kind: 'dot', at };
      case 'variable':
        if (!this.variables.includes(text))
          this.#stream.fail(`undefined variable ${goQuote(text)}`);
        return { kind: 'variable', at, names: [text] };
      case 'field':
        return { kind: 'field', at, names: [text.slice(1)] };
      case 'bool':
        return { kind: 'bool', at, value: text === 'true' };
      case 'character':
      case 'number':
        return { kind: 'number', at, text, value: this.#number(token) };
      case 'left-paren':
        return this.#parenthesis();
      case 'string':
      case 'raw-string':
        return { kind: 'string', at, quoted: text, value: this.stringOf(token) };
      default:
        return { kind: 'nil', at };
    }
  }

  #parenthesis(): Pipeline {
    if (this.#depth >= MAX_DEPTH) this.#stream.fail('max expression depth exceeded');
    this.#depth++;
    const pipeline = this.read('parenthesized pipeline', 'right-paren');
    this.#depth--;
    return pipeline;
  }

  #number(token: Token) {
    try {
      return token.kind === 'character' ? parseCharacter(token.text) : parseNumber(token.text);
    } catch (error) {
      if (error instanceof ParseError) return this.#stream.fail(error.message);
      throw error;
    }
  }

  stringOf(token: Token): string {
    const inner = token.text.slice(1, -1);
    if (token.kind === 'raw-string') return inner.replaceAll('\r', '');
    return goUnquote(inner, '"') ?? this.#stream.fail('invalid syntax');
  }
}

function startsOperand(token: Token): boolean {
  switch (token.kind) {
    case 'bool':
    case 'character':
    case 'dot':
    case 'field':
    case 'identifier':
    case 'number':
    case 'raw-string':
    case 'string':
    case 'variable':
    case 'left-paren':
      return true;
    default:
      return token.kind === 'keyword' && token.text === 'nil';
  }
}
