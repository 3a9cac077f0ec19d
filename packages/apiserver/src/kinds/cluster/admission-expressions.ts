import { type FieldError, internalFieldError, invalid } from '@flotilla/machinery';
import {
  type CompiledExpression,
  compileExpression,
  type ExpressionContext,
  type Returns,
} from '../../admission/policy/expressions.ts';

/** What is wrong with an expression, as a field of its object. */
export function expressionErrors(
  expression: CompiledExpression,
  path: string,
  shown: string = expression.source,
): FieldError[] {
  if (!('problem' in expression)) return [];
  const { kind, detail } = expression.problem;
  return [kind === 'invalid' ? invalid(path, shown, detail) : internalFieldError(path, detail)];
}

/** Expressions of the stored object, which may use what new ones may not. */
export type Preexisting = ReadonlySet<string>;

/** Compiles an expression of an object that is being written. */
export function checkExpression(
  source: string,
  returns: Returns,
  context: Omit<ExpressionContext, 'expressions'> & { readonly preexisting: Preexisting },
): CompiledExpression {
  const { preexisting, ...rest } = context;
  return compileExpression(source, returns, {
    ...rest,
    expressions: preexisting.has(source) ? 'stored' : 'new',
  });
}
