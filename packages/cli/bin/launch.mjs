import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import * as module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const { enableCompileCache } = module;
const OLDEST_NODE = [20, 19];
const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..', '..');
const dist = join(here, '..', 'dist');
/** Built together, because they share most of what they are made of. */
const ENTRIES = {
  flotilla: 'packages/cli/src/main.ts',
  'kube-apiserver': 'packages/cli/src/kube-apiserver/main.ts',
};

/** Runs a command of this package: its bundle, built anew when a source file changed. */
export async function launch(name) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
    console.error(`Cannot run on Node ${process.version}: Flotilla needs 20.19 or newer`);
    process.exit(1);
  }
  const bundleFolder = await freshBundle(name);
  // From Node 22 on, a third of the start is saved; where the folder cannot be written, nothing is.
  enableCompileCache?.(join(bundleFolder, 'compile-cache'));
  await import(pathToFileURL(join(bundleFolder, `${name}.mjs`)).href);
}

/** An installed copy without sources has nothing to build from and runs what it was shipped with. */
async function freshBundle(name) {
  const sources = join(root, 'packages');
  const current = join(dist, 'current');
  if (!existsSync(join(sources, 'cli', 'src'))) return current;
  const wanted = fingerprint(sources);
  const target = join(dist, wanted);
  if (!existsSync(join(target, `${name}.mjs`))) await build(name, target);
  for (const old of readdirSync(dist)) {
    // Builds that were killed are left under another name.
    if (
      old !== wanted &&
      /^[0-9a-z]+-[0-9a-z]+(\.\d+\.tmp)?$/.test(old) &&
      isOld(join(dist, old))
    ) {
      rmSync(join(dist, old), { recursive: true, force: true });
    }
  }
  return target;
}

/** Two starts may race: each builds aside and renames; whoever comes second finds the place taken and uses it. */
async function build(name, target) {
  const { bundle } = await import(pathToFileURL(join(root, 'tools', 'bundle.mjs')).href);
  const aside = `${target}.${process.pid}.tmp`;
  mkdirSync(aside, { recursive: true });
  try {
    await bundle({
      entries: ENTRIES,
      outdir: aside,
      sourcemap: false,
      shipped: true,
    });
    cpSync(join(root, 'packages/apiserver/data'), join(aside, 'data'), { recursive: true });
    renameSync(aside, target);
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    if (!existsSync(join(target, `${name}.mjs`))) throw error;
  }
}

const HOUR_MS = 3_600_000;
const isOld = (folder) => Date.now() - statSync(folder).mtimeMs > HOUR_MS;

/** Newest change and number of all files a bundle is made from: cheap, and different whenever one is touched. */
function fingerprint(sources) {
  let newest = 0;
  let files = 0;
  const visit = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.name === 'node_modules' || entry.name === 'dist') continue;
      if (entry.name.endsWith('test.ts')) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) visit(path);
      else {
        files += 1;
        newest = Math.max(newest, Math.floor(statSync(path).mtimeMs));
      }
    }
  };
  visit(sources);
  const lock = statSync(join(root, 'package-lock.json')).mtimeMs;
  return `${Math.max(newest, Math.floor(lock)).toString(36)}-${files.toString(36)}`;
}
