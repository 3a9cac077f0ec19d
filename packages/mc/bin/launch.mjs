import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const tools = join(here, '..', '..', '..', 'tools');
const dist = join(here, '..', 'dist');

/** Runs kubectl-mc: its bundle, built anew when a source file changed. */
export async function launch() {
  // An installed copy has nothing to build from and runs what it was shipped with.
  if (!existsSync(join(here, '..', 'src'))) {
    await import(pathToFileURL(join(dist, 'kubectl-mc.mjs')).href);
    return;
  }
  const { launch: launchBundle } = await import(pathToFileURL(join(tools, 'launch.mjs')).href);
  await launchBundle({ name: 'kubectl-mc', dist, build });
}

async function build(folder) {
  const { bundleMc } = await import(pathToFileURL(join(tools, 'build-mc.mjs')).href);
  return await bundleMc(folder);
}
