import { notAcceptable } from '@flotilla/machinery';

/** The shape an answer takes: the object itself, or one of meta.k8s.io's views of it. */
export type View = 'object' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';

/** What the client asked to receive. */
export interface Accepted {
  readonly format: 'json' | 'yaml';
  readonly view: View;
  /** Version of the view's kinds: v1, or v1beta1 for old clients. */
  readonly viewVersion: 'v1' | 'v1beta1';
}

const PLAIN: Accepted = { format: 'json', view: 'object', viewVersion: 'v1' };

const FORMATS: Readonly<Record<string, Accepted['format']>> = {
  'application/json': 'json',
  'application/yaml': 'yaml',
  'application/*': 'json',
  '*/*': 'json',
};

const SUPPORTED = ['application/json', 'application/yaml'];

const cache = new Map<string, Accepted>();
const CACHE_LIMIT = 200;

/**
 * Picks the first clause of an Accept header that we can serve, among the views the request allows.
 * Protobuf is decoded but not written, so its clauses are passed over: every client that asks for it also takes JSON.
 */
export function negotiate(header: string | undefined, views: readonly View[]): Accepted {
  if (header === undefined || header === '' || header === 'application/json') return PLAIN;
  const cacheKey = `${views.join()}|${header}`;
  const known = cache.get(cacheKey);
  if (known !== undefined) return known;
  const found = pick(header, views);
  if (cache.size >= CACHE_LIMIT) cache.clear();
  cache.set(cacheKey, found);
  return found;
}

function pick(header: string, views: readonly View[]): Accepted {
  const clauses = header
    .split(',')
    .map((text, index) => ({ ...parseClause(text), index }))
    .sort((a, b) => b.quality - a.quality || a.index - b.index);
  for (const clause of clauses) {
    const format = FORMATS[clause.mediaType];
    if (format === undefined) continue;
    const as = clause.parameters.get('as');
    if (as === undefined) {
      return format === 'json' ? PLAIN : { format, view: 'object', viewVersion: 'v1' };
    }
    const version = clause.parameters.get('v');
    if (clause.parameters.get('g') !== 'meta.k8s.io') continue;
    if (version !== 'v1' && version !== 'v1beta1') continue;
    const view = views.find((candidate) => candidate === as);
    if (view !== undefined) return { format, view, viewVersion: version };
  }
  throw notAcceptable(
    `only the following media types are accepted: ${[...SUPPORTED, 'application/vnd.kubernetes.protobuf'].join(', ')}`,
  );
}

function parseClause(text: string): {
  mediaType: string;
  quality: number;
  parameters: Map<string, string>;
} {
  const [mediaType = '', ...rest] = text.split(';');
  const parameters = new Map<string, string>();
  for (const parameter of rest) {
    const equals = parameter.indexOf('=');
    if (equals < 0) continue;
    parameters.set(parameter.slice(0, equals).trim().toLowerCase(), parameter.slice(equals + 1).trim());
  }
  const quality = Number(parameters.get('q') ?? '1');
  return {
    mediaType: mediaType.trim().toLowerCase(),
    quality: Number.isFinite(quality) ? quality : 0,
    parameters,
  };
}
