import type { DeclType } from '../../cel/index.ts';
import { partsOf, type SchemaNode } from '../node.ts';
import type { JsonSchemaProps } from '../types.ts';
import { type CompiledRule, compileRule, ruleDecl } from './compile-rule.ts';
import { declOf } from './decl-types.ts';

/** The rules of a schema, at the places of the schema they belong to. */
export interface RuleTree {
  readonly node: SchemaNode;
  readonly rules: readonly CompiledRule[];
  /** True when there are rules and CEL has no type for their data. */
  readonly isUntyped: boolean;
  readonly items: RuleTree | undefined;
  readonly properties: ReadonlyMap<string, RuleTree>;
  readonly additional: RuleTree | undefined;
}

/** Whether a schema has rules anywhere. */
export function hasRules(schema: JsonSchemaProps): boolean {
  return (schema['x-kubernetes-validations'] ?? []).length > 0 || partsOf(schema).some(hasRules);
}

/** Compiles all rules of a schema; undefined when there are none that could be run. */
export function ruleTree(node: SchemaNode, isResource: boolean): RuleTree | undefined {
  return hasRules(node.source) ? tree(node, declOf(node.source, isResource)) : undefined;
}

function tree(node: SchemaNode, decl: DeclType | undefined): RuleTree | undefined {
  const schema = node.source;
  const rules = schema['x-kubernetes-validations'] ?? [];
  const properties = new Map<string, RuleTree>();
  for (const [name, property] of node.properties ?? []) {
    const type = hasRules(property.source) ? declOf(property.source) : undefined;
    // Fields that CEL cannot read are left out with all that is below them.
    const found = type === undefined ? undefined : tree(property, type);
    if (found !== undefined) properties.set(name, found);
  }
  const below = (part: SchemaNode | undefined) =>
    part === undefined || !hasRules(part.source) ? undefined : tree(part, declOf(part.source));
  const scope =
    decl === undefined || rules.length === 0
      ? undefined
      : { decl: ruleDecl(decl), schema, expressions: 'stored' as const };
  const compiled: RuleTree = {
    node,
    rules: scope === undefined ? [] : rules.map((rule) => compileRule(rule, scope)),
    isUntyped: decl === undefined && rules.length > 0,
    items: below(node.items),
    properties,
    additional: below(node.additional?.node),
  };
  return isEmpty(compiled) ? undefined : compiled;
}

function isEmpty({ rules, isUntyped, items, properties, additional }: RuleTree): boolean {
  return (
    rules.length + properties.size === 0 &&
    !isUntyped &&
    items === undefined &&
    additional === undefined
  );
}
