import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

/** A file system of a few megabytes; undefined where this user cannot mount one. */
export function mountTmpfs(
  path: string,
  size: string,
): ({ readonly path: string } & Disposable) | undefined {
  mkdirSync(path, { recursive: true });
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path]);
  if (status !== 0) return undefined;
  return { path, [Symbol.dispose]: () => void spawnSync('umount', ['-l', path]) };
}
