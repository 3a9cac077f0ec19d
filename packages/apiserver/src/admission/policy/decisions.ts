import type { CelBindings } from '@flotilla/machinery/cel';
import { type Evaluation, evaluateAll, OutOfBudget, POLICY_BUDGET } from './evaluation.ts';
import { checkConditions } from './match-conditions.ts';
import type { CompiledPolicy } from './policy-index.ts';
import type { Validation } from './policy-types.ts';

/** A reason to refuse a request. */
export interface Denial {
  readonly message: string;
  /** Empty for what is wrong with the policy rather than with the request. */
  readonly reason: string;
  /** What is wrong with the policy's annotations is refused whatever the binding wants done. */
  readonly isAlwaysDenied?: boolean;
}

const MAX_MESSAGE = 5 * 1024;

/** Everything a policy has against a request with one set of parameters. */
export function denialsOf(policy: CompiledPolicy, bindings: CelBindings): Denial[] {
  const { spec, conditions, variables } = policy;
  const isIgnored = spec.failurePolicy === 'Ignore';
  const failed = (message: string): Denial[] => (isIgnored ? [] : [{ message, reason: '' }]);
  const inputs = { bindings, variables };
  if (conditions.length > 0) {
    const verdict = checkConditions(conditions, inputs, spec.failurePolicy);
    if ('error' in verdict) return failed(verdict.error);
    if (!verdict.holds) return [];
  }
  try {
    const { evaluations, remaining } = evaluateAll(policy.validations, inputs, POLICY_BUDGET);
    const messages = messagesOf(policy, bindings, remaining);
    const denials = evaluations.flatMap((evaluation, index): Denial[] => {
      const validation = spec.validations?.[index];
      if (evaluation === undefined || validation === undefined) return [];
      if ('error' in evaluation) return failed(evaluation.error);
      if ('failure' in messages) return failed(`failed messageExpression: ${messages.failure}`);
      if (evaluation.value === true) return [];
      const message = messageOf(validation, messages.evaluations[index]);
      return [{ message, reason: validation.reason ?? 'Invalid' }];
    });
    return [...denials, ...(isIgnored ? [] : annotationProblems(policy, bindings))];
  } catch (error) {
    if (!(error instanceof OutOfBudget)) throw error;
    return failed(error.message);
  }
}

type Messages =
  | { readonly evaluations: readonly (Evaluation | undefined)[] }
  | { readonly failure: string };

/** Message expressions see no authorizer, and share what the validations left of the budget. */
function messagesOf(policy: CompiledPolicy, bindings: CelBindings, budget: number): Messages {
  const {
    authorizer: _authorizer,
    'authorizer.requestResource': _requestResource,
    ...visible
  } = bindings;
  try {
    return evaluateAll(policy.messages, { bindings: visible, variables: policy.variables }, budget);
  } catch (error) {
    if (!(error instanceof OutOfBudget)) throw error;
    return { failure: error.message };
  }
}

function messageOf(validation: Validation, evaluation: Evaluation | undefined): string {
  if (evaluation !== undefined && 'value' in evaluation && typeof evaluation.value === 'string') {
    const message = evaluation.value.trim();
    const isUsable =
      message !== '' && Buffer.byteLength(message) <= MAX_MESSAGE && !message.includes('\n');
    if (isUsable) return message;
  }
  const fixed = (validation.message ?? '').trim();
  return fixed === '' ? `failed expression: ${validation.expression.trim()}` : fixed;
}

/** Nobody reads the annotations, but one that cannot be computed is a policy that does not work. */
function annotationProblems(policy: CompiledPolicy, bindings: CelBindings): Denial[] {
  const inputs = { bindings, variables: policy.variables };
  const { evaluations } = evaluateAll(policy.annotations, inputs, POLICY_BUDGET);
  return evaluations.flatMap((each) =>
    each !== undefined && 'error' in each
      ? [{ message: each.error, reason: '', isAlwaysDenied: true }]
      : [],
  );
}
