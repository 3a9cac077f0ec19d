// What a package offers it offers through one file, its index. A bundler that splits a program sees everything that is
// used through it as one: whoever needs a duration would load the parser of YAML. Here imports go past the index, to
// the files that things are in.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const IMPORT = /\bimport\s*\{([^}]*)\}\s*from\s*'(@flotilla\/[a-z-]+(?:\/[a-z-]+)?)'/g;
const NAMED_EXPORT = /\bexport\s*\{([^}]*)\}\s*from\s*'(\.[^']+)'/g;
const STAR_EXPORT = /\bexport\s*\*\s*from\s*'(\.[^']+)'/g;
const DECLARATION = /^export\s+(?:async\s+)?(?:const|function\*?|class)\s+(\w+)/gm;

/**
 * A plugin of esbuild.
 *
 * @param {string} root of the checkout
 */
export function directImports(root) {
  const indexes = new Map();
  const indexOf = (specifier) => {
    let index = indexes.get(specifier);
    if (index === undefined) {
      index = readIndex(indexFile(root, specifier));
      indexes.set(specifier, index);
    }
    return index;
  };
  return {
    name: 'direct-imports',
    setup: ({ onLoad }) => {
      onLoad({ filter: /\/packages\/[^/]+\/src\/.*\.ts$/ }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        const contents = text.replace(
          IMPORT,
          (whole, names, specifier) => redirect(names, indexOf(specifier)) ?? whole,
        );
        return { contents, loader: 'ts' };
      });
    },
  };
}

/** Imports of the same names from the files they are in; undefined when the index does not tell of one. */
function redirect(names, index) {
  const wanted = list(names).filter((name) => !name.startsWith('type '));
  const statements = wanted.map((name) => {
    const [, imported, local = imported] = /^(\w+)(?:\s+as\s+(\w+))?$/.exec(name) ?? [];
    const source = index.get(imported);
    return source && `import { ${source.name} as ${local} } from ${JSON.stringify(source.file)}`;
  });
  return statements.includes(undefined) ? undefined : statements.join('; ');
}

function indexFile(root, specifier) {
  const [, name, sub] = /^@flotilla\/([a-z-]+)(?:\/([a-z-]+))?$/.exec(specifier);
  const folder = join(root, 'packages', name);
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, exports[sub === undefined ? '.' : `./${sub}`]);
}

/** Where each name that an index offers is declared: by which name, in which file. */
function readIndex(file) {
  const text = readFileSync(file, 'utf8');
  const found = new Map();
  const fileOf = (specifier) => join(dirname(file), specifier);
  for (const [, names, specifier] of text.matchAll(NAMED_EXPORT)) {
    for (const each of list(names)) {
      const [, name, offered = name] = /^(\w+)(?:\s+as\s+(\w+))?$/.exec(each) ?? [];
      if (name !== undefined) found.set(offered, { name, file: fileOf(specifier) });
    }
  }
  for (const [, specifier] of text.matchAll(STAR_EXPORT)) {
    for (const [, name] of readFileSync(fileOf(specifier), 'utf8').matchAll(DECLARATION)) {
      if (!found.has(name)) found.set(name, { name, file: fileOf(specifier) });
    }
  }
  return found;
}

const list = (names) =>
  names
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
