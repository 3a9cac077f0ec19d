import { StatusError } from '@flotilla/machinery';

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
const VIEWS: readonly string[] = ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'];
const FORMATS: Readonly<Record<string, Accepted['format']>> = {
  'application/json': 'json',
  'application/yaml': 'yaml',
  'application/*': 'json',
  '*/*': 'json',
};
const TYPES = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
const STREAMS = TYPES.filter((type) => !type.includes('yaml')).map(
  (type) => `${type};stream=watch`,
);

/** What is answered: an object, a collection, a watch, a document without views, or the list of all groups. */
export type AnswerKind = 'object' | 'list' | 'watch' | 'document' | 'groups';

const cache = new Map<string, Accepted>();
const CACHE_LIMIT = 200;

/**
 * Picks the first clause of an Accept header that we can serve. Protobuf is decoded but not written, so its clauses
 * are passed over: every client that asks for it also takes JSON.
 */
export function negotiate(header: string | undefined, kind: AnswerKind = 'object'): Accepted {
  if (header === undefined || header === '' || header === 'application/json') return PLAIN;
  const cacheKey = `${kind} ${header}`;
  const known = cache.get(cacheKey);
  if (known !== undefined) return known;
  const found = pick(header, kind);
  if (cache.size >= CACHE_LIMIT) cache.clear();
  cache.set(cacheKey, found);
  return found;
}

function pick(header: string, kind: AnswerKind): Accepted {
  const clauses = header
    .split(',')
    .map((text, index) => ({ ...parseClause(text), index }))
    .sort((a, b) => b.quality - a.quality || a.index - b.index);
  let sawType = false;
  for (const clause of clauses) {
    const format = FORMATS[clause.mediaType];
    if (format === undefined) continue;
    // Upstream's router knows no `application/*`, and it is asked first for all but the list of groups.
    if (clause.mediaType === 'application/*' && kind !== 'groups') continue;
    if (format === 'yaml' && kind === 'watch') throw onlyAccepted(STREAMS);
    sawType = true;
    const as = clause.parameters.get('as');
    if (as === undefined) {
      return format === 'json' ? PLAIN : { format, view: 'object', viewVersion: 'v1' };
    }
    const version = clause.parameters.get('v');
    const hasViews = kind !== 'document' && kind !== 'groups';
    if (clause.parameters.get('g') !== 'meta.k8s.io' || !hasViews) continue;
    if (version !== 'v1' && version !== 'v1beta1') continue;
    if (VIEWS.includes(as)) return { format, view: as as View, viewVersion: version };
  }
  if (sawType || kind === 'groups') throw onlyAccepted(TYPES);
  const available = kind === 'list' || kind === 'watch' ? [...TYPES, ...STREAMS] : TYPES;
  throw new StatusError(
    406,
    'NotAcceptable',
    `406: Not Acceptable\n\nAvailable representations: ${available.join(', ')}`,
    {},
  );
}

function onlyAccepted(types: readonly string[]): StatusError {
  return new StatusError(
    406,
    'NotAcceptable',
    `only the following media types are accepted: ${types.join(', ')}`,
  );
}

/** The format errors are written in: what the client reads best, and JSON when that is unclear. */
export function errorFormat(header: string | undefined): Accepted['format'] {
  const first = header?.split(',')[0]?.split(';')[0]?.trim();
  return first === 'application/yaml' ? 'yaml' : 'json';
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
    parameters.set(
      parameter.slice(0, equals).trim().toLowerCase(),
      parameter.slice(equals + 1).trim(),
    );
  }
  const quality = Number(parameters.get('q') ?? '1');
  return {
    mediaType: mediaType.trim().toLowerCase(),
    quality: Number.isFinite(quality) ? quality : 0,
    parameters,
  };
}
