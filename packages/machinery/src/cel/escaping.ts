/** Words of CEL that cannot be identifiers, so properties named so are escaped. */
export const RESERVED: ReadonlySet<string> = new Set([
  'true',
  'false',
  'null',
  'in',
  'as',
  'break',
  'const',
  'continue',
  'else',
  'for',
  'function',
  'if',
  'import',
  'let',
  'loop',
  'package',
  'namespace',
  'return',
  'var',
  'void',
  'while',
]);

const NAMES: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ['underscores', '__'],
  ['dot', '.'],
  ['dash', '-'],
  ['slash', '/'],
]);

/** A property's name as an identifier of CEL; undefined where it cannot be one. */
export function escapeProperty(name: string): string | undefined {
  if (RESERVED.has(name)) return `__${name}__`;
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !name.includes('__')) return name;
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name)) return undefined;
  return name.replace(/__|[-./]/g, (found) => NAMES[found] ?? found);
}

/** The property that an identifier stands for; undefined where it holds an unknown escape. */
export function unescapeProperty(escaped: string): string | undefined {
  if (!escaped.includes('__')) return escaped;
  let known = true;
  const name = escaped.replace(/__([^_]+)__/g, (found, contents: string) => {
    const character = CHARACTERS.get(contents);
    if (character !== undefined) return character;
    if (!RESERVED.has(contents) || found.length !== escaped.length) known = false;
    return contents;
  });
  return known ? name : undefined;
}
