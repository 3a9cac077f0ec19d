import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@flotilla/machinery';

/** Longer than any helper takes: what is older was left by a run that was killed. */
const ABANDONED_MS = 10 * 60_000;

/**
 * A folder for the kubeconfigs that helpers write, which may hold keys: for its owner alone, gone at the end, and what
 * killed runs left behind goes with it.
 */
export async function helperFolder(
  cache: string,
  clock: Clock,
): Promise<AsyncDisposable & { readonly path: string }> {
  const parent = join(cache, 'setup');
  await mkdir(parent, { recursive: true, mode: 0o700 });
  for (const name of await readdir(parent)) {
    const path = join(parent, name);
    const age = clock.now() - (await stat(path).catch(() => ({ mtimeMs: clock.now() }))).mtimeMs;
    if (age > ABANDONED_MS) await rm(path, { recursive: true, force: true });
  }
  const path = await mkdtemp(join(parent, 'run-'));
  return {
    path,
    [Symbol.asyncDispose]: async () => await rm(path, { recursive: true, force: true }),
  };
}
