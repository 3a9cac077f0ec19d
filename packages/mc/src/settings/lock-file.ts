import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import type { Clock } from '@flotilla/machinery';
import { UsageError } from '../usage-error.ts';

const POLL_MS = 25;
/** Nobody holds it longer for one file; what is older on another machine was left behind. */
const ABANDONED_MS = 60_000;
const PATIENCE_MS = 10_000;

/** Who holds a lock. */
interface Holder {
  readonly pid: number;
  readonly host: string;
}

/** How a lock is waited for. */
export interface LockOptions {
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs `action` while no other process that asks for the lock of `path` does, on this machine or on another that shares
 * the folder. A lock whose holder was killed is taken over.
 */
export async function withLock<T>(
  path: string,
  { clock, signal }: LockOptions,
  action: () => Promise<T>,
): Promise<T> {
  const lock = `${path}.lock`;
  await mkdir(dirname(lock), { recursive: true, mode: 0o700 });
  const started = clock.elapsed();
  while (!(await take(lock))) {
    await removeAbandoned(lock, clock);
    if (clock.elapsed() - started > PATIENCE_MS) {
      throw new UsageError(
        `Cannot write "${path}": another process has held "${lock}" for ${PATIENCE_MS / 1000} s; remove it if there is none`,
      );
    }
    await clock.wait(POLL_MS, signal);
  }
  try {
    return await action();
  } finally {
    await rm(lock, { force: true });
  }
}

/** By a link to a file that is whole already: a lock that does not tell its holder could not be taken over. */
async function take(lock: string): Promise<boolean> {
  const holder: Holder = { pid: process.pid, host: hostname() };
  const draft = `${lock}.${randomBytes(6).toString('hex')}.tmp`;
  await writeFile(draft, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
  try {
    await link(draft, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Only one process at a time looks whether a lock is abandoned and removes it: two that both found it so would
 * otherwise remove each other's new one.
 */
async function removeAbandoned(lock: string, clock: Clock): Promise<void> {
  if (!(await isAbandoned(lock, clock))) return;
  const guard = `${lock}.break`;
  if (!(await take(guard))) {
    if (await isAbandoned(guard, clock)) await rm(guard, { force: true });
    return;
  }
  try {
    if (await isAbandoned(lock, clock)) await rm(lock, { force: true });
  } finally {
    await rm(guard, { force: true });
  }
}

async function isAbandoned(lock: string, clock: Clock): Promise<boolean> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readText(lock), stat(lock)]);
    const holder = holderOf(text);
    if (holder?.host === hostname()) return !isRunning(holder.pid);
    return clock.now() - mtimeMs > ABANDONED_MS;
  } catch (error) {
    // It was released meanwhile.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** kubectl's own locks of kubeconfigs are of this name, too, and nobody may read them: only their age tells. */
async function readText(lock: string): Promise<string> {
  try {
    return await readFile(lock, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return '';
    throw error;
  }
}

/** Undefined for files that somebody else has put there. */
function holderOf(text: string): Holder | undefined {
  try {
    const { pid, host } = JSON.parse(text) as Partial<Holder>;
    return Number.isInteger(pid) && typeof host === 'string'
      ? { pid: Number(pid), host }
      : undefined;
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Someone else's process is one, too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
