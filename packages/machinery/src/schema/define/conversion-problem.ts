import { partsOf } from '../node.ts';
import type { JsonSchemaProps } from '../types.ts';

const unsupported: readonly (readonly [keyof JsonSchemaProps, string])[] = [
  ['id', 'id'],
  ['$schema', 'schema'],
  ['$ref', '$ref'],
  ['patternProperties', 'patternProperties'],
  ['dependencies', 'dependencies'],
  ['additionalItems', 'additionalItems'],
  ['definitions', 'definitions'],
];

/** Why a schema cannot even be read as a structural one. */
export function conversionProblem(schema: JsonSchemaProps): string | undefined {
  for (const [key, name] of unsupported) {
    if (!isZero(schema[key])) return `OpenAPIV3Schema '${name}' is not supported`;
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  if (Array.isArray(schema.items) && schema.items.length > 0) {
    return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  }
  for (const part of partsOf(schema)) {
    const problem = conversionProblem(part);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Whether Go would not see a field: absent, false or ''. */
export function isZero(value: unknown): boolean {
  return value === undefined || value === null || value === false || value === '';
}
