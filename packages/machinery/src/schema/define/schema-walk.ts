import type { DeclType } from '../../cel/index.ts';
import type { FieldError } from '../../field-error.ts';
import { forbidden, invalid, notSupported } from '../../field-errors.ts';
import { at, child, keyed } from '../../field-path.ts';
import { additionalOf, itemListOf, itemsOf, propertiesOf } from '../node.ts';
import { declOf } from '../rules/decl-types.ts';
import { hasRules } from '../rules/rule-tree.ts';
import type { JsonSchemaProps } from '../types.ts';
import { topologyProblems } from './list-definition.ts';
import { maxElements, multiplied, type SchemaCost } from './rule-cost.ts';
import { compiledRuleProblems, ruleTextProblems } from './rule-definition.ts';

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const metaFields: ReadonlySet<string> = new Set(['metadata', 'kind', 'apiVersion']);

/** What the rules of the place need to be compiled; absent where rules are not looked at. */
interface RuleContext {
  readonly schema: JsonSchemaProps;
  readonly decl: () => DeclType | undefined;
  readonly cardinality: bigint | undefined;
}

/** Where in a definition the walk is, and what that forbids. */
export interface SchemaPlace {
  readonly path: string;
  readonly isRoot: boolean;
  /** Why defaults may not be set here; undefined when they may. */
  readonly noDefaults: string | undefined;
  readonly isInsideMeta: boolean;
  readonly uncorrelatable: string | undefined;
  readonly rules: RuleContext | undefined;
  readonly total: SchemaCost;
  readonly isCostKnown: boolean;
  readonly isStored: (expression: string) => boolean;
}

/** Errors of schemas and of rules are told one after the other. */
export interface DefinitionErrors {
  readonly schema: FieldError[];
  readonly rules: FieldError[];
}

/** The rules of the root, with the type of the whole object. */
export function rootRules(schema: JsonSchemaProps): RuleContext {
  return { schema, decl: lazily(() => declOf(schema, true)), cardinality: 1n };
}

/** Validates the schema of a CRD and all schemas in it, as a document; not whether it is structural. */
export function walkSchema(schema: JsonSchemaProps, place: SchemaPlace): DefinitionErrors {
  const { path } = place;
  const found: DefinitionErrors = { schema: documentProblems(schema, place), rules: [] };
  const add = (part: JsonSchemaProps | undefined, below: Partial<SchemaPlace>) => {
    if (part === undefined) return;
    const errors = walkSchema(part, { ...place, isRoot: false, rules: undefined, ...below });
    found.schema.push(...errors.schema);
    found.rules.push(...errors.rules);
  };
  if (schema.uniqueItems === true) {
    const detail =
      'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    found.schema.push(forbidden(child(path, 'uniqueItems'), detail));
  }
  walkMembers(schema, place, { add, errors: found.schema });
  add(schema.not, { path: child(path, 'not') });
  for (const name of ['allOf', 'oneOf', 'anyOf'] as const) {
    for (const [index, part] of (schema[name] ?? []).entries()) {
      add(part, { path: at(child(path, name), index) });
    }
  }
  for (const [name, part] of Object.entries(schema.definitions ?? {})) {
    add(part, { path: keyed(child(path, 'definitions'), name) });
  }
  walkItems(schema, place, add);
  for (const [name, part] of Object.entries(schema.dependencies ?? {})) {
    if (!Array.isArray(part)) {
      add(part as JsonSchemaProps, { path: keyed(child(path, 'dependencies'), name) });
    }
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    const extension = child(path, 'x-kubernetes-preserve-unknown-fields');
    found.schema.push(invalid(extension, false, 'must be true or undefined'));
  }
  found.schema.push(...topologyProblems(schema, path), ...ruleTextProblems(schema, path));
  const { rules } = place;
  // What CEL says about a broken schema helps nobody.
  if (rules !== undefined && found.schema.length === 0 && hasOwnRules(schema)) {
    const { cardinality } = rules;
    found.rules.push(
      ...compiledRuleProblems(schema, { ...place, decl: rules.decl(), cardinality }),
    );
  }
  return found;
}

type Add = (part: JsonSchemaProps | undefined, below: Partial<SchemaPlace>) => void;

function walkMembers(
  schema: JsonSchemaProps,
  place: SchemaPlace,
  { add, errors }: { readonly add: Add; readonly errors: FieldError[] },
): void {
  const { path } = place;
  const properties = propertiesOf(schema);
  const { additionalProperties } = schema;
  if (additionalProperties !== undefined) {
    const below = child(path, 'additionalProperties');
    if (properties.length > 0 && additionalProperties !== true) {
      const detail = 'additionalProperties and properties are mutual exclusive';
      errors.push(forbidden(below, detail));
    }
    const noDefaults = place.isInsideMeta
      ? 'inside additionalProperties applying to object metadata'
      : place.noDefaults;
    const part = additionalOf(schema);
    add(part, { path: below, noDefaults, rules: rulesBelow(place, part) });
  }
  const mapType = schema['x-kubernetes-map-type'];
  const isStrange = mapType !== undefined && mapType !== 'granular' && mapType !== 'atomic';
  const isResource = place.isRoot || schema['x-kubernetes-embedded-resource'] === true;
  for (const [name, property] of properties) {
    const isMeta = isResource && metaFields.has(name);
    add(property, {
      path: keyed(child(path, 'properties'), name),
      uncorrelatable: place.uncorrelatable ?? (isStrange ? path : undefined),
      isInsideMeta: place.isInsideMeta || isMeta,
      noDefaults: isMeta && place.isRoot ? `in top-level ${name}` : place.noDefaults,
      rules: rulesBelow(place, property),
    });
  }
}

function walkItems(schema: JsonSchemaProps, place: SchemaPlace, add: Add): void {
  const itemsPath = child(place.path, 'items');
  // Only items of map lists can be told to be the same before and after.
  const isMapList = schema['x-kubernetes-list-type'] === 'map';
  const uncorrelatable = place.uncorrelatable ?? (isMapList ? undefined : place.path);
  const items = itemsOf(schema);
  add(items, { path: itemsPath, uncorrelatable, rules: rulesBelow(place, items) });
  for (const [index, part] of itemListOf(schema).entries()) {
    add(part, { path: at(itemsPath, index), uncorrelatable });
  }
}

function rulesBelow(
  { rules }: SchemaPlace,
  schema: JsonSchemaProps | undefined,
): RuleContext | undefined {
  if (rules === undefined || schema === undefined || !hasRules(schema)) return undefined;
  return { schema, decl: lazily(() => declOf(schema)), cardinality: cardinalityBelow(rules) };
}

function cardinalityBelow({ schema, cardinality }: RuleContext): bigint | undefined {
  const elements = maxElements(schema);
  if (cardinality === undefined || elements === undefined) return undefined;
  return multiplied(cardinality, elements);
}

function hasOwnRules(schema: JsonSchemaProps): boolean {
  return (schema['x-kubernetes-validations'] ?? []).length > 0;
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** What OpenAPI and Kubernetes do not let a schema say at all. */
function documentProblems(schema: JsonSchemaProps, place: SchemaPlace): FieldError[] {
  const { path } = place;
  const { type = '' } = schema;
  const errors: FieldError[] = [];
  const refuse = (name: string, detail: string) =>
    errors.push(forbidden(child(path, name), detail));
  if (type !== '' && !types.includes(type)) {
    errors.push(notSupported(child(path, 'type'), type, types));
  }
  if (schema.default !== undefined && place.noDefaults !== undefined) {
    refuse('default', `must not be set ${place.noDefaults}`.trim());
  }
  if ((schema.id ?? '') !== '') refuse('id', 'id is not supported');
  for (const name of [
    'additionalItems',
    'patternProperties',
    'definitions',
    'dependencies',
    '$ref',
  ] as const) {
    if (schema[name] !== undefined) refuse(name, `${name} is not supported`);
  }
  if (type === 'null') {
    refuse('type', 'type cannot be set to null, use nullable as an alternative');
  }
  if (itemListOf(schema).length > 0) {
    refuse('items', 'items must be a schema object and not an array');
  }
  if (place.isInsideMeta && schema['x-kubernetes-embedded-resource'] === true) {
    refuse('x-kubernetes-embedded-resource', 'must not be used inside of resource meta');
  }
  return errors;
}
