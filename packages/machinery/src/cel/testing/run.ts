import { compileCel } from '../compile.ts';
import { dynDecl } from '../decl-type.ts';
import type { CelBindings, CelEnvironment } from '../program.ts';
import { type CelSchema, celTypeOfSchema, nameType } from '../schema-type.ts';
import { show } from './show.ts';

/** What an expression is tried with. */
export interface Trial {
  readonly expr: string;
  readonly self?: unknown;
  readonly schema?: CelSchema;
  readonly expressions?: 'new' | 'stored';
}

/** What came out: the value or the message, the cost and the estimated cost. */
export interface Outcome {
  readonly shown: string;
  readonly cost: number;
  readonly min: bigint;
  readonly max: bigint;
}

/** Compiles and evaluates an expression over `self`. */
export function run(trial: Trial | string): Outcome {
  const {
    expr,
    self,
    schema,
    expressions = 'stored',
  } = typeof trial === 'string' ? { expr: trial } : trial;
  const declared = schema && celTypeOfSchema(schema);
  const type = declared ? nameType(declared, 'selfType') : dynDecl;
  const env: CelEnvironment = { variables: [{ name: 'self', type }], expressions };
  const program = compileCel(expr, env);
  if (!program.ok) return { shown: program.message, cost: 0, min: 0n, max: 0n };
  const bindings: CelBindings = self === undefined ? {} : { self };
  const result = program.evaluate(bindings);
  const shown = result.ok ? show(result.value) : `error: ${result.message}`;
  return { shown, cost: result.cost, ...program.estimateCost() };
}
