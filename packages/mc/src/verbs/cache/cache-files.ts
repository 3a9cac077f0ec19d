import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { formatColumns, humanDuration, isJsonObject } from '@flotilla/machinery';
import { readCachedFile } from '../../inventory/inventory-cache.ts';
import { printableCell } from '../../text/printable.ts';

/** What is kept, each in a folder of its own: answers of hubs, what servers serve, what completion showed, credentials. */
export const CACHE_KINDS = ['inventory', 'discovery', 'completion', 'credentials'] as const;

/** What is kept. */
export type CacheKind = (typeof CACHE_KINDS)[number];

/** One file. */
export interface CacheFile {
  readonly kind: CacheKind;
  readonly file: string;
  readonly bytes: number;
  /** Undefined when the clock was set back meanwhile. */
  readonly ageMs: number | undefined;
  /** Whose answer it is; nothing is said of credentials. */
  readonly server?: string;
  readonly clusters?: number;
}

/** A cache file of ours; and what a run that was killed may have left of one. */
const OURS = /\.json(\.[0-9a-f]+\.tmp)?$/;

/** Longer ones are listed, not read. */
const MAX_BYTES = 64 << 20;

/** Everything that is kept, in the order of kinds and names. */
export async function listCache(folder: string, now: number): Promise<CacheFile[]> {
  const files: CacheFile[] = [];
  for (const kind of CACHE_KINDS) {
    for (const name of await namesIn(join(folder, kind))) {
      const file = join(folder, kind, name);
      try {
        const { size, mtimeMs } = await stat(file);
        const isRead = kind !== 'credentials' && size <= MAX_BYTES;
        const said = isRead ? await saidBy({ kind, name, folder }) : {};
        const savedAt = said.savedAt ?? Math.trunc(mtimeMs);
        const { server, clusters } = said;
        files.push({
          kind,
          file,
          bytes: size,
          ageMs: savedAt > now ? undefined : now - savedAt,
          ...(server === undefined ? {} : { server }),
          ...(clusters === undefined ? {} : { clusters }),
        });
      } catch (error) {
        // Another run may have removed it just now.
        if (codeOf(error) !== 'ENOENT') throw error;
      }
    }
  }
  return files;
}

/** Removes files of these kinds, and nothing that is not ours; the number of files. */
export async function clearCache(folder: string, kinds: readonly CacheKind[]): Promise<number> {
  let count = 0;
  for (const kind of kinds) {
    for (const name of await namesIn(join(folder, kind))) {
      await rm(join(folder, kind, name), { force: true });
      count += 1;
    }
  }
  return count;
}

/** For people. */
export function cacheTable(files: readonly CacheFile[], hasHeaders: boolean): string {
  const rows = files.map(({ kind, server, clusters, ageMs, bytes, file }) => [
    kind,
    printableCell(server || '<none>'),
    clusters === undefined ? '<none>' : String(clusters),
    ageMs === undefined ? '<unknown>' : humanDuration(ageMs),
    sizeText(bytes),
    printableCell(file),
  ]);
  const headers = ['KIND', 'SERVER', 'CLUSTERS', 'AGE', 'SIZE', 'FILE'];
  return formatColumns(hasHeaders ? [headers, ...rows] : rows);
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => OURS.test(name)).sort();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** What a file says of itself; nothing when it is damaged, which whoever uses it finds out, too. */
async function saidBy({
  kind,
  name,
  folder,
}: {
  readonly kind: CacheKind;
  readonly name: string;
  readonly folder: string;
}): Promise<{ server?: string; savedAt?: number; clusters?: number }> {
  if (kind === 'inventory') {
    const kept = readCachedFile(join(folder, kind, name));
    if (kept === undefined) return {};
    const { server, savedAt, profiles } = kept.hub;
    return { server, savedAt, clusters: profiles.length };
  }
  const text = await readFile(join(folder, kind, name), 'utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return {};
  }
  if (!isJsonObject(value)) return {};
  const { server, savedAt } = value;
  return {
    ...(typeof server === 'string' ? { server } : {}),
    ...(typeof savedAt === 'number' ? { savedAt } : {}),
  };
}

function codeOf(error: unknown): unknown {
  return (error as NodeJS.ErrnoException).code;
}

function sizeText(bytes: number): string {
  if (bytes < 1_024) return `${bytes}B`;
  const kib = bytes / 1_024;
  return kib < 1_024 ? `${kib.toFixed(0)}Ki` : `${(kib / 1_024).toFixed(1)}Mi`;
}
