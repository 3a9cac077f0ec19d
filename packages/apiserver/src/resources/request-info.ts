/** What a request is about, read from its method, path and query; nothing is looked up yet. */
export interface RequestInfo {
  readonly isResource: boolean;
  /** get, list, watch, create, update, patch, delete, deletecollection; the lower-case method for other paths. */
  readonly verb: string;
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** Decoded segments after group and version (and namespace): resource, name, subresource, rest. */
  readonly parts: readonly string[];
}

const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize']);
const VERB_OF_METHOD: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** Reads a request the way upstream's RequestInfoFactory does, so that authorization sees the same words. */
export function requestInfo(method: string, path: string, query: URLSearchParams): RequestInfo {
  const nonResource: RequestInfo = {
    isResource: false,
    verb: method.toLowerCase(),
    path,
    group: '',
    version: '',
    namespace: '',
    resource: '',
    subresource: '',
    name: '',
    parts: [],
  };
  const segments = split(path);
  const prefix = segments[0];
  // `/api/v1`, `/apis/apps` and `/apis/apps/v1` are discovery; only what follows them is a resource.
  if (segments.length < 3 || (prefix !== 'api' && prefix !== 'apis')) return nonResource;
  if (prefix === 'apis' && segments.length < 4) return nonResource;

  const grouped = prefix === 'apis';
  const group = grouped ? (segments[1] ?? '') : '';
  const version = (grouped ? segments[2] : segments[1]) ?? '';
  let rest = segments.slice(grouped ? 3 : 2);
  let verb = VERB_OF_METHOD[method] ?? '';

  // The deprecated form /api/v1/watch/pods still exists.
  if (rest[0] === 'watch' || rest[0] === 'proxy') {
    if (rest.length < 2) return nonResource;
    // Nothing is served through the proxy form any more, but policy may still name its verb.
    verb = rest[0];
    rest = rest.slice(1);
  }

  let namespace = '';
  if (rest[0] === 'namespaces') {
    if (rest.length > 1) {
      namespace = rest[1] ?? '';
      // A namespace's own subresources are not resources inside the namespace.
      if (rest.length > 2 && !NAMESPACE_SUBRESOURCES.has(rest[2] ?? '')) rest = rest.slice(2);
    }
  }
  const resource = rest[0] ?? '';
  const name = rest[1] ?? '';
  const subresource = verb === 'proxy' ? '' : (rest[2] ?? '');

  // Of one object only the deprecated form can be a watch: a get with `watch=true` is a get.
  let selected = '';
  if (name === '' && verb === 'get') {
    verb = isTrue(query.get('watch')) ? 'watch' : 'list';
    selected = nameFromFieldSelector(query);
  }
  if (name === '' && verb === 'delete') verb = 'deletecollection';
  return {
    isResource: true,
    verb,
    path,
    group,
    version,
    namespace,
    resource,
    subresource,
    name: name === '' ? selected : name,
    parts: rest,
  };
}

/** `watch=1`, `watch=true` and a bare `watch` all mean it. */
export function isTrue(value: string | null): boolean {
  return value !== null && value !== '0' && value.toLowerCase() !== 'false';
}

/** RBAC by resourceNames covers `--field-selector metadata.name=x`, so the name counts as asked for. */
function nameFromFieldSelector(query: URLSearchParams): string {
  const selector = query.get('fieldSelector');
  if (selector === null) return '';
  for (const term of selector.split(',')) {
    const match = /^metadata\.name==?([^=!,]+)$/.exec(term);
    if (match?.[1] !== undefined) return match[1];
  }
  return '';
}

function split(path: string): string[] {
  const trimmed = path.replace(/^\/+|\/+$/g, '');
  if (trimmed === '') return [];
  return trimmed.split('/').map(decodeSegment);
}

function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
