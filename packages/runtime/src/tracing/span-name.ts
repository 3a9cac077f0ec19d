import type { WireRequest } from '@flotilla/client';

/**
 * A name that is the same for all objects of a kind: `GET pods`, `PATCH clusterregistrations/status`. Names and
 * namespaces would make one per object.
 */
export function spanNameOf({ method, path }: Pick<WireRequest, 'method' | 'path'>): string {
  const parts = (path.split('?')[0] ?? '').split('/').filter((part) => part !== '');
  const [root] = parts;
  if (root !== 'api' && root !== 'apis') return `${method} /${root ?? ''}`;
  // /api/VERSION or /apis/GROUP/VERSION, then maybe namespaces/NAME, then resource, name, subresource.
  const rest = parts.slice(root === 'api' ? 2 : 3);
  const isInNamespace = rest[0] === 'namespaces' && rest.length > 2 && !isOfNamespace(rest[2]);
  const [resource, , ...subresource] = isInNamespace ? rest.slice(2) : rest;
  if (resource === undefined) return `${method} /${root}`;
  return subresource[0] === undefined
    ? `${method} ${resource}`
    : `${method} ${resource}/${subresource[0]}`;
}

function isOfNamespace(part: string | undefined): boolean {
  return part === 'status' || part === 'finalize';
}
