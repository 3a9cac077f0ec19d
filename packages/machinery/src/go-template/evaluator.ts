import { goQuote } from '../go/quote.ts';
import { GoNumber, goTypeName } from '../go/values.ts';
import { encodeUtf8 } from '../json/utf8.ts';
import { isJsonObject } from '../values/json-kind.ts';
import { functionOf, type ParameterKind } from './functions.ts';
import { type Command, nodeText, type Operand, type Pipeline, type TemplateNode } from './node.ts';
import { isTrue } from './truth.ts';

/** A template went wrong while it ran; the message is Go's. */
export class GoTemplateError extends Error {
  override readonly name = 'GoTemplateError';
}

/** Names and values, the newest last. */
export type Variables = [string, unknown][];

/** What a value is looked up in. */
export interface Scope {
  readonly dot: unknown;
  readonly variables: Variables;
}

/** No value has been handed on by the command before. */
const NO_VALUE = Symbol('no value');

/** Finds the values of pipelines. Undefined is a value that is missing, null is nil. */
export class Evaluator {
  /** What is being looked at, for errors. */
  node: Operand | Command | TemplateNode | undefined;
  readonly #source: { readonly name: string; readonly text: string };
  readonly #allowMissingKeys: boolean;

  constructor(source: { readonly name: string; readonly text: string }, allowMissingKeys: boolean) {
    this.#source = source;
    this.#allowMissingKeys = allowMissingKeys;
  }

  /** The value of the last command; nil has become nothing, as Go takes it out of its interface. */
  pipeline(pipeline: Pipeline, scope: Scope): unknown {
    this.node = pipeline;
    let value: unknown = NO_VALUE;
    for (const command of pipeline.commands) {
      value = this.#command(command, value, scope) ?? undefined;
    }
    for (const name of pipeline.variables) {
      if (pipeline.isAssignment) this.setVariable(scope, name, value);
      else scope.variables.push([name, value]);
    }
    return value;
  }

  setVariable({ variables }: Scope, name: string, value: unknown): void {
    const variable = variables.findLast(([known]) => known === name);
    if (variable === undefined) this.fail(`undefined variable: ${name}`);
    else variable[1] = value;
  }

  #command(command: Command, final: unknown, scope: Scope): unknown {
    const [first] = command.args;
    if (first === undefined) return undefined;
    if (first.kind === 'function') return this.#call(first.name, { command, final }, scope);
    if (first.kind === 'field' || first.kind === 'chain' || first.kind === 'variable') {
      const hasArguments = command.args.length > 1 || final !== NO_VALUE;
      return this.#fieldChain(first, hasArguments, scope);
    }
    if (first.kind !== 'pipeline') this.node = first;
    if (command.args.length > 1 || final !== NO_VALUE) {
      this.fail(`can't give argument to non-function ${nodeText(first)}`);
    }
    if (first.kind === 'nil') this.fail('nil is not a command');
    return this.#operand(first, scope);
  }

  #fieldChain(
    node: Operand & { readonly kind: 'field' | 'chain' | 'variable' },
    hasArguments: boolean,
    scope: Scope,
  ): unknown {
    this.node = node;
    const { start, names } = this.#receiver(node, scope);
    this.node = node;
    if (names.length === 0 && hasArguments) {
      this.fail(`can't give argument to non-function ${nodeText(node)}`);
    }
    let value = start;
    for (const [place, name] of names.entries()) {
      value = this.#field(value, name, hasArguments && place === names.length - 1);
    }
    return value;
  }

  #receiver(
    node: Operand & { readonly kind: 'field' | 'chain' | 'variable' },
    scope: Scope,
  ): { readonly start: unknown; readonly names: readonly string[] } {
    if (node.kind === 'field') return { start: scope.dot, names: node.names };
    if (node.kind === 'chain') {
      if (node.of.kind === 'nil') {
        this.fail(`indirection through explicit nil in ${nodeText(node)}`);
      }
      return { start: this.#operand(node.of, scope), names: node.names };
    }
    const [own = '', ...names] = node.names;
    const variable = scope.variables.findLast(([known]) => known === own);
    if (variable === undefined) this.fail(`undefined variable: ${own}`);
    return { start: variable?.[1], names };
  }

  #field(receiver: unknown, name: string, hasArguments: boolean): unknown {
    if (receiver === undefined) {
      if (!this.#allowMissingKeys) this.fail(`nil data; no entry for key ${goQuote(name)}`);
      return undefined;
    }
    if (receiver === null) this.fail(`nil pointer evaluating interface {}.${name}`);
    if (!isJsonObject(receiver) || receiver instanceof GoNumber) {
      const type = receiver instanceof GoNumber ? receiver.type : 'interface {}';
      return this.fail(`can't evaluate field ${name} in type ${type}`);
    }
    if (hasArguments) this.fail(`${name} is not a method but has arguments`);
    if (Object.hasOwn(receiver, name)) return receiver[name];
    if (!this.#allowMissingKeys) this.fail(`map has no entry for key ${goQuote(name)}`);
    return undefined;
  }

  /** An operand where a value stands: an argument, or a command of its own. */
  #operand(operand: Operand, scope: Scope): unknown {
    this.node = operand;
    switch (operand.kind) {
      case 'dot':
        return scope.dot;
      case 'nil':
        return null;
      case 'bool':
      case 'string':
      case 'number':
        return operand.value;
      case 'pipeline':
        return this.pipeline(operand, scope);
      case 'function': {
        const command: Command = { kind: 'command', at: operand.at, args: [operand] };
        return this.#call(operand.name, { command, final: NO_VALUE }, scope);
      }
      default:
        return this.#fieldChain(operand, false, scope);
    }
  }

  #call(
    name: string,
    { command, final }: { readonly command: Command; readonly final: unknown },
    scope: Scope,
  ): unknown {
    const [head, ...operands] = command.args;
    this.node = head;
    const given = operands.length + (final === NO_VALUE ? 0 : 1);
    if (name === 'and' || name === 'or') {
      if (given === 0) this.fail(`wrong number of args for ${name}: want at least 1 got 0`);
      return this.#shortCircuit(name, { operands, final }, scope);
    }
    const called = functionOf(name);
    if (called === undefined) return this.fail(`${goQuote(name)} is not a defined function`);
    const { fixed, rest } = called;
    if (rest === undefined && given !== fixed.length) {
      this.fail(`wrong number of args for ${name}: want ${fixed.length} got ${given}`);
    }
    if (rest !== undefined && given < fixed.length) {
      this.fail(
        `wrong number of args for ${name}: want at least ${fixed.length} got ${operands.length}`,
      );
    }
    const args = operands.map((operand, place) =>
      this.#argument(operand, fixed[place] ?? rest ?? 'value', scope),
    );
    if (final !== NO_VALUE) {
      args.push(this.#checked(final, fixed[operands.length] ?? rest ?? 'value'));
    }
    try {
      return called.call(args);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      this.node = command.args.length > 1 ? command : head;
      return this.fail(`error calling ${name}: ${error.message}`);
    }
  }

  #shortCircuit(
    name: 'and' | 'or',
    { operands, final }: { readonly operands: readonly Operand[]; readonly final: unknown },
    scope: Scope,
  ): unknown {
    let value: unknown;
    for (const operand of operands) {
      value = this.#argument(operand, 'value', scope);
      if (isTrue(value) === (name === 'or')) return value;
    }
    return final === NO_VALUE ? value : final;
  }

  #argument(operand: Operand, kind: ParameterKind, scope: Scope): unknown {
    this.node = operand;
    if (kind === 'string') {
      if (operand.kind === 'nil') this.fail('cannot assign nil to string');
      if (operand.kind === 'bool' || operand.kind === 'number') {
        this.fail(`expected string; found ${nodeText(operand)}`);
      }
    }
    const value = this.#operand(operand, scope);
    return this.#checked(value, kind);
  }

  #checked(value: unknown, kind: ParameterKind): unknown {
    if (kind === 'any') return value ?? null;
    if (kind === 'value' || typeof value === 'string') return value;
    if (value === undefined) return this.fail('invalid value; expected string');
    const type = value === null ? 'interface {}' : goTypeName(value);
    return this.fail(`wrong type for value; expected string; got ${type}`);
  }

  fail(problem: string): never {
    const { name, text } = this.#source;
    const node = this.node;
    if (node === undefined) throw new GoTemplateError(`template: ${name}: ${problem}`);
    const before = text.slice(0, node.at);
    const lines = before.split('\n');
    const column = encodeUtf8(lines.at(-1) ?? '').length;
    const place = `${name}:${lines.length}:${column}`;
    throw new GoTemplateError(
      `template: ${place}: executing ${goQuote(name)} at <${nodeText(node)}>: ${problem}`,
    );
  }
}
