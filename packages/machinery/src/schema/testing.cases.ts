import { formatFieldError } from '../field-errors.ts';
import type { Json } from '../object.ts';
import { compileSchema } from './compile-schema.ts';
import type { JsonSchemaProps } from './types.ts';

/** A schema whose spec has these properties. */
export function specOf(properties: Readonly<Record<string, JsonSchemaProps>>): JsonSchemaProps {
  return { type: 'object', properties: { spec: { type: 'object', properties } } };
}

/** An object with this spec. */
export function objectOf(spec: unknown): Json {
  return { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' }, spec };
}

/** What is wrong with an object of this spec, one `path: text` each. */
export function errorsOf(schema: JsonSchemaProps, spec: unknown): string[] {
  return compileSchema(schema).validate(objectOf(spec)).map(formatFieldError);
}

/** What is wrong with an update from one spec to another. */
export function changeErrorsOf(schema: JsonSchemaProps, spec: unknown, old: unknown): string[] {
  return compileSchema(schema).validateUpdate(objectOf(spec), objectOf(old)).map(formatFieldError);
}
