import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join, resolve } from 'node:path';
import { isJsonObject } from '@flotilla/machinery';
import type { Session } from '../../../session.ts';
import type { Candidate } from '../completion.ts';

/** Raised when the form of the files changes. */
const FORM = 1;
const MAX_BYTES = 8 << 20;
/** What nobody asked for in this time is removed. */
const ABANDONED_MS = 3_600_000;

/** A question whose answer is kept for a while. */
export interface Remembered {
  /** The question itself, in words. */
  readonly what: readonly string[];
  readonly keptMs: number;
}

/**
 * What was found a moment ago, else what `find` finds now: the next key is pressed soon. Kept apart for everything that
 * decides what would be found: which fleet, who asks, and the files that say so. `find` gives undefined for what is not
 * worth keeping.
 */
export async function remember(
  { what, keptMs }: Remembered,
  session: Session,
  find: () => Promise<readonly Candidate[] | undefined>,
): Promise<readonly Candidate[]> {
  const folder = join(session.paths.cache, 'completion');
  const key = JSON.stringify([...what, await surroundings(session)]);
  const file = join(folder, `${createHash('sha256').update(key).digest('hex')}.json`);
  const kept = await read(file, session.io.clock.now(), keptMs);
  if (kept !== undefined) return kept;
  const found = await find();
  if (found !== undefined) await write(file, found, session.io.clock.now());
  return found ?? [];
}

/** Everything beside the question that the answer depends on. */
async function surroundings({ settings, io, paths }: Session): Promise<string> {
  const { hub, discovery, selection, access, kubectl } = settings;
  const listed = kubectl.kubeconfig ?? io.env['KUBECONFIG'];
  const kubeconfigs =
    listed === undefined || listed === ''
      ? [join(io.homeFolder, '.kube', 'config')]
      : listed.split(delimiter).map((each) => resolve(io.cwd, each));
  const files = await Promise.all([...kubeconfigs, paths.mapping].map(stampOf));
  return JSON.stringify([hub, discovery.api, selection, access, kubectl, files]);
}

async function stampOf(file: string): Promise<unknown> {
  try {
    const { mtimeMs, size, ino } = await stat(file);
    return [file, mtimeMs, size, ino];
  } catch {
    return [file];
  }
}

async function read(
  file: string,
  now: number,
  keptMs: number,
): Promise<readonly Candidate[] | undefined> {
  try {
    await using handle = await open(file, 'r');
    const { size } = await handle.stat();
    if (size > MAX_BYTES) return undefined;
    const value: unknown = JSON.parse(await handle.readFile('utf8'));
    if (!isJsonObject(value) || value['form'] !== FORM) return undefined;
    const { savedAt, found } = value;
    const age = typeof savedAt === 'number' ? now - savedAt : -1;
    // From the future only when a clock was set back.
    if (age < 0 || age >= keptMs || !Array.isArray(found)) return undefined;
    return found.flatMap((each: unknown) =>
      Array.isArray(each) && typeof each[0] === 'string'
        ? [{ value: each[0], description: String(each[1] ?? '') }]
        : [],
    );
  } catch {
    return undefined;
  }
}

/** Failing is no reason to fail: the next time is only slower. */
async function write(file: string, found: readonly Candidate[], now: number): Promise<void> {
  const folder = dirname(file);
  const draft = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  const text = JSON.stringify({
    form: FORM,
    savedAt: now,
    found: found.map(({ value, description = '' }) => [value, description]),
  });
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
    await rename(draft, file);
    await removeAbandoned(folder, now);
  } catch {
    await rm(draft, { force: true }).catch(() => {});
  }
}

async function removeAbandoned(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path);
    if (now - mtimeMs > ABANDONED_MS) await rm(path, { force: true });
  }
}
