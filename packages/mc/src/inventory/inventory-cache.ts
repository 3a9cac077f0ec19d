import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type KeptRecord, withAuthorities, withoutAuthorities } from './cached-authorities.ts';
import type { ProfileRecord } from './profile-record.ts';

/** What a hub said, and when. */
export interface CachedHub {
  readonly savedAt: number;
  /** For people. */
  readonly server: string;
  readonly profiles: readonly ProfileRecord[];
  /** By namespace; absent until somebody asked for it. */
  readonly clustersets?: Readonly<Record<string, string>> | undefined;
}

/** Raised when the form of the files changes; files of another form do not count. */
const FORM = 3;

/** A thousand profiles with their authorities need a twentieth of it. */
const MAX_BYTES = 64 << 20;

/** Longest that anything is taken from a file because its hub is down. */
export const MAX_STALE_MS = 24 * 3_600_000;

/** The folder of the files, below the cache folder. */
export function inventoryFolder(cache: string): string {
  return join(cache, 'inventory');
}

/** Two keys with one name are no harm: each finds that the file is not its own. */
function fileOf(cache: string, key: string): string {
  return join(inventoryFolder(cache), `${crc32(key).toString(16).padStart(8, '0')}.json`);
}

/** What was kept of a hub; undefined when there is nothing that can be used. */
export function readCachedHub(cache: string, key: string): CachedHub | undefined {
  const kept = readCachedFile(fileOf(cache, key));
  return kept?.key === key ? kept.hub : undefined;
}

/** The same of any file, and the key it was kept under. */
export function readCachedFile(file: string): { key: string; hub: CachedHub } | undefined {
  try {
    return decode(readOwn(file));
  } catch {
    return undefined;
  }
}

/**
 * Keeps what a hub said. Readers see the old file or the new one, never half of one; of two writers the last counts.
 * Throws what the disk says when it does not work.
 */
export async function writeCachedHub(cache: string, key: string, hub: CachedHub): Promise<void> {
  const file = fileOf(cache, key);
  const draft = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await mkdir(inventoryFolder(cache), { recursive: true, mode: 0o700 });
    await writeFile(draft, encode(key, hub), { mode: 0o600, flag: 'wx' });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw error;
  }
}

/** Forgets what a hub said. */
export async function dropCachedHub(cache: string, key: string): Promise<void> {
  await rm(fileOf(cache, key), { force: true });
}

/** Forgets what all hubs said; the number of hubs. */
export async function dropCachedHubs(cache: string): Promise<number> {
  const folder = inventoryFolder(cache);
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
  // Drafts that a killed run left behind go with them.
  const ours = names.filter((name) => /\.json(\.[0-9a-f]+\.tmp)?$/.test(name));
  await Promise.all(ours.map((name) => rm(join(folder, name), { force: true })));
  return ours.filter((name) => name.endsWith('.json')).length;
}

/**
 * How old it is; undefined when a clock was set back meanwhile, and nobody knows.
 */
export function ageOf({ savedAt }: CachedHub, now: number): number | undefined {
  return savedAt > now ? undefined : now - savedAt;
}

/** Whether it still counts as what the hub would say. */
export function isFresh(hub: CachedHub, now: number, ttlMs: number): boolean {
  const age = ageOf(hub, now);
  return age !== undefined && age < ttlMs;
}

/** Whether it may stand in for a hub that is down. */
export function mayStandIn(hub: CachedHub, now: number): boolean {
  return Math.abs(now - hub.savedAt) <= MAX_STALE_MS;
}

/**
 * Whoever could have written it could lead our credentials astray: a file that is not ours alone does not count.
 * Nothing else can be done before it is read, and so it is read without a detour through other threads.
 */
function readOwn(file: string): Buffer {
  // Windows has neither.
  const careful = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = openSync(file, constants.O_RDONLY | careful);
  try {
    const { size, mode, uid } = fstatSync(handle);
    const isOthers = process.getuid !== undefined && uid !== process.getuid();
    if (process.platform !== 'win32' && (isOthers || (mode & 0o022) !== 0)) {
      throw new Error(`Cannot use "${file}": others may write it`);
    }
    if (size > MAX_BYTES) throw new RangeError(`Cannot use "${file}": it has ${size} bytes`);
    return readFileSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** A line that vouches for the rest, a line of JSON, and the authorities that it points to. */
function encode(key: string, { profiles, ...hub }: CachedHub): string {
  const { records, authorities } = withoutAuthorities(profiles);
  const rest = `${JSON.stringify({ key, ...hub, profiles: records })}\n${authorities}`;
  return `${headOf(rest)}\n${rest}`;
}

/** What was cut or edited does not count. The rest is as it was written, and need not be looked through. */
function decode(bytes: Buffer): { key: string; hub: CachedHub } | undefined {
  const start = bytes.indexOf('\n') + 1;
  const rest = bytes.subarray(start);
  if (bytes.toString('latin1', 0, start) !== `${headOf(rest)}\n`) return undefined;
  const text = rest.toString();
  const end = text.indexOf('\n');
  const { key, profiles, ...hub } = JSON.parse(text.slice(0, end)) as Kept;
  return { key, hub: { ...hub, profiles: withAuthorities(profiles, text.slice(end + 1)) } };
}

interface Kept extends Omit<CachedHub, 'profiles'> {
  readonly key: string;
  readonly profiles: readonly KeptRecord[];
}

function headOf(rest: string | Buffer): string {
  return `kubectl-mc inventory, form ${FORM}, crc32 ${crc32(rest).toString(16)}`;
}
