import { type CelBindings, CelFault, CelMap, type CelValue } from '@flotilla/machinery/cel';
import type { CompiledExpression } from './expressions.ts';

/** What all expressions of one policy may spend on one request. */
export const POLICY_BUDGET = 10_000_000;
/** The same for match conditions. */
export const CONDITIONS_BUDGET = 2_500_000;

/** One expression's outcome. */
export type Evaluation = { readonly value: CelValue } | { readonly error: string };

/** The budget is spent: nothing further is evaluated. */
export class OutOfBudget extends Error {
  constructor() {
    super(
      'validation failed due to running out of cost budget, no further validation rules will be run',
    );
    this.name = 'OutOfBudget';
  }
}

/** Evaluates expressions in order; those that are undefined keep their place. Throws OutOfBudget. */
export function evaluateAll(
  expressions: readonly (CompiledExpression | undefined)[],
  inputs: { bindings: CelBindings; variables?: ReadonlyMap<string, CompiledExpression> },
  budget: number,
): { evaluations: (Evaluation | undefined)[]; remaining: number } {
  const variables = new LazyVariables(inputs.variables ?? new Map(), inputs.bindings);
  const bindings = { ...inputs.bindings, variables };
  let remaining = budget;
  const evaluations = expressions.map((expression): Evaluation | undefined => {
    if (expression === undefined) return undefined;
    if ('problem' in expression)
      return { error: `compilation error: ${expression.problem.detail}` };
    const result = expression.program.evaluate(bindings);
    remaining -= variables.takeCost() + result.cost;
    if (remaining < 0) throw new OutOfBudget();
    if (result.ok) return { value: result.value };
    return { error: `expression '${expression.source}' resulted in error: ${result.message}` };
  });
  return { evaluations, remaining };
}

/** Variables of a policy, each evaluated when it is first read, at most once. */
class LazyVariables extends CelMap {
  readonly #expressions: ReadonlyMap<string, CompiledExpression>;
  readonly #bindings: CelBindings;
  readonly #values = new Map<string, CelValue>();
  #cost = 0;

  constructor(expressions: ReadonlyMap<string, CompiledExpression>, bindings: CelBindings) {
    super();
    this.#expressions = expressions;
    this.#bindings = { ...bindings, variables: this };
  }

  get size(): number {
    return this.#expressions.size;
  }

  *keys(): IterableIterator<CelValue> {
    yield* this.#expressions.keys();
  }

  get(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string') return undefined;
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const expression = this.#expressions.get(key);
    if (expression === undefined) return undefined;
    const value = this.#evaluate(key, expression);
    this.#values.set(key, value);
    return value;
  }

  /** What was spent since last asked. */
  takeCost(): number {
    const cost = this.#cost;
    this.#cost = 0;
    return cost;
  }

  #evaluate(name: string, expression: CompiledExpression): CelValue {
    const begin = `composited variable ${JSON.stringify(name)} fails to`;
    if ('problem' in expression)
      return new CelFault(`${begin} compile: ${expression.problem.detail}`);
    const result = expression.program.evaluate(this.#bindings);
    this.#cost += result.cost;
    return result.ok ? result.value : new CelFault(`${begin} evaluate: ${result.message}`);
  }
}
