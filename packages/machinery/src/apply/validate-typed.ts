import { goPrint, goPrintSharp, goTypeOf } from './go-values.ts';
import { ItemError, itemElement } from './list-items.ts';
import {
  formOf,
  type ListSchema,
  type MapSchema,
  type MergeSchema,
  type Scalar,
  settle,
} from './merge-schema.ts';
import { elementText, fieldElement } from './path-element.ts';
import { TypedError, type TypedProblem } from './typed-error.ts';
import { isMap, isScalar } from './values.ts';

/** How strictly a value is held to its type. */
export interface ValidateOptions {
  /** Whether items of sets and keyed lists may stand twice, as in objects that were never applied. */
  readonly allowDuplicates?: boolean;
}

/** Throws TypedError when the value is not one of its type. */
export function validateTyped(
  schema: MergeSchema,
  value: unknown,
  { allowDuplicates = false }: ValidateOptions = {},
): void {
  const problems: TypedProblem[] = [];
  visit(schema, value, { problems, allowDuplicates, path: '' });
  if (problems.length > 0) throw new TypedError(problems);
}

interface Walk {
  readonly problems: TypedProblem[];
  readonly allowDuplicates: boolean;
  readonly path: string;
}

function visit(schema: MergeSchema, value: unknown, walk: Walk): void {
  switch (settle(schema, formOf(schema, value))) {
    case 'map':
      if (schema.map !== undefined) visitMap(schema.map, value, walk);
      break;
    case 'list':
      if (schema.list !== undefined) visitList(schema.list, value, walk);
      break;
    default: {
      const problem = scalarProblem(schema.scalar ?? 'untyped', value);
      if (problem !== undefined) report(walk, problem);
    }
  }
}

function report({ problems, path }: Walk, message: string): void {
  problems.push({ path, message });
}

/** What upstream says about a value that is no such scalar. */
export function scalarProblem(scalar: Scalar, value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  const type = typeof value;
  switch (scalar) {
    case 'numeric':
      return type === 'number' || type === 'bigint'
        ? undefined
        : `expected numeric (int or float), got ${goTypeOf(value)}`;
    case 'string':
      return type === 'string' ? undefined : `expected string, got ${goPrintSharp(value)}`;
    case 'boolean':
      return type === 'boolean' ? undefined : `expected boolean, got ${goPrint(value)}`;
    default:
      return isScalar(value) ? undefined : `expected any scalar, got ${goPrint(value)}`;
  }
}

function visitMap(map: MapSchema, value: unknown, walk: Walk): void {
  if (value === null) return;
  if (!isMap(value)) {
    report(walk, `expected map, got ${goPrint(value)}`);
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    const path = `${walk.path}${elementText(fieldElement(name))}`;
    const schema = map.field(name)?.schema ?? map.others?.();
    if (schema === undefined) {
      // Upstream looks no further once it has met a field it does not know.
      report({ ...walk, path }, 'field not declared in schema');
      return;
    }
    visit(schema, member, { ...walk, path });
  }
}

function visitList(list: ListSchema, value: unknown, walk: Walk): void {
  if (value === null) return;
  if (!Array.isArray(value)) {
    report(walk, `expected list, got ${goPrint(value)}`);
    return;
  }
  const seen = new Set<string>();
  for (const [index, item] of value.entries()) {
    let element = `i:${index}`;
    if (!list.atomic) {
      try {
        element = itemElement(list, item);
      } catch (error) {
        if (!(error instanceof ItemError)) throw error;
        report(walk, `element ${index}: ${error.message}`);
        return;
      }
      if (seen.has(element) && !walk.allowDuplicates) {
        report(walk, `duplicate entries for key ${elementText(element)}`);
      }
      seen.add(element);
    }
    visit(list.items(), item, { ...walk, path: `${walk.path}${elementText(element)}` });
  }
}
