import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isJsonObject, ParseError, parseYamlDocuments } from '@flotilla/machinery';
import type { FleetCluster } from '../fleet/cluster.ts';
import { UsageError } from '../usage-error.ts';
import { fieldOf, pairsOf, shortText } from './fields.ts';
import { clusterOfContext } from './from-kubeconfig.ts';
import type { InventoryDeps } from './inventory-deps.ts';
import { byNameOrder, type FoundProfile, mergeProfiles } from './merge-profiles.ts';
import { offerOf } from './read-offers.ts';
import { readProfile } from './read-profile.ts';

const MAX_BYTES = 64 << 20;
const MAX_NAME = 253;
const LIMITS = { count: 1_024, name: 512, value: 16_384 };

/**
 * Clusters of a file of the user's own, in YAML or JSON: ClusterProfiles, a list of them as `kubectl get -o yaml` prints
 * it, or a plain list whose entries are names of contexts or `{name, context, server, …}`.
 */
export async function clustersOfFile(
  path: string,
  io: Pick<InventoryDeps['io'], 'homeFolder' | 'cwd'>,
): Promise<FleetCluster[]> {
  const file = path.startsWith('~/') ? join(io.homeFolder, path.slice(2)) : resolve(io.cwd, path);
  const profiles: FoundProfile[] = [];
  const clusters: FleetCluster[] = [];
  for (const [at, entry] of (await entriesOf(file)).entries()) {
    const isProfile = isJsonObject(entry) && isJsonObject(entry['metadata']);
    if (isProfile) {
      const record = readProfile(entry);
      if (record === undefined) throw unusable(file, at, 'metadata.name is no name of a cluster');
      profiles.push({ record, hub: '' });
    } else {
      clusters.push(plainCluster(entry, { file, at }));
    }
  }
  const all = [...mergeProfiles(profiles), ...clusters];
  const names = new Set<string>();
  for (const { name } of all) {
    if (names.has(name)) throw unusable(file, undefined, `it has two clusters "${name}"`);
    names.add(name);
  }
  return all.sort(byNameOrder);
}

async function entriesOf(file: string): Promise<unknown[]> {
  let text: Buffer;
  try {
    const { size } = await stat(file);
    if (size > MAX_BYTES) throw unusable(file, undefined, `it has ${size} bytes`);
    text = await readFile(file);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`Cannot read inventory "${file}": ${(error as Error).message}`);
  }
  try {
    return parseYamlDocuments(text).flatMap(({ value }) => flattened(value));
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new UsageError(`Cannot read inventory "${file}": ${error.message}`);
  }
}

function flattened(value: unknown): unknown[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value as unknown[];
  for (const field of ['items', 'clusters']) {
    const list = fieldOf(value, field);
    if (Array.isArray(list)) return list as unknown[];
  }
  return [value];
}

function plainCluster(entry: unknown, { file, at }: { file: string; at: number }): FleetCluster {
  if (typeof entry === 'string' && entry !== '') return clusterOfContext(entry);
  if (!isJsonObject(entry)) throw unusable(file, at, 'it is neither a name nor a cluster');
  const name = shortText(entry['name'], MAX_NAME);
  if (name === undefined) throw unusable(file, at, 'name is missing');
  const offer = entry['server'] === undefined ? undefined : offerOf('file', entry);
  const context = shortText(entry['context'], 4_096) ?? (offer === undefined ? name : undefined);
  const aliases = Array.isArray(entry['aliases'])
    ? entry['aliases'].filter((each): each is string => typeof each === 'string')
    : [];
  return {
    name,
    aliases: [...new Set([...aliases, shortText(entry['displayName'], MAX_NAME) ?? name])].filter(
      (each) => each !== name,
    ),
    labels: pairsOf(entry['labels'], LIMITS),
    properties: pairsOf(entry['properties'], LIMITS),
    version: shortText(entry['version'], MAX_NAME) ?? '',
    health: 'unknown',
    offers: offer === undefined ? [] : [offer],
    ...(context === undefined ? {} : { context }),
  };
}

function unusable(file: string, at: number | undefined, why: string): UsageError {
  const place = at === undefined ? '' : `entry ${at + 1}: `;
  return new UsageError(`Cannot use inventory "${file}": ${place}${why}`);
}
