import { check } from '../../packages/machinery/src/cel/check/checker.ts';
import { PlanError } from '../../packages/machinery/src/cel/eval/call.ts';
import { planExpression } from '../../packages/machinery/src/cel/eval/plan.ts';
import { Program, variableLoader } from '../../packages/machinery/src/cel/eval/run.ts';
import type { CelIssues, CelProgram } from '../../packages/machinery/src/cel/index.ts';
import { formatType } from '../../packages/machinery/src/cel/index.ts';
import { declarationsOf } from '../../packages/machinery/src/cel/library/environment.ts';
import { parse } from '../../packages/machinery/src/cel/syntax/parser.ts';
import { IssueList } from '../../packages/machinery/src/cel/syntax/source.ts';
import { type CelCase, readType, readValue, sameValue } from './cases.ts';

/** Runs a case; undefined where it passes, else what went wrong. */
export function problemOf(each: CelCase): string | undefined {
  const program = compile(each);
  const { expected } = each;
  if (!program.ok) {
    // Where an expression fails is not what the specification is about.
    return expected.kind === 'error' ? undefined : `does not compile: ${program.message}`;
  }
  if (expected.kind === 'type') {
    const wanted = formatType(readType(expected.type));
    const found = formatType(program.outputType);
    if (wanted !== found) return `has the type ${found}, not ${wanted}`;
  }
  if (each.isCheckOnly) return undefined;
  const result = program.evaluate(each.bindings);
  if (expected.kind === 'error') return result.ok ? 'does not fail' : undefined;
  if (!result.ok) return `fails: ${result.message}`;
  if (!expected.value) return undefined;
  return sameValue(result.value, readValue(expected.value)) ? undefined : 'has another value';
}

/**
 * Compiles as `compileCel` does, but leaves out what Kubernetes demands beyond the specification
 * (lists and maps of one type), and also takes expressions whose types nobody checks.
 */
function compile(each: CelCase): CelProgram | CelIssues {
  const env = { variables: each.variables };
  const issues = new IssueList(each.expr);
  const parsed = parse(each.expr, issues, { stored: true });
  if (!parsed) return issues.result('compile');
  const declarations = { ...declarationsOf(env), isDynamic: each.isUnchecked };
  const checked = check(parsed.root, declarations, issues);
  if (issues.any) return issues.result('compile');
  const slots = new Map(each.variables.map(({ name }, index) => [name, index]));
  try {
    const step = planExpression({ checked, variables: slots, load: variableLoader(env) });
    return new Program({ source: each.expr, env, checked, step });
  } catch (err) {
    if (!(err instanceof PlanError)) throw err;
    return { ok: false, stage: 'program', issues: [], message: err.message };
  }
}
