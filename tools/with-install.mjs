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
await import(pathToFileURL(join(outdir, `${basename(entry, '.ts')}.mjs`)).href);
