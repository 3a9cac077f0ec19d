import {
  getOwn,
  isJsonObject,
  type Json,
  ParseError,
  parseGroupVersion,
  parseJson,
  parseYamlDocuments,
} from '@flotilla/machinery';
import { UsageError } from '../usage-error.ts';
import type { Manifest } from './manifest.ts';
import { splitJson } from './split-json.ts';

/** Nobody writes more; one that repeats itself by aliases is an attack. */
const MAX_ALIASES = 10_000;
/** Lists of lists of lists are nobody's manifests. */
const MAX_LIST_DEPTH = 10;

/** The objects of a text, in YAML or JSON; lists are what is in them. Throws UsageError. */
export function parseManifests(text: string, source: string): Manifest[] {
  return documentsOf(text, source).flatMap((value) => manifestsOf(value, source));
}

function manifestsOf(value: unknown, source: string): Manifest[] {
  return value === null ? [] : objectsIn(value, source, 0).map((each) => manifestOf(each, source));
}

function documentsOf(text: string, source: string): unknown[] {
  const parts = /^\s*\{/.test(text) ? splitJson(text) : undefined;
  try {
    if (parts !== undefined) return parts.map((part) => parseJson(part, { strict: false }).value);
  } catch (error) {
    // What looks like JSON may still be YAML.
    if (!(error instanceof ParseError)) throw error;
  }
  try {
    return parseYamlDocuments(text, { maxAliases: MAX_ALIASES }).map(({ value }) => value);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new UsageError(
      `error parsing ${source}: error converting YAML to JSON: ${error.message}`,
    );
  }
}

function objectsIn(value: unknown, source: string, depth: number): Json[] {
  if (!isJsonObject(value)) throw undecodable(source, 'it is no object');
  const { items, kind, apiVersion } = value;
  if (!Array.isArray(items)) return [value];
  if (depth >= MAX_LIST_DEPTH) throw undecodable(source, 'its lists are nested too deep');
  const itemKind = typeof kind === 'string' ? kind.replace(/List$/, '') : '';
  return items.flatMap((item: unknown) => {
    const isBare = isJsonObject(item) && !isGiven(item['kind']) && !isGiven(item['apiVersion']);
    // Servers leave it out of the items of typed lists.
    const whole = isBare && itemKind !== '' ? { apiVersion, kind: itemKind, ...item } : item;
    return objectsIn(whole, source, depth + 1);
  });
}

function manifestOf(object: Json, source: string): Manifest {
  const { apiVersion, kind, metadata } = object;
  if (typeof kind !== 'string' || kind === '') {
    throw undecodable(source, "Object 'Kind' is missing");
  }
  const parsed = typeof apiVersion === 'string' ? parseGroupVersion(apiVersion) : undefined;
  if (parsed === undefined || parsed.version === '') {
    throw undecodable(source, `Object 'apiVersion' is missing in the ${kind}`);
  }
  const fields = isJsonObject(metadata) ? metadata : {};
  const { name, namespace, labels } = fields;
  if (typeof name !== 'string' || name === '') {
    throw new UsageError(`error reading "${source}": the ${kind} has no metadata.name`);
  }
  if (isGiven(namespace) && typeof namespace !== 'string') {
    throw new UsageError(
      `error reading "${source}": the namespace of ${kind} "${name}" is no text`,
    );
  }
  return {
    source,
    object,
    ...parsed,
    kind,
    name,
    namespace: typeof namespace === 'string' ? namespace : '',
    labels: isJsonObject(labels) ? textsOf(labels) : {},
  };
}

function textsOf(labels: Json): Record<string, string> {
  const pairs = Object.keys(labels).map((key) => [key, getOwn(labels, key)] as const);
  return Object.fromEntries(
    pairs.filter((pair): pair is readonly [string, string] => typeof pair[1] === 'string'),
  );
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

function undecodable(source: string, why: string): UsageError {
  return new UsageError(`unable to decode "${source}": ${why}`);
}
