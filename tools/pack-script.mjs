// Packs a program with everything it is made of into one file that Node runs under any name, as ES module or not.
//
// Start-up is what it is for. V8 reads every function of a script before it runs the first, and a module of Node that
// is imported anywhere in an ES module is loaded before its first line. So the program is split as esbuild splits it,
// along its `import()`s, and each piece is kept as a text: it costs nothing until something in it is needed.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, transform } from 'esbuild';
import { directImports } from './direct-imports.mjs';
import { root } from './install.mjs';

const LOADER = 'tools/script-loader.cjs';

/** Our modules do nothing when they are loaded, so one that nobody uses a name of need not be loaded. */
const nothingAtImport = {
  name: 'nothing-at-import',
  setup: ({ onResolve, resolve }) => {
    onResolve({ filter: /^(\.|@flotilla\/)/ }, async ({ path, pluginData, ...where }) => {
      if (pluginData === 'resolving') return undefined;
      const { resolveDir, importer, kind } = where;
      const found = await resolve(path, { resolveDir, importer, kind, pluginData: 'resolving' });
      const isOurs = found.path.startsWith(`${root}/packages/`);
      return isOurs && kind !== 'entry-point' ? { ...found, sideEffects: false } : found;
    });
  },
};

/**
 * @param {string} name of the program: of its folder in the cache, and of its pieces in stacks
 * @param {string} entry a TypeScript file, from the root of the checkout
 * @returns {Promise<{code: string, inputs: string[]}>} the script, and the files it was made from
 */
export async function packScript(name, entry) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: { main: entry },
    outdir: 'pieces',
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [directImports(root), nothingAtImport],
  });
  const pieces = {};
  for (const { path, text } of outputFiles) {
    const { code } = await transform(text, {
      format: 'cjs',
      platform: 'node',
      target: 'node20',
      minify: true,
      legalComments: 'none',
      // An import() in a text would need a loader of its own; a require() does the same here.
      supported: { 'dynamic-import': false },
    });
    pieces[nameOf(path)] = refuseWideText(code.trimEnd());
  }
  const inputs = [...Object.keys(metafile.inputs), 'tools/pack-script.mjs', LOADER];
  return { code: await scriptOf(name, pieces), inputs };
}

const nameOf = (path) => path.slice(path.lastIndexOf('/') + 1);

/** The pieces as texts, and what loads them. */
async function scriptOf(name, pieces) {
  const texts = Object.entries(pieces).map(
    ([piece, code]) => `${JSON.stringify(`./${piece}`)}:${JSON.stringify(code)}`,
  );
  const id = createHash('sha256').update(texts.join()).digest('hex').slice(0, 16);
  const source = await readFile(join(root, LOADER), 'utf8');
  const { code: loader } = await transform(source, { minify: true, target: 'node20' });
  return `#!/usr/bin/env node
((name,id,pieces)=>{${loader.trimEnd()}})(${JSON.stringify(name)},${JSON.stringify(id)},{
${texts.join(',\n')}
});
`;
}

/** One character beyond Latin-1, and V8 keeps the whole file at two bytes for each. */
function refuseWideText(code) {
  // esbuild escapes texts, but leaves regular expressions as they are.
  const wide = /[^\0-\x7f].*/.exec(code);
  if (wide) throw new Error(`Write this as an escape (\\uXXXX): ${wide[0].slice(0, 60)}`);
  return code;
}
