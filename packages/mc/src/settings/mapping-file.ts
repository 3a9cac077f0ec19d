import { readFile } from 'node:fs/promises';
import { isJsonObject, ParseError, parseYaml, toYaml, yamlLines } from '@flotilla/machinery';
import { writePrivateFile } from '../files/private-file.ts';
import type { ClusterMappingEntry } from '../fleet/cluster.ts';
import { UsageError } from '../usage-error.ts';
import { bool, type ConfigValue, text, texts } from './config-value.ts';
import { type LockOptions, withLock } from './lock-file.ts';
import { oneLine } from './one-line.ts';

/** What the user wrote about hub and clusters; absent files say nothing. */
export interface ClusterMapping {
  /** The hub's context, unless a flag or the config file says another. */
  readonly hubContext?: string | undefined;
  readonly clusters: readonly ClusterMappingEntry[];
}

const API_VERSION = 'kubectl-mc.k8s.io/v1alpha1';

const labels: ConfigValue<Readonly<Record<string, string>>> = {
  allowed: 'a mapping of texts',
  read: (value) =>
    isJsonObject(value) && Object.values(value).every((each) => typeof each === 'string')
      ? (value as Record<string, string>)
      : undefined,
};

const fields = {
  name: text,
  context: text,
  namespace: text,
  aliases: texts,
  defaultNamespace: text,
  server: text,
  caSha256: text,
  clusterId: text,
  kubeconfig: text,
  proxyUrl: text,
  cloudProvider: text,
  region: text,
  labels,
  protected: bool,
} as const satisfies Record<keyof ClusterMappingEntry, ConfigValue<unknown>>;

/** Reads the mapping file. One that cannot be meant is a UsageError which names file, line and field. */
export async function readMapping(path: string): Promise<ClusterMapping> {
  const source = await sourceOf(path);
  return source === undefined
    ? { clusters: [] }
    : mappingOf(documentOf(source, path), source, path);
}

/** Fields of a mapping file that this version does not know, for people: they stay in it and mean nothing. */
export async function unknownMappingFields(path: string): Promise<string[]> {
  const document = documentOf((await sourceOf(path)) ?? '', path);
  const { clusters, ...others } = document;
  const entries = (Array.isArray(clusters) ? clusters : []).filter(isJsonObject);
  return [
    ...Object.keys(others)
      .filter((key) => !['apiVersion', 'kind', 'hubContext'].includes(key))
      .map((key) => `"${key}"`),
    ...entries.flatMap((entry) =>
      Object.keys(entry)
        .filter((key) => !Object.hasOwn(fields, key))
        .map((key) => `"${key}" of ${oneLine(entry['name'])}`),
    ),
  ];
}

/**
 * Changes the mapping file: `change` gets what stands there and says what shall; undefined leaves it alone. Fields that
 * this version does not know stay. Two writers come one after the other, and a writer that is killed leaves the old
 * file. Tells what the file says afterwards.
 */
export async function writeMapping(
  path: string,
  change: (mapping: ClusterMapping) => ClusterMapping | undefined,
  lock: LockOptions,
): Promise<ClusterMapping> {
  return await withLock(path, lock, async () => {
    const source = (await sourceOf(path)) ?? '';
    const document = documentOf(source, path);
    const before = mappingOf(document, source, path);
    const after = change(before);
    if (after === undefined) return before;
    await writePrivateFile(path, headOf(source) + toYaml(merged(document, after)));
    return after;
  });
}

async function sourceOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new UsageError(`Cannot read mapping file "${path}": ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function documentOf(source: string, path: string): Record<string, unknown> {
  try {
    const { value } = parseYaml(source);
    if (value === null) return {};
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new UsageError(`Cannot read mapping file "${path}": ${error.message}`, { cause: error });
  }
  throw new UsageError(`Cannot read mapping file "${path}": it is no ClusterMapping`);
}

function mappingOf(
  document: Record<string, unknown>,
  source: string,
  path: string,
): ClusterMapping {
  const refuse = (at: readonly (string | number)[], value: unknown, allowed: string): never => {
    const line = yamlLines(source)(at);
    throw new UsageError(
      `Cannot read mapping file "${path}": line ${line}: ${fieldName(at)} is ${oneLine(value)}: must be ${allowed}`,
    );
  };
  const { apiVersion = API_VERSION, kind = 'ClusterMapping', hubContext, clusters } = document;
  if (apiVersion !== API_VERSION) refuse(['apiVersion'], apiVersion, API_VERSION);
  if (kind !== 'ClusterMapping') refuse(['kind'], kind, 'ClusterMapping');
  if (hubContext !== undefined && hubContext !== null && typeof hubContext !== 'string') {
    refuse(['hubContext'], hubContext, text.allowed);
  }
  const list = clusters ?? [];
  if (!Array.isArray(list)) return refuse(['clusters'], list, 'a list of clusters');
  return {
    ...(typeof hubContext === 'string' && hubContext !== '' ? { hubContext } : {}),
    clusters: list.map((entry: unknown, index) => entryOf(entry, index, refuse)),
  };
}

function entryOf(
  entry: unknown,
  index: number,
  refuse: (at: readonly (string | number)[], value: unknown, allowed: string) => never,
): ClusterMappingEntry {
  if (!isJsonObject(entry)) return refuse(['clusters', index], entry, 'a cluster');
  if (text.read(entry['name']) === undefined) {
    return refuse(['clusters', index, 'name'], entry['name'] ?? null, "a profile's name");
  }
  const known: Record<string, unknown> = {};
  for (const [field, { read, allowed }] of Object.entries(fields)) {
    const value = entry[field];
    // An empty field is one that was left out.
    if (value === undefined || value === null || value === '') continue;
    const meant = read(value);
    if (meant === undefined) refuse(['clusters', index, field], value, allowed);
    known[field] = meant;
  }
  return known as unknown as ClusterMappingEntry;
}

function fieldName(path: readonly (string | number)[]): string {
  return path
    .map((step, index) =>
      typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`,
    )
    .join('');
}

/** The document as it will stand: what we know replaced, what we do not know kept, each with its own cluster. */
function merged(
  document: Record<string, unknown>,
  { hubContext, clusters }: ClusterMapping,
): Record<string, unknown> {
  const { hubContext: _, clusters: before, ...others } = document;
  const unclaimed = (Array.isArray(before) ? before : []).filter(isJsonObject);
  const claim = ({ name, namespace }: ClusterMappingEntry): Record<string, unknown> => {
    const index = unclaimed.findIndex(
      (each) => each['name'] === name && (each['namespace'] ?? undefined) === namespace,
    );
    const [entry = {}] = index < 0 ? [] : unclaimed.splice(index, 1);
    return Object.fromEntries(Object.entries(entry).filter(([key]) => !Object.hasOwn(fields, key)));
  };
  return {
    ...others,
    apiVersion: API_VERSION,
    kind: 'ClusterMapping',
    ...(hubContext === undefined ? {} : { hubContext }),
    clusters: clusters.map((entry) => ({ ...claim(entry), ...entry })),
  };
}

/** The comment that a file begins with. */
function headOf(source: string): string {
  return /^(?:#[^\n]*\n|[ \t]*\n)*/.exec(source)?.[0] ?? '';
}
