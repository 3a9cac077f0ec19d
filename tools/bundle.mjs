// Turns TypeScript entry points into plain JavaScript that Node 20 runs; one set of options for all.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from './install.mjs';

const SHIPPED_DATA = [
  "import { fileURLToPath as __fileURLToPath } from 'node:url';",
  "const __data = __fileURLToPath(new URL('data', import.meta.url));",
].join('\n');

/**
 * @param {{entries: Record<string, string> | string[], outdir: string, splitting?: boolean, sourcemap?: boolean, shipped?: boolean}} options
 *   `shipped` makes a bundle that finds its tables in `data/` beside itself and knows nothing of this checkout.
 * @returns {Promise<string[]>} the files it was made from, from the root of the checkout
 */
export async function bundle({
  entries,
  outdir,
  splitting = true,
  sourcemap = true,
  shipped = false,
}) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: sourcemap ? 'inline' : false,
    external: ['lmdb', 'esbuild'],
    logLevel: 'warning',
    minifySyntax: shipped,
    minifyWhitespace: shipped,
    legalComments: shipped ? 'none' : 'inline',
    define: {
      FLOTILLA_DATA: shipped ? '__data' : JSON.stringify(join(root, 'packages/apiserver/data')),
      // What is shipped must not know where it was built.
      ...(shipped ? {} : { FLOTILLA_ROOT: JSON.stringify(root) }),
    },
    // Some dependencies are CommonJS and ask for Node's own modules with require().
    banner: {
      js: [
        "import { createRequire as __createRequire } from 'node:module';",
        'const require = __createRequire(import.meta.url);',
        ...(shipped ? [SHIPPED_DATA] : []),
      ].join('\n'),
    },
    metafile: true,
  });
  if (shipped) for (const file of Object.keys(metafile.outputs)) refuseWideText(join(root, file));
  return Object.keys(metafile.inputs);
}

/** One character beyond Latin-1, and V8 keeps the whole file at two bytes for each. */
function refuseWideText(file) {
  // esbuild escapes texts, but leaves regular expressions as they are.
  const wide = /[^\0-\x7f].*/.exec(readFileSync(file, 'latin1'));
  if (wide)
    throw new Error(`Write this as an escape (\\uXXXX): ${wide[0].slice(0, 60)} in ${file}`);
}
