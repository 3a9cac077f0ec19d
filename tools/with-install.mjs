// Runs one of the TypeScript tools beside this file: `node tools/with-install.mjs tools/NAME.ts ARGS`.
import { mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureInstalled, root } from './install.mjs';

ensureInstalled();
const { bundle } = await import('./bundle.mjs');
const [, , entry, ...args] = process.argv;
const outdir = join(root, '.cache', 'tools', `${basename(entry, '.ts')}-${process.pid}`);
mkdirSync(outdir, { recursive: true });
process.on('exit', () => rmSync(outdir, { recursive: true, force: true }));
await bundle({ entries: [entry], outdir, splitting: false });
process.argv = [process.argv[0], join(root, entry), ...args];
try {
  await import(pathToFileURL(join(outdir, `${basename(entry, '.ts')}.mjs`)).href);
} catch (error) {
  // What is written for people needs no stack; everything else is a bug of ours.
  const { name, message = '', code = '' } = error;
  const isForPeople =
    // Not V8's own, such as "Cannot read properties of undefined".
    (name === 'Error' && message.startsWith('Cannot ')) ||
    String(code).startsWith('ERR_PARSE_ARGS');
  if (!isForPeople) throw error;
  console.error(message);
  process.exitCode = 1;
}
