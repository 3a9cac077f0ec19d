import { isJsonObject, type Json } from '@flotilla/machinery';

/** A request that changes something, as far as its name goes. */
export interface WrittenRequest {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly body: Buffer;
}

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
/** Said with every patch, whatever it changes. */
const IDENTITY = new Set(['uid', 'resourceVersion', 'name', 'namespace']);

/** Whether a request is one after which a server may be another. */
export function isWrite(method: string | undefined): boolean {
  return WRITES.has(method ?? '');
}

/**
 * Names a write by what it does and not by whom it concerns: `POST secrets`, `PATCH clusterregistrations finalizers`,
 * `PATCH secrets annotations data`, `POST events Registered`.
 */
export function describeWrite({ method, path, body }: WrittenRequest): string {
  const resource = resourceOf(path);
  return [method, resource, ...detailsOf(method, resource, read(body))].join(' ');
}

function resourceOf(path: string): string {
  const parts = (path.split('?')[0] ?? '').split('/').filter((part) => part !== '');
  const inVersion = parts.slice(parts[0] === 'api' ? 2 : 3);
  const isNamespaced = inVersion[0] === 'namespaces' && inVersion.length > 2;
  const [resource = '', , subresource] = isNamespaced ? inVersion.slice(2) : inVersion;
  return subresource === undefined ? resource : `${resource}/${subresource}`;
}

function detailsOf(method: string, resource: string, body: Json | undefined): string[] {
  if (body === undefined) return [];
  if (resource === 'events') return [String(body['reason'])];
  if (method !== 'PATCH' || resource.endsWith('/status')) return [];
  const { metadata, ...rest } = body;
  const inMetadata = isJsonObject(metadata) ? Object.keys(metadata) : [];
  return [...inMetadata.filter((each) => !IDENTITY.has(each)), ...Object.keys(rest)].sort();
}

function read(body: Buffer): Json | undefined {
  if (body.length === 0) return undefined;
  try {
    const value: unknown = JSON.parse(body.toString());
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
