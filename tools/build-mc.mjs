// `node tools/build-mc.mjs [FOLDER]`: writes kubectl-mc.mjs, one file that runs by itself from anywhere and under any
// name, and the kubectl_complete-mc.mjs that kubectl looks for when TAB is pressed. The folder is packages/mc/dist
// unless said.
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { ensureInstalled, root } from './install.mjs';
import { packScript } from './pack-script.mjs';

const COMPLETE = `#!/usr/bin/env node
process.argv.splice(2, 0, '__complete', '--');
await import('./kubectl-mc.mjs');
`;

/** Writes both files into a folder; tells the files that they were made from. */
export async function bundleMc(folder) {
  const { code, inputs } = await packScript('kubectl-mc', 'packages/mc/src/main.ts');
  mkdirSync(folder, { recursive: true });
  writeProgram(join(folder, 'kubectl-mc.mjs'), code);
  writeProgram(join(folder, 'kubectl_complete-mc.mjs'), COMPLETE);
  return [...inputs, 'tools/build-mc.mjs'];
}

/** Builds the release form and tells the path of `kubectl-mc.mjs`. */
export async function buildMc(folder = join(root, 'packages/mc/dist')) {
  await bundleMc(folder);
  return join(folder, 'kubectl-mc.mjs');
}

/** By a rename: another process may be starting the one that is there. */
function writeProgram(path, code) {
  const draft = `${path}.${process.pid}.tmp`;
  writeFileSync(draft, code);
  chmodSync(draft, 0o755);
  renameSync(draft, path);
}

// Not by import.meta: tests that import this are bundled with it.
if (basename(process.argv[1] ?? '') === 'build-mc.mjs') {
  ensureInstalled();
  const [, , folder] = process.argv;
  console.log(await buildMc(folder === undefined ? undefined : resolve(folder)));
}
