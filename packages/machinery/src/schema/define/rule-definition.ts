import { type DeclType, maxCardinality } from '../../cel/index.ts';
import type { FieldError } from '../../field-error.ts';
import {
  forbidden,
  internalFieldError,
  invalid,
  notSupported,
  required,
} from '../../field-errors.ts';
import { at, child } from '../../field-path.ts';
import { type CompiledRule, compileRule, ruleDecl } from '../rules/compile-rule.ts';
import { followPath } from '../rules/field-path.ts';
import type { JsonSchemaProps, ValidationRule } from '../types.ts';
import { conversionProblem } from './conversion-problem.ts';
import { internalRule } from './internal-form.ts';
import { costProblem, multiplied, RULE_COST_LIMIT, type SchemaCost } from './rule-cost.ts';

const reasons = [
  'FieldValueDuplicate',
  'FieldValueForbidden',
  'FieldValueInvalid',
  'FieldValueRequired',
];

/** What is wrong with the rules of a schema before anyone compiles them. */
export function ruleTextProblems(schema: JsonSchemaProps, path: string): FieldError[] {
  return (schema['x-kubernetes-validations'] ?? []).flatMap((rule, index) =>
    textProblems(rule, at(child(path, 'x-kubernetes-validations'), index), schema),
  );
}

function textProblems(rule: ValidationRule, path: string, schema: JsonSchemaProps): FieldError[] {
  const { message = '', messageExpression = '', reason, fieldPath = '' } = rule;
  const errors: FieldError[] = [];
  const expression = rule.rule.trim();
  if (expression === '') {
    errors.push(required(child(path, 'rule'), 'rule is not specified'));
  } else if (message !== '' && message.trim() === '') {
    errors.push(invalid(child(path, 'message'), message, 'must be non-empty if specified'));
  } else if (hasLineBreak(message.trim())) {
    errors.push(invalid(child(path, 'message'), message, 'must not contain line breaks'));
  } else if (hasLineBreak(expression) && message.trim() === '') {
    const detail = 'message must be specified if rule contains line breaks';
    errors.push(required(child(path, 'message'), detail));
  }
  if (messageExpression !== '' && messageExpression.trim() === '') {
    const detail = 'messageExpression must be non-empty if specified';
    errors.push(required(child(path, 'messageExpression'), detail));
  }
  if (reason !== undefined && !reasons.includes(reason)) {
    errors.push(notSupported(child(path, 'reason'), reason, reasons));
  }
  if (fieldPath === '') return errors;
  const pathPath = child(path, 'fieldPath');
  if (fieldPath.trim() === '') {
    errors.push(invalid(pathPath, fieldPath, 'must be non-empty if specified'));
  }
  if (hasLineBreak(fieldPath)) {
    errors.push(invalid(pathPath, fieldPath, 'must not contain line breaks'));
  }
  // A schema that cannot be followed has other problems, told elsewhere.
  if (conversionProblem(schema) === undefined && 'problem' in followPath(fieldPath, schema)) {
    errors.push(invalid(pathPath, fieldPath, 'must be a valid path'));
  }
  return errors;
}

function hasLineBreak(text: string): boolean {
  return /[\n\r]/.test(text);
}

/** Where the rules of a schema stand, for compiling them and estimating their cost. */
export interface RulePlace {
  readonly path: string;
  /** Undefined when CEL cannot read the data. */
  readonly decl: DeclType | undefined;
  /** How often the schema can occur in an object; undefined when nothing limits it. */
  readonly cardinality: bigint | undefined;
  /** The schema above whose items cannot be told apart between two versions of an object. */
  readonly uncorrelatable: string | undefined;
  readonly total: SchemaCost;
  /** True to let single rules be as expensive as they were before. */
  readonly isCostKnown: boolean;
  /** Whether an expression was in the definition before, and may use all that the server knows. */
  readonly isStored: (expression: string) => boolean;
}

/** What is wrong with the rules of a schema once compiled: errors in them, their cost, and transitions out of place. */
export function compiledRuleProblems(schema: JsonSchemaProps, place: RulePlace): FieldError[] {
  const rules = schema['x-kubernetes-validations'] ?? [];
  const { decl } = place;
  const rulesPath = child(place.path, 'x-kubernetes-validations');
  if (rules.length === 0) return [];
  if (decl === undefined) {
    const detail =
      'internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations';
    return [internalFieldError(rulesPath, detail)];
  }
  const named = ruleDecl(decl);
  return rules.flatMap((rule, index) => {
    const expressions = place.isStored(rule.rule) ? 'stored' : 'new';
    const compiled = compileRule(rule, { decl: named, schema, expressions });
    return problemsOf(compiled, { ...place, decl, path: at(rulesPath, index) });
  });
}

function problemsOf(compiled: CompiledRule, place: RulePlace & { decl: DeclType }): FieldError[] {
  const { rule, program, messageProgram } = compiled;
  const { path, total, isCostKnown } = place;
  const errors: FieldError[] = [];
  const rulePath = child(path, 'rule');
  const messagePath = child(path, 'messageExpression');
  const times = place.cardinality ?? BigInt(maxCardinality(place.decl));
  const cost = program === undefined ? 0n : multiplied(program.estimateCost().max, times);
  if (!isCostKnown && cost > RULE_COST_LIMIT) {
    errors.push(forbidden(rulePath, costProblem('estimated rule cost', cost, RULE_COST_LIMIT)));
  }
  total.add(rulePath, cost);
  if (compiled.error !== undefined) {
    errors.push(invalid(rulePath, internalRule(rule), compiled.error));
  }
  if (compiled.messageError !== undefined) {
    errors.push(invalid(messagePath, internalRule(rule), compiled.messageError));
  } else if (messageProgram !== undefined) {
    const messageCost = messageProgram.estimateCost().max;
    if (!isCostKnown && messageCost > RULE_COST_LIMIT) {
      const name = 'estimated messageExpression cost';
      errors.push(forbidden(messagePath, costProblem(name, messageCost, RULE_COST_LIMIT)));
    }
    total.add(messagePath, messageCost);
  }
  if (compiled.usesOldSelf) {
    if (place.uncorrelatable !== undefined) {
      const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${place.uncorrelatable}`;
      errors.push(invalid(rulePath, rule.rule, detail));
    }
  } else if (rule.optionalOldSelf !== undefined) {
    const detail = 'may not be set if oldSelf is not used in rule';
    errors.push(invalid(child(path, 'optionalOldSelf'), rule.optionalOldSelf, detail));
  }
  return errors;
}
