import { cpSync, existsSync, readdirSync } from 'node:fs';
import * as module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const { enableCompileCache } = module;
const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..', '..');
const dist = join(here, '..', 'dist');
const tools = (name) => import(pathToFileURL(join(root, 'tools', name)).href);
/** Built together, because they share most of what they are made of. */
const ENTRIES = {
  flotilla: 'packages/cli/src/main.ts',
  'kube-apiserver': 'packages/cli/src/kube-apiserver/main.ts',
};
const DATA = 'packages/apiserver/data';

/** Runs a command of this package: its bundle, built anew when a source file changed. */
export async function launch(name) {
  // An installed copy has nothing to build from and runs what it was shipped with.
  if (!existsSync(join(here, '..', 'src'))) {
    enableCompileCache?.(join(dist, 'current', 'compile-cache'));
    await import(pathToFileURL(join(dist, 'current', `${name}.mjs`)).href);
    return;
  }
  const { launch: launchBundle } = await tools('launch.mjs');
  await launchBundle({ name, dist, build });
}

async function build(folder) {
  const { bundle } = await tools('bundle.mjs');
  const sources = await bundle({
    entries: ENTRIES,
    outdir: folder,
    sourcemap: false,
    shipped: true,
  });
  cpSync(join(root, DATA), join(folder, 'data'), { recursive: true });
  // Folders too: their time changes with what is put into them.
  const data = readdirSync(join(root, DATA), { recursive: true }).map((name) => join(DATA, name));
  return [...sources, DATA, ...data];
}
