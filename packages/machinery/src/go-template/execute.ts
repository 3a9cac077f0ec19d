import { goQuote } from '../go/quote.ts';
import { GoNumber, goSprint, goTypeName, plainValue } from '../go/values.ts';
import { isJsonObject } from '../values/json-kind.ts';
import { Evaluator, GoTemplateError, type Variables } from './evaluator.ts';
import type { Branch, TemplateNode } from './node.ts';
import type { ParsedTemplate } from './parse.ts';
import { isTrue } from './truth.ts';

/** How missing things are taken. */
export interface GoTemplateOptions {
  /** False makes a key that is not there an error. @default true */
  readonly allowMissingKeys?: boolean | undefined;
}

/** Runs a template over JSON data and gives what it prints. */
export function executeGoTemplate(
  template: ParsedTemplate,
  data: unknown,
  options: GoTemplateOptions = {},
): string {
  const run = new Run(template, options.allowMissingKeys ?? true);
  try {
    run.walk(template.nodes, data, [['$', data]]);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new GoTemplateError('exceeded maximum template depth', { cause: error });
  }
  return run.printed.join('');
}

/** How a list of nodes ended. */
type Way = 'through' | 'break' | 'continue';

class Run {
  readonly printed: string[] = [];
  readonly #template: ParsedTemplate;
  readonly #values: Evaluator;

  constructor(template: ParsedTemplate, allowMissingKeys: boolean) {
    this.#template = template;
    this.#values = new Evaluator(template, allowMissingKeys);
  }

  walk(nodes: readonly TemplateNode[], dot: unknown, variables: Variables): Way {
    for (const node of nodes) {
      this.#values.node = node;
      const way = this.#step(node, dot, variables);
      if (way !== 'through') return way;
    }
    return 'through';
  }

  #step(node: TemplateNode, dot: unknown, variables: Variables): Way {
    switch (node.kind) {
      case 'text':
        this.printed.push(node.text);
        return 'through';
      case 'action': {
        const value = this.#values.pipeline(node.pipeline, { dot, variables });
        if (node.pipeline.variables.length === 0) {
          this.printed.push(value === undefined ? '<no value>' : goSprint(value));
        }
        return 'through';
      }
      case 'break':
      case 'continue':
        return node.kind;
      case 'template':
        return this.#include(node, dot, variables);
      case 'range':
        return this.#range(node, dot, variables);
      default:
        return this.#branch(node, dot, variables);
    }
  }

  #branch(node: Branch, dot: unknown, variables: Variables): Way {
    const mark = variables.length;
    const value = this.#values.pipeline(node.pipeline, { dot, variables });
    let way: Way = 'through';
    if (isTrue(value)) way = this.walk(node.body, node.kind === 'with' ? value : dot, variables);
    else if (node.otherwise !== undefined) way = this.walk(node.otherwise, dot, variables);
    variables.length = mark;
    return way;
  }

  #include(
    node: TemplateNode & { readonly kind: 'template' },
    dot: unknown,
    variables: Variables,
  ): Way {
    const nodes =
      node.name === this.#template.name
        ? this.#template.nodes
        : this.#template.defined.get(node.name);
    if (nodes === undefined) this.#values.fail(`template ${goQuote(node.name)} not defined`);
    const value =
      node.pipeline === undefined
        ? undefined
        : this.#values.pipeline(node.pipeline, { dot, variables });
    this.walk(nodes ?? [], value, [['$', value]]);
    return 'through';
  }

  #range(node: Branch, dot: unknown, variables: Variables): Way {
    const mark = variables.length;
    const value = this.#values.pipeline(node.pipeline, { dot, variables });
    const inner = variables.length;
    let hasRun = false;
    let way: Way = 'through';
    for (const [index, item] of this.#entries(value, node)) {
      hasRun = true;
      this.#setRangeVariables(node, [index, item], variables);
      const ended = this.walk(node.body, item, variables);
      variables.length = inner;
      if (ended === 'break') break;
    }
    variables.length = mark;
    if (!hasRun && node.otherwise !== undefined) way = this.walk(node.otherwise, dot, variables);
    variables.length = mark;
    return way;
  }

  #setRangeVariables(
    { pipeline: { variables: names, isAssignment } }: Branch,
    [index, item]: readonly [unknown, unknown],
    variables: Variables,
  ): void {
    const values = names.length > 1 ? [index, item] : [item];
    for (const [place, name] of names.entries()) {
      if (isAssignment) this.#values.setVariable({ dot: item, variables }, name, values[place]);
      else variables[variables.length - names.length + place] = [name, values[place]];
    }
  }

  #entries(value: unknown, node: Branch): readonly (readonly [unknown, unknown])[] {
    if (value === null || value === undefined) return [];
    if (Array.isArray(value)) {
      return value.map((item: unknown, index) => [new GoNumber('int', index), item] as const);
    }
    const plain = plainValue(value);
    if (isJsonObject(plain)) {
      return Object.keys(plain)
        .sort()
        .map((key) => [key, plain[key]] as const);
    }
    const isInteger = goTypeName(value).startsWith('int') || goTypeName(value) === 'uint8';
    if (!isInteger) return this.#values.fail(`range can't iterate over ${goSprint(value)}`);
    if (node.pipeline.variables.length > 1) {
      this.#values.fail(`can't use ${goSprint(value)} to iterate over more than one variable`);
    }
    const count = Math.max(0, Number(plain));
    return Array.from({ length: count }, (_, index) => [undefined, new GoNumber('int', index)]);
  }
}
