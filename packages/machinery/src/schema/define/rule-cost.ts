import type { FieldError } from '../../field-error.ts';
import { forbidden } from '../../field-errors.ts';
import type { JsonSchemaProps } from '../types.ts';

/** What one rule may cost by estimate, over all places it applies to. */
export const RULE_COST_LIMIT = 10_000_000n;
const SCHEMA_COST_LIMIT = 100_000_000n;
const MAX_UINT = 2n ** 64n - 1n;
const MOST_EXPENSIVE = 4;

/** The estimated cost of all rules of a schema. */
export class SchemaCost {
  #total = 0n;
  #expensive: { readonly path: string; readonly cost: bigint }[] = [];

  /** Adds the cost of one expression. */
  add(path: string, cost: bigint): void {
    this.#total = this.#total + cost > MAX_UINT ? MAX_UINT : this.#total + cost;
    if (cost < SCHEMA_COST_LIMIT / 100n) return;
    this.#expensive = [...this.#expensive, { path, cost }]
      .sort((a, b) => (a.cost > b.cost ? -1 : a.cost < b.cost ? 1 : 0))
      .slice(0, MOST_EXPENSIVE);
  }

  /** The errors of a schema whose rules are too expensive together. */
  problems(path: string): FieldError[] {
    if (this.#total <= SCHEMA_COST_LIMIT) return [];
    const contributed =
      'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    const name = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    return [
      ...this.#expensive.map((rule) => forbidden(rule.path, contributed)),
      forbidden(path, costProblem(name, this.#total, SCHEMA_COST_LIMIT)),
    ];
  }
}

/** By how much a cost is over its limit, and what to do about it. */
export function costProblem(name: string, cost: bigint, limit: bigint): string {
  const times = Number(cost) / Number(limit);
  const factor =
    times > 100 ? 'more than 100x' : times < 1.5 ? `${times.toFixed(6)}x` : `${times.toFixed(1)}x`;
  return `${name} exceeds budget by factor of ${factor} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}

/** A product that stops at the largest number Go holds. */
export function multiplied(cost: bigint, times: bigint): bigint {
  const product = cost * times;
  return product > MAX_UINT ? MAX_UINT : product;
}

/** How often what is below a schema can occur per occurrence of it; undefined when nothing limits it. */
export function maxElements(schema: JsonSchemaProps): bigint | undefined {
  const limited = (limit: number | bigint | undefined) => {
    if (limit === undefined) return undefined;
    return limit < 0 ? 0n : BigInt(limit);
  };
  if (schema.type === 'array') return limited(schema.maxItems);
  if (schema.type === 'object' && schema.additionalProperties !== undefined) {
    return limited(schema.maxProperties);
  }
  return 1n;
}
