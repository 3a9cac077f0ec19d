import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject } from '@flotilla/machinery';
import type { SurfaceHalf, SurfaceHalves } from './fetch-surface.ts';

/** What a server served, and when it said so. */
export interface CachedSurface {
  readonly savedAt: number;
  readonly halves: SurfaceHalves;
}

/** Remembers one server from one run of a program to the next. */
export interface SurfaceCache {
  /** Undefined when there is nothing that can be used. */
  readonly read: () => Promise<CachedSurface | undefined>;
  /** Failing is no reason to fail: the next run asks the server again. */
  readonly write: (cached: CachedSurface) => Promise<void>;
}

/** Raised when the form of the files changes; files of another form do not count. */
const FORM = 1;

/** Servers with thousands of CRDs need a tenth of it. */
const MAX_BYTES = 64 << 20;

/** A cache in a folder that may be shared by many servers and programs at once. */
export function diskCache(folder: string, server: string): SurfaceCache {
  const file = join(folder, `${serverKey(server)}.json`);
  return {
    read: async () => {
      try {
        return decode(await readSmall(file), server);
      } catch {
        return undefined;
      }
    },
    write: async (cached) => {
      // Readers see the old file or the new one: renaming replaces at once.
      const draft = `${file}.${randomBytes(6).toString('hex')}.tmp`;
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const text = JSON.stringify({ form: FORM, server, ...cached });
        await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
        await rename(draft, file);
      } catch {
        await rm(draft, { force: true }).catch(() => {});
      }
    },
  };
}

/**
 * A file name for a server: what people can recognise of its URL, and a hash of all of it, so that
 * no two servers share a file and no URL leads out of the folder.
 */
export function serverKey(server: string): string {
  const readable = server
    .replace(/^https?:\/\//, '')
    .replace(/[^A-Za-z0-9-]+/g, '_')
    .slice(0, 80);
  return `${readable}-${createHash('sha256').update(server).digest('hex').slice(0, 16)}`;
}

async function readSmall(file: string): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    if (size > MAX_BYTES) throw new RangeError(`Cannot use "${file}": it has ${size} bytes`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

function decode(text: string, server: string): CachedSurface | undefined {
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value) || value['form'] !== FORM || value['server'] !== server)
    return undefined;
  const { savedAt, halves } = value;
  if (typeof savedAt !== 'number' || !isJsonObject(halves)) return undefined;
  const { core, named } = halves;
  return isHalf(core) && isHalf(named) ? { savedAt, halves: { core, named } } : undefined;
}

/** Deep enough that everything later finds what it reads: a file may have been cut or edited. */
function isHalf(value: unknown): value is SurfaceHalf {
  if (!isJsonObject(value) || typeof value['etag'] !== 'string') return false;
  const { groups, failed } = value;
  return isList(failed, isText) && isList(groups, isGroup);
}

function isGroup(value: unknown): boolean {
  return isJsonObject(value) && isText(value['name']) && isList(value['versions'], isVersion);
}

function isVersion(value: unknown): boolean {
  return isJsonObject(value) && isText(value['version']) && isList(value['resources'], isResource);
}

function isResource(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { group, version, kind, plural, singular, namespaced } = value;
  return (
    [group, version, kind, plural, singular].every(isText) &&
    typeof namespaced === 'boolean' &&
    [value['shortNames'], value['categories'], value['verbs'], value['subresources']].every(
      (list) => isList(list, isText),
    )
  );
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isList(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}
