// Paths into JSON values, written `metadata.labels.app` or `items.0.spec`; a name with dots stands in
// brackets: `data[a.b]`. In a pattern `*` stands for one part and `**` for any number of them.

/** The parts of a written path. */
export function splitPath(path: string): string[] {
  return [...path.matchAll(/\[([^\]]*)\]|[^.[\]]+/g)].map((match) => match[1] ?? match[0]);
}

/** Writes parts so that {@link splitPath} reads them back. */
export function joinPath(parts: readonly string[]): string {
  return parts
    .map((part, index) => (/[.[\]]/.test(part) ? `[${part}]` : `${index > 0 ? '.' : ''}${part}`))
    .join('');
}

/** The value at a path, or undefined. */
export function valueAt(root: unknown, path: string): unknown {
  let value = root;
  for (const part of splitPath(path)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part))
      return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

/** Whether the pattern's parts cover the path's. */
export function matchesPath(pattern: readonly string[], path: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return path.length === 0;
  if (first === '**') {
    return matchesPath(rest, path) || (path.length > 0 && matchesPath(pattern, path.slice(1)));
  }
  const [head, ...tail] = path;
  return head !== undefined && matchesPart(first, head) && matchesPath(rest, tail);
}

function matchesPart(pattern: string, part: string): boolean {
  if (!pattern.includes('*')) return pattern === part;
  const source = pattern.split('*').map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${source.join('.*')}$`).test(part);
}

/** A copy without every value whose path a pattern covers. */
export function dropPaths(root: unknown, patterns: readonly string[]): unknown {
  const split = patterns.map(splitPath);
  const walk = (value: unknown, path: readonly string[]): unknown => {
    if (Array.isArray(value))
      return value.map((each, index) => walk(each, [...path, String(index)]));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => !split.some((pattern) => matchesPath(pattern, [...path, key])))
        .map(([key, each]) => [key, walk(each, [...path, key])]),
    );
  };
  return walk(root, []);
}
