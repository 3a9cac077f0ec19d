import { type CelSchema, celTypeOfSchema, type DeclType } from '../../cel/index.ts';
import type { JsonSchemaProps } from '../types.ts';

/** The CEL type of the data a schema describes; undefined where CEL cannot read it. */
export function declOf(
  schema: JsonSchemaProps,
  isResource = schema['x-kubernetes-embedded-resource'] === true,
): DeclType | undefined {
  return celTypeOfSchema(withNumbers(schema) as CelSchema, { root: isResource });
}

/** The schema with limits beyond 2^53, which limit nothing, as plain numbers; itself when it has none. */
function withNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(withNumbers);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const entries = Object.entries(value);
  const changed = entries.map(([key, member]): [string, unknown] => [key, withNumbers(member)]);
  const isSame = changed.every(([, member], index) => member === entries[index]?.[1]);
  return isSame ? value : Object.fromEntries(changed);
}
