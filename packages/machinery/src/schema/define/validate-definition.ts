import type { FieldError } from '../../field-error.ts';
import { forbidden, invalid } from '../../field-errors.ts';
import { child } from '../../field-path.ts';
import { compileSchema } from '../compile-schema.ts';
import { isTooDeep, schemaNode } from '../node.ts';
import { structuralProblems } from '../structural/structural-problems.ts';
import type { JsonSchemaProps, MetadataReader } from '../types.ts';
import { conversionProblem, isZero } from './conversion-problem.ts';
import { defaultProblems } from './default-values.ts';
import { internalSchema } from './internal-form.ts';
import { SchemaCost } from './rule-cost.ts';
import { rootRules, walkSchema } from './schema-walk.ts';

/** What validating the schema of a CRD version depends on besides the schema. */
export interface DefinitionOptions {
  /** The path of the schema's parent: `spec.validation`, or `spec.versions[1].schema`. */
  readonly path: string;
  /** Whether the version has a status subresource, which restricts the root. */
  readonly hasStatus: boolean;
  /** True when the schema is as it was before: then single rules may stay expensive. */
  readonly isUnchanged?: boolean;
  /** Whether a CEL expression was in the CRD before. */
  readonly isStored?: (expression: string) => boolean;
  readonly readMetadata?: MetadataReader;
}

/** Fields of Go's internal type, in its order, with the names they have in schemas. */
const rootFields: readonly (readonly [string, keyof JsonSchemaProps, boolean])[] = [
  ['ID', 'id', false],
  ['Schema', '$schema', false],
  ['Ref', '$ref', false],
  ['Description', 'description', true],
  ['Type', 'type', true],
  ['Nullable', 'nullable', false],
  ['Format', 'format', true],
  ['Title', 'title', true],
  ['Default', 'default', false],
  ['Maximum', 'maximum', true],
  ['ExclusiveMaximum', 'exclusiveMaximum', true],
  ['Minimum', 'minimum', true],
  ['ExclusiveMinimum', 'exclusiveMinimum', true],
  ['MaxLength', 'maxLength', true],
  ['MinLength', 'minLength', true],
  ['Pattern', 'pattern', true],
  ['MaxItems', 'maxItems', true],
  ['MinItems', 'minItems', true],
  ['UniqueItems', 'uniqueItems', true],
  ['MultipleOf', 'multipleOf', true],
  ['Enum', 'enum', false],
  ['MaxProperties', 'maxProperties', false],
  ['MinProperties', 'minProperties', false],
  ['Required', 'required', true],
  ['Items', 'items', true],
  ['AllOf', 'allOf', false],
  ['OneOf', 'oneOf', false],
  ['AnyOf', 'anyOf', false],
  ['Not', 'not', false],
  ['Properties', 'properties', true],
  ['AdditionalProperties', 'additionalProperties', false],
  ['PatternProperties', 'patternProperties', false],
  ['Dependencies', 'dependencies', false],
  ['AdditionalItems', 'additionalItems', false],
  ['Definitions', 'definitions', false],
  ['ExternalDocs', 'externalDocs', true],
  ['Example', 'example', true],
  ['XPreserveUnknownFields', 'x-kubernetes-preserve-unknown-fields', true],
  ['XEmbeddedResource', 'x-kubernetes-embedded-resource', false],
  ['XIntOrString', 'x-kubernetes-int-or-string', false],
  ['XListMapKeys', 'x-kubernetes-list-map-keys', false],
  ['XListType', 'x-kubernetes-list-type', false],
  ['XMapType', 'x-kubernetes-map-type', false],
  ['XValidations', 'x-kubernetes-validations', true],
];

/** The order in which upstream says which fields the root may have; it differs from the type's only by what is left out. */
const allowedNames = rootFields.filter(([, , isAllowed]) => isAllowed).map(([name]) => name);

/** Validates the schema of a CRD version when the CRD is written, with upstream's errors in upstream's order. */
export function validateDefinition(
  schema: JsonSchemaProps,
  options: DefinitionOptions,
): FieldError[] {
  const path = child(options.path, 'openAPIV3Schema');
  if (isTooDeep(schema)) {
    return compileSchema(schema).problems.map((error) => ({ ...error, field: path }));
  }
  const errors = options.hasStatus ? rootProblems(schema, options.path) : [];
  if (schema.nullable === true) {
    errors.push(forbidden(child(path, 'nullable'), 'nullable cannot be true at the root'));
  }
  const notStructural = conversionProblem(schema);
  const shape =
    notStructural === undefined
      ? shapeProblems(schema, path, options.readMetadata)
      : [invalid(path, '', notStructural)];
  if (notStructural === undefined) errors.push(...shape);
  const total = new SchemaCost();
  const walked = walkSchema(schema, {
    path,
    isRoot: true,
    noDefaults: undefined,
    isInsideMeta: false,
    uncorrelatable: undefined,
    // Rules are only looked at in schemas that are sound without them.
    rules: shape.length === 0 ? rootRules(schema) : undefined,
    total,
    isCostKnown: options.isUnchanged === true,
    isStored: options.isStored ?? (() => false),
  });
  errors.push(...walked.schema, ...walked.rules);
  if (errors.length === 0 && notStructural !== undefined) errors.push(...shape);
  return [...errors, ...total.problems(path)];
}

function shapeProblems(
  schema: JsonSchemaProps,
  path: string,
  readMetadata: MetadataReader | undefined,
): FieldError[] {
  const errors = structuralProblems(schema, path);
  if (errors.length > 0) return errors;
  return defaultProblems(schemaNode(schema, true), path, readMetadata);
}

/** With a status subresource, the schema of status is taken out, and with it what the root says about it. */
function rootProblems(schema: JsonSchemaProps, path: string): FieldError[] {
  for (const [name, key, isAllowed] of rootFields) {
    if (isZero(schema[key])) continue;
    if (name === 'Type' && schema.type !== 'object') {
      const detail =
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
      return [invalid(child(path, 'openAPIV3Schema', 'type'), schema.type ?? '', detail)];
    }
    if (!isAllowed) {
      const detail = `only [${allowedNames.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`;
      return [invalid(child(path, 'openAPIV3Schema'), internalSchema(schema), detail)];
    }
  }
  return [];
}
