import { check } from './check/checker.ts';
import { validate } from './check/validate.ts';
import type { CostRange, SizeEstimator } from './cost/estimate-types.ts';
import { PlanError } from './eval/call.ts';
import { planExpression } from './eval/plan.ts';
import { Program, variableLoader } from './eval/run.ts';
import { declarationsOf } from './library/environment.ts';
import type { CelEnvironment, CelIssues, CelProgram } from './program.ts';
import { parse } from './syntax/parser.ts';
import { IssueList } from './syntax/source.ts';

/**
 * Parses, checks and plans an expression.
 *
 * @example
 * const program = compileCel('self.replicas <= self.maxReplicas', {
 *   variables: [{ name: 'self', type: celTypeOfSchema(schema) }],
 * });
 * if (program.ok) program.evaluate({ self: object.spec });
 */
export function compileCel(source: string, env: CelEnvironment): CelProgram | CelIssues {
  const issues = new IssueList(source);
  const parsed = parse(source, issues, { stored: env.expressions !== 'new' });
  if (!parsed) return issues.result('compile');
  const checked = check(parsed.root, declarationsOf(env), issues);
  if (!issues.any) validate(checked, issues);
  if (issues.any) return issues.result('compile');
  const slots = new Map(env.variables.map(({ name }, index) => [name, index]));
  try {
    const step = planExpression({ checked, variables: slots, load: variableLoader(env) });
    return new Program({ source, env, checked, step });
  } catch (err) {
    if (!(err instanceof PlanError)) throw err;
    return { ok: false, stage: 'program', issues: [], message: err.message };
  }
}

/** The least and most that evaluating a program can cost, with cel-go's numbers. */
export function estimateCost(program: CelProgram, sizes?: SizeEstimator): CostRange {
  return program.estimateCost(sizes);
}
