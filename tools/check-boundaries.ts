// Fails when a package imports what the table does not allow, reaches into another package's files, or uses
// time, randomness, the console or the process where they should have been handed in.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  machinery: [],
  api: ['machinery'],
  client: ['machinery'],
  runtime: ['machinery', 'client'],
  apiserver: ['machinery'],
  hub: ['machinery', 'api', 'client', 'runtime', 'apiserver'],
  spoke: ['machinery', 'api', 'client', 'runtime'],
  mc: ['machinery', 'api', 'client'],
  cli: ['machinery', 'api', 'client', 'runtime', 'apiserver', 'hub', 'spoke', 'mc', 'dashboard'],
  dashboard: ['machinery', 'api'],
  testkit: ['machinery', 'api', 'client', 'runtime', 'apiserver'],
};

/** Packages that must run in a browser. */
const NO_NODE = new Set(['machinery', 'api', 'dashboard']);

/** What only `main.ts` and the few files named may use: everyone else is handed it. */
const INJECTED: readonly { pattern: RegExp; what: string; except: RegExp }[] = [
  { pattern: /\bDate\.now\(/, what: 'Date.now', except: /\/main\.ts$/ },
  { pattern: /\bMath\.random\(/, what: 'Math.random', except: /^$/ },
  { pattern: /\bsetInterval\(/, what: 'setInterval', except: /^$/ },
  { pattern: /\bprocess\.exit\(/, what: 'process.exit', except: /\/main\.ts$/ },
  { pattern: /\bprocess\.env\b/, what: 'process.env', except: /\/main\.ts$/ },
];

const problems: string[] = [];

for (const name of readdirSync(join(FLOTILLA_ROOT, 'packages'))) {
  const folder = join(FLOTILLA_ROOT, 'packages', name, 'src');
  const allowed = MAY_IMPORT[name];
  if (allowed === undefined) {
    problems.push(`packages/${name}: not in the table of packages (tools/check-boundaries.ts)`);
    continue;
  }
  const manifest = JSON.parse(
    readFileSync(join(FLOTILLA_ROOT, 'packages', name, 'package.json'), 'utf8'),
  ) as { dependencies?: Record<string, string> };
  const declared = new Set(Object.keys(manifest.dependencies ?? {}));
  for (const file of sources(folder)) check({ name, file, allowed, declared });
}

if (problems.length > 0) {
  for (const problem of problems) console.error(problem);
  console.error(`${problems.length} boundary problems`);
  process.exitCode = 1;
}

function* sources(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (entry.name.endsWith('.ts')) yield path;
  }
}

function check(source: {
  name: string;
  file: string;
  allowed: readonly string[];
  declared: ReadonlySet<string>;
}): void {
  const { name, file, allowed, declared } = source;
  const shown = relative(FLOTILLA_ROOT, file);
  const text = readFileSync(file, 'utf8');
  const isTest = /\.(i|r)?test\.ts$|\.cases\.ts$/.test(file);
  for (const [, specifier = ''] of text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)) {
    const ours = /^@flotilla\/([a-z]+)(\/.*)?$/.exec(specifier);
    if (ours !== null) {
      const [, other = '', deep] = ours;
      if (deep !== undefined) problems.push(`${shown}: imports files of ${other}`);
      if (!allowed.includes(other)) problems.push(`${shown}: ${name} may not import ${other}`);
      if (!declared.has(`@flotilla/${other}`)) {
        problems.push(`${shown}: ${other} is not in the package's dependencies`);
      }
    } else if (specifier.startsWith('.')) {
      const target = relative(join(FLOTILLA_ROOT, 'packages', name), join(file, '..', specifier));
      if (target.startsWith('..') && !isTest) problems.push(`${shown}: reaches outside its package`);
    } else if (specifier.startsWith('node:')) {
      if (NO_NODE.has(name) && !isTest) problems.push(`${shown}: ${name} runs in browsers, no node:`);
    } else if (!declared.has(specifier.split('/').slice(0, specifier.startsWith('@') ? 2 : 1).join('/'))) {
      problems.push(`${shown}: ${specifier} is not in the package's dependencies`);
    }
  }
  if (isTest) return;
  for (const { pattern, what, except } of INJECTED) {
    if (pattern.test(text) && !except.test(file)) {
      problems.push(`${shown}: uses ${what}; take it as an argument`);
    }
  }
}
