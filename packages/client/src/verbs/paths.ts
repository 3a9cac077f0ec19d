import { isPathSegmentName, type Kind } from '@flotilla/machinery';

/** What of a resource is addressed; without a name, the collection. */
export interface Place {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/** Values of a query; undefined and false ones are left out. */
export type Query = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

/** The path of a collection, or of an object in all its namespaces' shapes. */
export function collectionPath(kind: Kind, namespace?: string): string {
  const root = kind.group === '' ? '/api' : `/apis/${encodeURIComponent(kind.group)}`;
  const base = `${root}/${encodeURIComponent(kind.version)}`;
  // A namespace means nothing to kinds outside of them, so that one selection fits all kinds.
  const within =
    kind.namespaced && namespace !== undefined && namespace !== ''
      ? `/namespaces/${segment(kind, namespace)}`
      : '';
  return `${base}${within}/${encodeURIComponent(kind.plural)}`;
}

/**
 * The path of one object. A missing name or namespace is refused here, because without it the
 * same request would mean a whole collection.
 */
export function objectPath(kind: Kind, { namespace, name = '', subresource }: Place): string {
  if (name === '') throw new TypeError(`Cannot address one of "${kind.plural}": it has no name`);
  if (kind.namespaced && (namespace === undefined || namespace === '')) {
    throw new TypeError(`Cannot address "${kind.plural}/${name}": it has no namespace`);
  }
  const path = `${collectionPath(kind, namespace)}/${segment(kind, name)}`;
  if (subresource === undefined) return path;
  return `${path}/${subresource.split('/').map(encodeURIComponent).join('/')}`;
}

/** `path?a=1&b=2`, or the path alone. */
export function withQuery(path: string, query: Query): string {
  // Most requests ask for nothing special.
  let params: URLSearchParams | undefined;
  for (const name in query) {
    const value = query[name];
    if (value === undefined || value === false || value === '') continue;
    params ??= new URLSearchParams();
    for (const one of Array.isArray(value) ? value : [value]) params.append(name, String(one));
  }
  const text = params?.toString() ?? '';
  return text === '' ? path : `${path}?${text}`;
}

function segment(kind: Kind, name: string): string {
  const [problem] = isPathSegmentName(name);
  if (problem === undefined) return encodeURIComponent(name);
  throw new TypeError(`Cannot address "${name}" of "${kind.plural}": the name ${problem}`);
}
