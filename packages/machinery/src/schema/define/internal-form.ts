import { sorted } from '../sorted-json.ts';
import type { JsonSchemaProps, ValidationRule } from '../types.ts';

/**
 * A schema as some errors show it: upstream prints its internal type, whose fields have their Go names and are all
 * written, empty or not.
 */
export function internalSchema(schema: JsonSchemaProps): Record<string, unknown> {
  const { externalDocs } = schema;
  return {
    ID: schema.id ?? '',
    Schema: schema.$schema ?? '',
    Ref: schema.$ref ?? null,
    Description: schema.description ?? '',
    Type: schema.type ?? '',
    Nullable: schema.nullable ?? false,
    Format: schema.format ?? '',
    Title: schema.title ?? '',
    Default: sorted(schema.default ?? null),
    Maximum: schema.maximum ?? null,
    ExclusiveMaximum: schema.exclusiveMaximum ?? false,
    Minimum: schema.minimum ?? null,
    ExclusiveMinimum: schema.exclusiveMinimum ?? false,
    MaxLength: schema.maxLength ?? null,
    MinLength: schema.minLength ?? null,
    Pattern: schema.pattern ?? '',
    MaxItems: schema.maxItems ?? null,
    MinItems: schema.minItems ?? null,
    UniqueItems: schema.uniqueItems ?? false,
    MultipleOf: schema.multipleOf ?? null,
    Enum: sorted(schema.enum ?? null),
    MaxProperties: schema.maxProperties ?? null,
    MinProperties: schema.minProperties ?? null,
    Required: schema.required ?? null,
    Items: internalItems(schema),
    AllOf: schema.allOf?.map(internalSchema) ?? null,
    OneOf: schema.oneOf?.map(internalSchema) ?? null,
    AnyOf: schema.anyOf?.map(internalSchema) ?? null,
    Not: schema.not === undefined ? null : internalSchema(schema.not),
    Properties: internalMap(schema.properties),
    AdditionalProperties: internalOrBool(schema.additionalProperties),
    PatternProperties: internalMap(schema.patternProperties),
    Dependencies: internalDependencies(schema),
    AdditionalItems: internalOrBool(schema.additionalItems),
    Definitions: internalMap(schema.definitions),
    ExternalDocs:
      externalDocs === undefined
        ? null
        : { Description: externalDocs.description ?? '', URL: externalDocs.url ?? '' },
    Example: sorted(schema.example ?? null),
    XPreserveUnknownFields: schema['x-kubernetes-preserve-unknown-fields'] ?? null,
    XEmbeddedResource: schema['x-kubernetes-embedded-resource'] ?? false,
    XIntOrString: schema['x-kubernetes-int-or-string'] ?? false,
    XListMapKeys: schema['x-kubernetes-list-map-keys'] ?? null,
    XListType: schema['x-kubernetes-list-type'] ?? null,
    XMapType: schema['x-kubernetes-map-type'] ?? null,
    XValidations: schema['x-kubernetes-validations']?.map(internalRule) ?? null,
  };
}

/** A rule as errors show it. */
export function internalRule(rule: ValidationRule): Record<string, unknown> {
  return {
    Rule: rule.rule,
    Message: rule.message ?? '',
    MessageExpression: rule.messageExpression ?? '',
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  };
}

/** The items of a schema as errors show them. */
export function internalItems({ items }: JsonSchemaProps): Record<string, unknown> | null {
  if (items === undefined) return null;
  if (isList(items)) return { Schema: null, JSONSchemas: items.map(internalSchema) };
  return { Schema: internalSchema(items), JSONSchemas: null };
}

function internalOrBool(value: JsonSchemaProps | boolean | undefined): unknown {
  if (value === undefined) return null;
  if (typeof value === 'boolean') return { Allows: value, Schema: null };
  return { Allows: true, Schema: internalSchema(value) };
}

function internalMap(map: Readonly<Record<string, JsonSchemaProps>> | undefined): unknown {
  if (map === undefined) return null;
  return Object.fromEntries(
    Object.keys(map)
      .sort()
      .map((name) => [name, internalSchema(map[name] ?? {})]),
  );
}

function internalDependencies({ dependencies }: JsonSchemaProps): unknown {
  if (dependencies === undefined) return null;
  return Object.fromEntries(
    Object.entries(dependencies)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => [
        name,
        isList(value)
          ? { Schema: null, Property: value }
          : { Schema: internalSchema(value), Property: null },
      ]),
  );
}

function isList<T>(value: JsonSchemaProps | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}
