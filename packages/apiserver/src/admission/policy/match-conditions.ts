import type { CelBindings } from '@flotilla/machinery/cel';
import { CONDITIONS_BUDGET, evaluateAll, OutOfBudget } from './evaluation.ts';
import type { CompiledExpression } from './expressions.ts';

/** Whether conditions hold, or why that cannot be told. */
export type ConditionsVerdict = { readonly holds: boolean } | { readonly error: string };

/** All conditions must hold; one that does not settles it, whatever is wrong with the others. */
export function checkConditions(
  conditions: readonly CompiledExpression[],
  inputs: { bindings: CelBindings; variables?: ReadonlyMap<string, CompiledExpression> },
  failurePolicy: string | undefined,
): ConditionsVerdict {
  const failed = (error: string): ConditionsVerdict =>
    failurePolicy === 'Ignore' ? { holds: false } : { error };
  try {
    const { evaluations } = evaluateAll(conditions, inputs, CONDITIONS_BUDGET);
    if (evaluations.some((each) => each !== undefined && 'value' in each && each.value === false)) {
      return { holds: false };
    }
    const errors = new Set(
      evaluations.flatMap((each) => (each !== undefined && 'error' in each ? [each.error] : [])),
    );
    if (errors.size === 0) return { holds: true };
    const all = [...errors];
    return failed(all.length === 1 ? (all[0] ?? '') : `[${all.join(', ')}]`);
  } catch (error) {
    if (!(error instanceof OutOfBudget)) throw error;
    return failed(error.message);
  }
}
