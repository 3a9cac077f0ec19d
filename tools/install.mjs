// Installs the locked dependencies when the checkout has none, or others than the lockfile names.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// A bundled tool no longer lies in tools/, so the bundler tells it where the checkout is.
export const root =
  typeof FLOTILLA_ROOT === 'string'
    ? FLOTILLA_ROOT
    : dirname(dirname(fileURLToPath(import.meta.url)));

const OLDEST_NODE = [20, 19];

export function ensureInstalled() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
    console.error(`Cannot run on Node ${process.version}: Flotilla needs 20.19 or newer`);
    process.exit(1);
  }
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const stamp = join(root, 'node_modules', '.flotilla-lock');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  console.error('Installing dependencies (npm ci)');
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stamp, lock);
}
