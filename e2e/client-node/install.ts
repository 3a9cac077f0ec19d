// @kubernetes/client-node is no dependency of ours: it is installed beside the checkout's own packages
// and outside the lockfile, with its version pinned here.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Json } from '../api.ts';

const VERSION = '1.4.0';
const FOLDER = join(FLOTILLA_ROOT, '.cache', 'client-node');
const PACKAGE = join(FOLDER, 'node_modules', '@kubernetes', 'client-node');

/** Installs the client where it is missing. */
export function installClient(): void {
  if (installedVersion() === VERSION) return;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, 'package.json'), '{"private": true}\n');
  const flags = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
  execFileSync(
    'npm',
    ['install', '--prefix', FOLDER, ...flags, `@kubernetes/client-node@${VERSION}`],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
}

/** The client's module. */
export async function importClient(): Promise<Json> {
  if (installedVersion() !== VERSION)
    throw new Error('Cannot import client-node: install it first');
  return import(pathToFileURL(join(PACKAGE, 'dist', 'index.js')).href);
}

function installedVersion(): string | undefined {
  const manifest = join(PACKAGE, 'package.json');
  if (!existsSync(manifest)) return undefined;
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return version;
}
