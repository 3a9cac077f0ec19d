/** Path of a field below `path`: `child('spec', 'template', 'spec')`. The root path is ''. */
export function child(path: string, ...names: string[]): string {
  // One name is by far the most frequent; it tops the profile of pod writes.
  const below = names.length === 1 ? (names[0] ?? '') : names.join('.');
  return path === '' ? below : `${path}.${below}`;
}

/** Path of an element of the list at `path`. */
export function at(path: string, index: number): string {
  return `${path}[${index}]`;
}

/** Path of an entry of the map at `path`. */
export function keyed(path: string, key: string): string {
  return `${path}[${key}]`;
}
