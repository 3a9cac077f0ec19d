import {
  boolType,
  type CelProgram,
  compileCel,
  type DeclType,
  formatType,
  nameType,
  stringType,
} from '../../cel/index.ts';
import type { JsonSchemaProps, ValidationRule } from '../types.ts';
import { followPath } from './field-path.ts';

/** A rule ready to run, or why it is not. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  /** Undefined when the rule is empty or has an error. */
  readonly program: CelProgram | undefined;
  readonly error: string | undefined;
  readonly usesOldSelf: boolean;
  readonly messageProgram: CelProgram | undefined;
  readonly messageError: string | undefined;
  /** The field a failure is reported at, relative to the value; '' for the value itself. */
  readonly fieldPath: string;
}

/** The type of data as the rules on it see it: objects are named anew at each place that has rules. */
export function ruleDecl(decl: DeclType): DeclType {
  return nameType(decl, 'selfType');
}

/** What rules are compiled against; the type comes from `ruleDecl`. */
export interface RuleScope {
  readonly decl: DeclType;
  readonly schema: JsonSchemaProps;
  readonly expressions: 'new' | 'stored';
}

/** Compiles a rule and its messageExpression. */
export function compileRule(rule: ValidationRule, scope: RuleScope): CompiledRule {
  const result = {
    rule,
    program: undefined,
    error: undefined,
    usesOldSelf: false,
    messageProgram: undefined,
    messageError: undefined,
    fieldPath: '',
  };
  if (rule.rule.trim() === '') return result;
  const program = compile(rule.rule, rule, scope);
  if (!program.ok) {
    const stage =
      program.stage === 'program' ? 'program instantiation failed' : 'compilation failed';
    return { ...result, error: `${stage}: ${program.message}` };
  }
  if (formatType(program.outputType) !== formatType(boolType)) {
    return { ...result, error: 'cel expression must evaluate to a bool' };
  }
  const usesOldSelf = program.uses('oldSelf');
  return {
    ...result,
    program,
    usesOldSelf,
    ...compileMessage(rule, scope),
    fieldPath: pathOf(rule, scope),
  };
}

function compileMessage(
  rule: ValidationRule,
  scope: RuleScope,
): Pick<CompiledRule, 'messageProgram' | 'messageError'> {
  const none = { messageProgram: undefined, messageError: undefined };
  const { messageExpression = '' } = rule;
  if (messageExpression === '') return none;
  const program = compile(messageExpression, rule, scope);
  if (!program.ok) {
    const stage = program.stage === 'program' ? 'instantiation' : 'compilation';
    return { ...none, messageError: `messageExpression ${stage} failed: ${program.message}` };
  }
  if (formatType(program.outputType) !== formatType(stringType)) {
    return { ...none, messageError: 'messageExpression must evaluate to a string' };
  }
  return { ...none, messageProgram: program };
}

function compile(source: string, rule: ValidationRule, { decl, expressions }: RuleScope) {
  return compileCel(source, {
    variables: [
      { name: 'self', type: decl },
      { name: 'oldSelf', type: decl, optional: rule.optionalOldSelf === true },
    ],
    expressions,
  });
}

function pathOf({ fieldPath = '' }: ValidationRule, { schema }: RuleScope): string {
  if (fieldPath === '') return '';
  const found = followPath(fieldPath, schema);
  return 'problem' in found ? '' : found.path;
}
