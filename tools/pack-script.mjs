// Packs a program with everything it is made of into one file that Node runs under any name, as ES module or not.
//
// Start-up is what it is for. V8 reads every function of a script before it runs the first, and a module of Node that
// is imported anywhere in an ES module is loaded before its first line. So the program is split as esbuild splits it,
// along its `import()`s, and each piece is kept as a comment: it costs nothing until something in it is needed.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { build, transform } from 'esbuild';
import { directImports } from './direct-imports.mjs';
import { root } from './install.mjs';
import { isFile, lateBuiltins } from './late-builtins.mjs';

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
    plugins: [directImports(root), lateBuiltins, nothingAtImport],
  });
  const pieces = Object.fromEntries(
    outputFiles.map(({ path, text }) => [nameOf(path), refuseWideText(pieceOf(text.trimEnd()))]),
  );
  const tools = ['tools/pack-script.mjs', 'tools/late-builtins.mjs', LOADER];
  const inputs = [...Object.keys(metafile.inputs).filter(isFile), ...tools];
  return { code: await scriptOf(name, pieces), inputs };
}

/** An import as esbuild writes it, of names or of nothing but the module. Never within a function. */
const IMPORT = /(?<=^|[;}])import(?:\{([^}]*)\}from)?"([^"]+)";/g;
/** Of modules of Node, too: what they offer by name they have as members. */
const DYNAMIC_IMPORT = /\bimport\(("[^"]+")\)/g;
const EXPORT = /export\{([^}]*)\};?$/;

/**
 * An ES module as the body of a function with `exports` and `require`. Not by esbuild, whose form looks up each imported
 * name in the other module with each use, for the sake of exports that change. Ours do not.
 */
function pieceOf(text) {
  const body = text
    .replaceAll(IMPORT, (_, names, from) => {
      const module = `require(${JSON.stringify(from)})`;
      return names === undefined ? `${module};` : `const{${renamed(names)}}=${module};`;
    })
    .replaceAll(DYNAMIC_IMPORT, 'Promise.resolve().then(()=>require($1))')
    .replace(EXPORT, (_, names) => `Object.assign(exports,{${renamed(names, true)}});`);
  const piece = `"use strict";${body}`;
  const [left] = /(?<=^|[;}])import\b.{0,60}|\bimport\(.{0,60}/.exec(piece) ?? [];
  if (left !== undefined) throw new Error(`Import names, and modules by a text: ${left}`);
  // Throws for an export or an import.meta that is left.
  new Script(`(function(exports,require){${piece}\n})`);
  return piece;
}

/** `a as b` as members of an object: of a pattern, or, turned round, of a value. */
function renamed(names, isTurned = false) {
  return names
    .split(',')
    .map((each) => {
      const [from, to = from] = each.split(' as ');
      if (from === to) return from;
      return isTurned ? `${to}:${from}` : `${from}:${to}`;
    })
    .join(',');
}

const nameOf = (path) => path.slice(path.lastIndexOf('/') + 1);

/**
 * What loads the pieces, where each of them stands, and their texts: as the comment of a function, which V8 skips three
 * times faster than a text, and which the function tells when it is asked for its source.
 */
async function scriptOf(name, pieces) {
  const places = {};
  let texts = '';
  for (const [piece, code] of Object.entries(pieces)) {
    const text = code.replaceAll('*/', '*\x01/');
    places[`./${piece}`] = [texts.length, texts.length + text.length, Number(text !== code)];
    texts += `${text}\n`;
  }
  const id = createHash('sha256').update(texts).digest('hex').slice(0, 16);
  const source = await readFile(join(root, LOADER), 'utf8');
  const { code: loader } = await transform(source, { minify: true, target: 'node20' });
  const given = [name, id, places].map((each) => JSON.stringify(each)).join();
  return `#!/usr/bin/env node
((name,id,places,texts)=>{${loader.trimEnd()}})(${given},()=>{/*${texts}*/});
`;
}

/** One character beyond Latin-1, and V8 keeps the whole file at two bytes for each. The first of all has a use here. */
function refuseWideText(code) {
  // esbuild escapes texts, but leaves regular expressions as they are.
  const wide = /[^\t\n\r\x20-\x7f].*/.exec(code);
  if (wide) throw new Error(`Write this as an escape (\\uXXXX): ${wide[0].slice(0, 60)}`);
  return code;
}
