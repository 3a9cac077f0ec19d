import { child, keyed } from '../../field-path.ts';
import { additionalOf } from '../node.ts';
import type { JsonSchemaProps } from '../types.ts';

/** A path of fields and map keys that leads somewhere in a schema, or why it does not. */
export type FoundPath =
  | { readonly path: string; readonly root: string; readonly schema: JsonSchemaProps | undefined }
  | { readonly problem: string };

const escapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '\\': '\\',
};

const END = 'unexpected end of JSON path';
const NOWHERE = 'does not refer to a valid field';

/**
 * Follows a simple JSON path (`.spec.x`, and `.spec['x']` unless `isDotOnly`) through a schema. Fields of objects and
 * keys of maps can be named, items of lists cannot.
 */
export function followPath(
  text: string,
  schema: JsonSchemaProps,
  { isDotOnly = false }: { readonly isDotOnly?: boolean } = {},
): FoundPath {
  const tokens = tokenize(text);
  let path = '';
  let root: string | undefined;
  let current: JsonSchemaProps | undefined = schema;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token === '[' && isDotOnly) return { problem: 'array notation is not allowed' };
    if (token !== '.' && token !== '[') return { problem: `expected [ or . but got: ${token}` };
    const name = tokens[++at];
    if (name === undefined) return { problem: END };
    const read = token === '.' ? { name } : quotedName(name);
    if ('problem' in read) return read;
    if (current === undefined) return { problem: NOWHERE };
    if (current.properties !== undefined) {
      const found: JsonSchemaProps | undefined = new Map(Object.entries(current.properties)).get(
        read.name,
      );
      if (found === undefined) return { problem: NOWHERE };
      path = child(path, read.name);
      current = found;
    } else if (current.additionalProperties !== undefined) {
      path = keyed(path, read.name);
      current = additionalOf(current);
    } else {
      return { problem: NOWHERE };
    }
    root ??= read.name;
    if (token === '.') continue;
    const end = tokens[++at];
    if (end === undefined) return { problem: END };
    if (end !== ']') return { problem: `expected ] but got ${end}` };
  }
  return { path, root: root ?? '', schema: current };
}

/** Delimiters, texts in single quotes, and what lies between them. */
function tokenize(text: string): string[] {
  return text.match(/[.[\]]|'(?:[^'\\]|\\[\s\S])*'|[^.[\]']+|'[\s\S]*/g) ?? [];
}

function quotedName(token: string): { readonly name: string } | { readonly problem: string } {
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'")) {
    return { problem: `expected single quoted string but got ${token}` };
  }
  let bad: string | undefined;
  const name = token.slice(1, -1).replace(/\\([\s\S])/g, (found, char: string) => {
    const unescaped = escapes[char];
    if (unescaped === undefined) bad ??= found;
    return unescaped ?? '';
  });
  return bad === undefined
    ? { name }
    : { problem: `invalid string literal: invalid escape char ${bad}` };
}
