import {
  type CelIssues,
  type CelType,
  compileCel,
  type DeclType,
  dynType,
} from '@flotilla/machinery/cel';
import type { NamedRule } from '../../kinds/cluster/admission-rules.ts';
import type { Registry } from '../../resources/registry.ts';
import type { ResourceDef } from '../../resources/resource.ts';
import { declaredVariables } from './expressions.ts';
import { ConfigurationError, paramResource } from './params.ts';
import type { Policy } from './policy-types.ts';

/** What is doubtful about an expression, given the types of what it will see. */
export interface ExpressionWarning {
  readonly fieldRef: string;
  readonly warning: string;
}

/** What checking needs to know. */
export interface TypeCheckingDeps {
  readonly registry: Registry;
  /** The type of a kind's objects; undefined where none is known. */
  readonly typeOf: (def: ResourceDef) => DeclType | undefined;
}

const MAX_TYPES = 10;

/** Checks a policy's expressions against the kinds its rules name, as far as they name any. */
export function typeCheck(deps: TypeCheckingDeps, { spec }: Policy): ExpressionWarning[] {
  const kinds = kindsOf(deps, spec.matchConstraints?.resourceRules ?? []);
  const params = paramsOf(deps, spec.paramKind);
  const check = (fieldRef: string, expression: string): ExpressionWarning[] => {
    const findings = kinds.flatMap(({ def, type }) => {
      const issues = compileTyped(expression, spec.variables ?? [], { object: type, params });
      return issues === undefined ? [] : [`${nameOf(def)}: ${issues.message}\n`];
    });
    return findings.length === 0 ? [] : [{ fieldRef, warning: findings.join('\n') }];
  };
  return (spec.validations ?? []).flatMap(({ expression, messageExpression = '' }, index) => [
    ...check(`spec.validations[${index}].expression`, expression),
    ...(messageExpression === ''
      ? []
      : check(`spec.validations[${index}].messageExpression`, messageExpression)),
  ]);
}

function compileTyped(
  expression: string,
  declared: NonNullable<Policy['spec']['variables']>,
  { object, params }: { object: DeclType; params: DeclType | undefined },
): CelIssues | undefined {
  const variables = new Map<string, CelType>();
  const compile = (source: string) =>
    compileCel(source, {
      variables: declaredVariables(
        {
          hasParams: params !== undefined,
          hasAuthorizer: true,
          variables,
          expressions: 'stored',
        },
        { object, ...(params === undefined ? {} : { params }) },
      ),
    });
  for (const { name, expression: source } of declared) {
    const compiled = compile(source);
    variables.set(name, compiled.ok ? compiled.outputType : dynType);
  }
  const result = compile(expression);
  return result.ok || result.stage === 'program' ? undefined : result;
}

const nameOf = ({ group, version, kind }: ResourceDef): string =>
  `${group}/${version}, Kind=${kind}`;

function paramsOf(
  { registry, typeOf }: TypeCheckingDeps,
  paramKind: Policy['spec']['paramKind'],
): DeclType | undefined {
  try {
    const def = paramResource(registry, paramKind);
    return def && typeOf(def);
  } catch (error) {
    if (error instanceof ConfigurationError) return undefined;
    throw error;
  }
}

/** Rules with a wildcard name too many kinds to say anything about. */
function kindsOf(
  { registry, typeOf }: TypeCheckingDeps,
  rules: readonly NamedRule[],
): { def: ResourceDef; type: DeclType }[] {
  const found = new Map<string, ResourceDef>();
  for (const rule of rules) {
    const groups = plain(rule.apiGroups);
    const versions = plain(rule.apiVersions);
    const resources = (rule.resources ?? []).filter((each) => !/[*/]/.test(each)).sort();
    for (const group of groups) {
      for (const version of versions) {
        for (const resource of resources) {
          const def = registry.find(group, version, resource);
          if (def !== undefined && found.size < MAX_TYPES) found.set(nameOf(def), def);
        }
      }
    }
  }
  return [...found.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, def]) => {
      const type = typeOf(def);
      return type === undefined ? [] : [{ def, type }];
    });
}

function plain(values: readonly string[] | undefined): string[] {
  const all = values ?? [];
  return all.some((each) => each.includes('*')) ? [] : [...all].sort();
}
