// Runs a command of this checkout: its bundle, built anew when a file it was made from has changed.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import * as module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const { enableCompileCache } = module;
const OLDEST_NODE = [20, 19];
const HOUR_MS = 3_600_000;
// As install.mjs finds it, which would load more than a start should.
const root =
  typeof FLOTILLA_ROOT === 'string'
    ? FLOTILLA_ROOT
    : dirname(dirname(fileURLToPath(import.meta.url)));

/** Ends a process whose Node is too old to read our code. */
export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  console.error(`Cannot run on Node ${process.version}: Flotilla needs 20.19 or newer`);
  process.exit(1);
}

/**
 * Runs `NAME.mjs` of a bundle.
 *
 * @param {{name: string, dist: string, build: (folder: string) => Promise<string[]>}} options
 *   `build` writes the bundle into a folder and tells the files and folders it was made from, from the root.
 */
export async function launch({ name, dist, build }) {
  checkNode();
  await runBundle(name, await freshBundle(name, dist, build));
}

/** Runs a bundle that is there. */
export async function runBundle(name, folder) {
  // From Node 22 on, a third of the start is saved; where the folder cannot be written, nothing is.
  enableCompileCache?.(join(folder, 'compile-cache'));
  await import(pathToFileURL(join(folder, `${name}.mjs`)).href);
}

/**
 * The folder with a bundle of the sources as they are now, of which one file is `NAME.mjs`.
 *
 * Two starts may race: each builds a folder of its own, and the last one to end is the one that later starts find.
 * Folders that others may still run from stay for an hour.
 */
export async function freshBundle(name, dist, build) {
  const pointer = join(dist, 'latest');
  const latest = read(pointer);
  if (latest !== undefined && isFresh(name, join(dist, latest))) return join(dist, latest);

  const id = `${Date.now().toString(36)}-${process.pid.toString(36)}`;
  const folder = join(dist, id);
  mkdirSync(folder, { recursive: true });
  try {
    const begun = Date.now();
    const inputs = ['package-lock.json', 'tools/bundle.mjs', ...(await build(folder))];
    writeFileSync(
      join(folder, 'inputs.json'),
      JSON.stringify(inputs.map((path) => note(path, begun))),
    );
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  writeFileSync(`${pointer}.${id}.tmp`, id);
  renameSync(`${pointer}.${id}.tmp`, pointer);
  prune(dist, id);
  return folder;
}

/**
 * Looks at what the bundle was made from, and at nothing else: a file that is new matters only once another one
 * imports it.
 */
function isFresh(name, folder) {
  const inputs = read(join(folder, 'inputs.json'));
  if (inputs === undefined || !existsSync(join(folder, `${name}.mjs`))) return false;
  return JSON.parse(inputs).every(([path, mtimeMs, size]) => {
    const now = statSync(join(root, path), { throwIfNoEntry: false });
    return now !== undefined && now.mtimeMs === mtimeMs && now.size === size;
  });
}

/** A file that changed while it was built may be in the bundle as it was before: it counts as changed. */
function note(path, begun) {
  const { mtimeMs, size } = statSync(join(root, path));
  return [path, mtimeMs >= begun ? 0 : mtimeMs, size];
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function prune(dist, kept) {
  for (const old of readdirSync(dist)) {
    if (old === kept || !/^[0-9a-z]+-[0-9a-z]+(\.\d+\.tmp)?$/.test(old)) continue;
    const age = Date.now() - (statSync(join(dist, old), { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (age > HOUR_MS) rmSync(join(dist, old), { recursive: true, force: true });
  }
}
