import { isJsonObject, type Json } from '@flotilla/machinery';
import {
  allOf,
  elementOf,
  fieldOf,
  fieldsOf,
  refOf,
  type Schema,
  type SchemaDocument,
} from './schema-document.ts';
import { longEnum, shortEnum, typeText } from './type-text.ts';
import { indentText, wrapText } from './wrap-text.ts';

/** What is to be explained. */
export interface Topic {
  readonly kind: Json;
  readonly fields: readonly string[];
  readonly isRecursive: boolean;
}

/** No schema is nested as deep, and no explanation is as long; those of hostile servers are. */
const MAX_DEPTH = 100;
const MAX_CHARACTERS = 32 << 20;

const NONE: ReadonlySet<string> = new Set();

/** What kubectl prints of a kind or of a field below it; undefined when there is no such field, or no such kind. */
export function explainType(document: SchemaDocument, topic: Topic): string | undefined {
  const { kind, fields, isRecursive } = topic;
  let length = 0;
  for (const schema of document.schemas()) {
    if (isOfKind(schema, kind)) return follow(schema, fields, NONE);
  }
  return undefined;

  function follow(
    schema: Schema,
    path: readonly string[],
    seen: ReadonlySet<string>,
  ): string | undefined {
    const ref = refOf(schema);
    const resolved = document.resolve(schema);
    const [name, ...rest] = path;
    if (name === undefined) return whole(resolved);
    if (ref !== '' && seen.has(ref)) return undefined;
    if (seen.size > MAX_DEPTH) throw tooDeep();
    // One that has no name is remembered, too, so that its depth counts.
    const next = new Set([...seen, ref === '' ? `${seen.size}` : ref]);
    const field = fieldOf(resolved, name);
    if (field !== undefined) {
      const head =
        rest.length === 0
          ? `FIELD: ${name} <${typeText(field, document)}>\n${longEnum(field)}\n\n`
          : '';
      const below = follow(field, rest, NONE);
      return below === undefined ? undefined : head + below;
    }
    const element = elementOf(resolved, 'items') ?? elementOf(resolved, 'additionalProperties');
    if (element !== undefined) return follow(element, path, next);
    for (const part of allOf(resolved)) {
      const found = follow(part, path, next);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  function whole(schema: Schema): string {
    const text = describe(schema, 0) || '<empty>';
    const list = listFields(schema, { level: 1, seen: NONE, depth: 0 });
    const description = indentText(wrapText(text, 76), 4);
    return `DESCRIPTION:\n${description}\n${list === '' ? '' : `FIELDS:\n${list}`}`;
  }

  /** The descriptions of a schema, and of all that it is made of. */
  function describe(schema: Schema, depth: number): string {
    if (depth > MAX_DEPTH) throw tooDeep();
    const resolved = document.resolve(schema);
    const own = descriptionOf(resolved);
    const parts = [
      ...allOf(resolved),
      elementOf(resolved, 'items'),
      elementOf(resolved, 'additionalProperties'),
    ].map((part) => (part === undefined ? '' : describe(part, depth + 1)));
    return (own === '' ? '' : `${own}\n`) + parts.join('');
  }

  function listFields(schema: Schema, place: Place): string {
    const ref = refOf(schema);
    if (ref !== '' && place.seen.has(ref)) return '';
    if (place.depth > MAX_DEPTH) throw tooDeep();
    const next = {
      level: place.level,
      seen: ref === '' ? place.seen : new Set([...place.seen, ref]),
      depth: place.depth + 1,
    };
    const resolved = document.resolve(schema);
    let text = '';
    for (const [name, field] of fieldsOf(resolved)) {
      const line = fieldText(resolved, name, { field, level: place.level });
      length += line.length;
      if (length > MAX_CHARACTERS) throw new Error('Cannot explain it: its schema is too large');
      text += line;
      if (isRecursive) text += listFields(field, { ...next, level: place.level + 1 });
    }
    for (const part of [
      ...allOf(resolved),
      elementOf(resolved, 'items'),
      elementOf(resolved, 'additionalProperties'),
    ]) {
      if (part !== undefined) text += listFields(part, next);
    }
    return text;
  }

  function fieldText(
    parent: Schema,
    name: string,
    { field, level }: { readonly field: Schema; readonly level: number },
  ): string {
    const indent = level * 2;
    const { required } = parent;
    const mark = Array.isArray(required) && required.includes(name) ? ' -required-' : '';
    const type = typeText(field, document);
    const line = `${indentText(name, indent)}\t<${type}>${mark}${shortEnum(field, indent)}\n`;
    if (isRecursive) return line;
    const text = descriptionOf(field) || '<no description>';
    return `${line}${indentText(wrapText(text, 78 - indent), indent + 2)}\n\n`;
  }
}

/** Where in a list of fields something stands. */
interface Place {
  readonly level: number;
  /** The schemas it is in: one that is in itself is not listed again. */
  readonly seen: ReadonlySet<string>;
  readonly depth: number;
}

function descriptionOf({ description }: Schema): string {
  return typeof description === 'string' ? description : '';
}

function isOfKind(schema: Schema, kind: Json): boolean {
  const kinds = schema['x-kubernetes-group-version-kind'];
  return (
    Array.isArray(kinds) &&
    kinds.some(
      (each) =>
        isJsonObject(each) &&
        ['group', 'version', 'kind'].every((field) => each[field] === kind[field]),
    )
  );
}

function tooDeep(): Error {
  return new Error('Cannot explain it: its schema is nested too deep');
}
