import { goSprint, isJsonObject } from '@flotilla/machinery';
import { allOf, elementOf, refOf, type Schema, type SchemaDocument } from './schema-document.ts';

/** No type is nested as deep; a schema of lists of itself is. */
const MAX_DEPTH = 100;

/** A type as kubectl calls it: `string`, `[]Container`, `map[string]Quantity`, `Object`. */
export function typeText(schema: Schema, document: SchemaDocument, depth = 0): string {
  if (depth > MAX_DEPTH) throw new Error('Cannot explain the type: its schema is nested too deep');
  const within = (inner: Schema) => typeText(inner, document, depth + 1);
  const items = elementOf(schema, 'items');
  if (items !== undefined) return `[]${within(items)}`;
  const values = elementOf(schema, 'additionalProperties');
  if (values !== undefined) return `map[string]${within(values)}`;
  const [only, ...others] = allOf(schema);
  const hasFields =
    isJsonObject(schema['properties']) && Object.keys(schema['properties']).length > 0;
  if (only !== undefined && others.length === 0 && !hasFields) return within(only);
  const ref = refOf(schema);
  if (ref === '') return plainType(schema);
  const { type } = document.target(ref) ?? {};
  if (isGiven(type) && type !== 'object') return goSprint(type);
  return lastPart(lastPart(ref, '/'), '.') || 'Object';
}

function plainType({ type }: Schema): string {
  return type === 'object' || !isGiven(type) ? 'Object' : goSprint(type);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

function lastPart(text: string, separator: string): string {
  return text.slice(text.lastIndexOf(separator) + 1);
}

/** The allowed values in one line of at most four, for lists of fields; nothing where anything is allowed. */
export function shortEnum(schema: Schema, indent: number): string {
  const values = enumOf(schema);
  if (values.length === 0) return '';
  const shown = values.slice(0, MAX_SHORT).map(valueText).join(', ');
  return `\n${' '.repeat(indent)}enum: ${shown}${values.length > MAX_SHORT ? ', ....' : ''}`;
}

/** The allowed values, a line each; nothing where anything is allowed. */
export function longEnum(schema: Schema): string {
  const values = enumOf(schema);
  return values.length === 0
    ? ''
    : `ENUM:${values.map((value) => `\n    ${valueText(value)}`).join('')}`;
}

const MAX_SHORT = 4;

function enumOf(schema: Schema): readonly unknown[] {
  const values = schema['enum'];
  return Array.isArray(values) ? values : [];
}

function valueText(value: unknown): string {
  if (value === '') return '""';
  return value === null ? '<no value>' : goSprint(value);
}
