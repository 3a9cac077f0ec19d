import type { Branch, TemplateNode } from './node.ts';
import { PipelineReader } from './parse-pipeline.ts';
import type { Token } from './token.ts';
import { TokenStream } from './token-stream.ts';
import { tokenize } from './tokenize.ts';

/** A template, read: what it prints, and the templates it defines by name. */
export interface ParsedTemplate {
  readonly name: string;
  readonly text: string;
  readonly nodes: readonly TemplateNode[];
  readonly defined: ReadonlyMap<string, readonly TemplateNode[]>;
}

/** Reads a template. Throws ParseError with the text of Go's parser. */
export function parseGoTemplate(text: string, name = 'output'): ParsedTemplate {
  const defined = new Map<string, readonly TemplateNode[]>();
  const nodes = new Parser(new TokenStream(tokenize(text), name), defined).parse();
  return { name, text, nodes, defined };
}

/** What ended a list of nodes. */
type Ending = { readonly kind: 'end' } | { readonly kind: 'else'; readonly followed?: string };

class Parser {
  readonly #stream: TokenStream;
  readonly #pipelines: PipelineReader;
  readonly #defined: Map<string, readonly TemplateNode[]>;
  #ranges = 0;

  constructor(stream: TokenStream, defined: Map<string, readonly TemplateNode[]>) {
    this.#stream = stream;
    this.#pipelines = new PipelineReader(stream);
    this.#defined = defined;
  }

  parse(): readonly TemplateNode[] {
    const nodes: TemplateNode[] = [];
    while (this.#stream.peek().kind !== 'eof') {
      const node = this.#textOrAction();
      if ('ending' in node) this.#stream.fail(`unexpected ${endingText(node.ending)}`);
      if (!('ending' in node)) nodes.push(...node.nodes);
    }
    return nodes;
  }

  /** Nodes up to `end` or `else`. */
  #list(): { readonly nodes: TemplateNode[]; readonly ending: Ending } {
    const nodes: TemplateNode[] = [];
    while (this.#stream.peekNonSpace().kind !== 'eof') {
      const node = this.#textOrAction();
      if ('ending' in node) return { nodes, ending: node.ending };
      nodes.push(...node.nodes);
    }
    return this.#stream.fail('unexpected EOF');
  }

  #textOrAction(): { readonly nodes: TemplateNode[] } | { readonly ending: Ending } {
    const token = this.#stream.takeNonSpace();
    if (token.kind === 'text') {
      return { nodes: [{ kind: 'text', text: token.text, at: token.at }] };
    }
    if (token.kind !== 'left-delim') return this.#stream.unexpected(token, 'input');
    this.#stream.actionLine = token.line;
    const result = this.#action();
    this.#stream.actionLine = 0;
    return result;
  }

  #action(): { readonly nodes: TemplateNode[] } | { readonly ending: Ending } {
    const token = this.#stream.peekNonSpace();
    if (token.kind !== 'keyword' || token.text === 'nil') {
      const { at } = this.#stream.peek();
      return { nodes: [{ kind: 'action', at, pipeline: this.#pipelines.read('command') }] };
    }
    this.#stream.takeNonSpace();
    switch (token.text) {
      case 'end':
        this.#stream.expectEnd('end');
        return { ending: { kind: 'end' } };
      case 'else':
        return { ending: this.#elseEnding() };
      case 'if':
      case 'with':
      case 'range':
        return { nodes: [this.#branch(token.text)] };
      case 'define':
        this.#define();
        return { nodes: [] };
      case 'block':
        return { nodes: [this.#block()] };
      case 'template':
        return { nodes: [this.#template()] };
      default:
        return { nodes: [this.#jump(token)] };
    }
  }

  #elseEnding(): Ending {
    const next = this.#stream.peekNonSpace();
    if (next.kind === 'keyword' && (next.text === 'if' || next.text === 'with')) {
      return { kind: 'else', followed: next.text };
    }
    this.#stream.expectEnd('else');
    return { kind: 'else' };
  }

  #jump(token: Token): TemplateNode {
    this.#stream.expectEnd(`{{${token.text}}}`);
    if (this.#ranges === 0) this.#stream.fail(`{{${token.text}}} outside {{range}}`);
    return { kind: token.text === 'break' ? 'break' : 'continue', at: token.at };
  }

  #branch(kind: Branch['kind']): Branch {
    const known = this.#pipelines.variables.length;
    const pipeline = this.#pipelines.read(kind);
    if (kind === 'range') this.#ranges++;
    const { nodes: body, ending } = this.#list();
    if (kind === 'range') this.#ranges--;
    const otherwise = ending.kind === 'else' ? this.#otherwise(kind, ending.followed) : undefined;
    this.#pipelines.variables.length = known;
    return { kind, at: pipeline.at, pipeline, body, otherwise };
  }

  #otherwise(kind: Branch['kind'], followed: string | undefined): TemplateNode[] {
    if (followed !== undefined && followed === kind) {
      this.#stream.takeNonSpace();
      return [this.#branch(kind)];
    }
    const { nodes, ending } = this.#list();
    if (ending.kind !== 'end') this.#stream.fail(`expected end; found ${endingText(ending)}`);
    return nodes;
  }

  #define(): void {
    const name = this.#templateName('define clause');
    this.#stream.expectEnd('define clause');
    this.#defineList(name, 'define clause');
  }

  #block(): TemplateNode {
    const { at } = this.#stream.peekNonSpace();
    const name = this.#templateName('block clause');
    const pipeline = this.#pipelines.read('block clause');
    this.#defineList(name, 'block clause');
    return { kind: 'template', at, name, pipeline };
  }

  /** A template of its own: it sees none of the variables around it. */
  #defineList(name: string, context: string): void {
    const outer = { variables: this.#pipelines.variables, ranges: this.#ranges };
    this.#pipelines.variables = ['$'];
    this.#ranges = 0;
    const { nodes, ending } = this.#list();
    if (ending.kind !== 'end') this.#stream.fail(`unexpected ${endingText(ending)} in ${context}`);
    this.#pipelines.variables = outer.variables;
    this.#ranges = outer.ranges;
    const isEmpty = nodes.every((node) => node.kind === 'text' && node.text.trim() === '');
    if (!this.#defined.has(name) || !isEmpty) this.#defined.set(name, nodes);
  }

  #template(): TemplateNode {
    const { at } = this.#stream.peekNonSpace();
    const name = this.#templateName('template clause');
    if (this.#stream.peekNonSpace().kind === 'right-delim') {
      this.#stream.takeNonSpace();
      return { kind: 'template', at, name, pipeline: undefined };
    }
    return { kind: 'template', at, name, pipeline: this.#pipelines.read('template clause') };
  }

  #templateName(context: string): string {
    const token = this.#stream.takeNonSpace();
    if (token.kind !== 'string' && token.kind !== 'raw-string')
      this.#stream.unexpected(token, context);
    return this.#pipelines.stringOf(token);
  }
}

function endingText(ending: Ending): string {
  return ending.kind === 'end' ? '{{end}}' : '{{else}}';
}
