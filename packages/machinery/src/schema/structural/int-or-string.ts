import type { JsonSchemaProps } from '../types.ts';

const alternatives = ['integer', 'string'];

/** Whether anyOf is the pattern by which int-or-string may name its types. */
export function isIntOrStringAnyOf({ anyOf = [] }: JsonSchemaProps): boolean {
  return (
    anyOf.length === 2 &&
    anyOf.every((part, index) => part.type === alternatives[index] && saysOnlyType(part))
  );
}

/** The same pattern as the first of allOf. */
export function isIntOrStringAllOf({ allOf = [] }: JsonSchemaProps): boolean {
  const [first] = allOf;
  return first !== undefined && isIntOrStringAnyOf(first);
}

function saysOnlyType(schema: JsonSchemaProps): boolean {
  return Object.entries(schema).every(([name, value]) => name === 'type' || value === undefined);
}
