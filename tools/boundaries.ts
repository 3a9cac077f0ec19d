import { posix } from 'node:path';

/** A source file by its path from the root of the checkout. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** The part of a package.json that says what may be imported. */
export interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, string>>;
}

/** Manifests by the folder they are in; the root's is ''. */
export type Manifests = ReadonlyMap<string, Manifest>;

const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  machinery: [],
  api: ['machinery'],
  client: ['machinery'],
  runtime: ['machinery', 'client'],
  apiserver: ['machinery'],
  hub: ['machinery', 'api', 'client', 'runtime', 'apiserver'],
  simulator: ['machinery', 'client', 'runtime'],
  spoke: ['machinery', 'api', 'client', 'runtime'],
  mc: ['machinery', 'api', 'client'],
  cli: [
    'machinery',
    'api',
    'client',
    'runtime',
    'apiserver',
    'hub',
    'simulator',
    'spoke',
    'mc',
    'dashboard',
  ],
  dashboard: ['machinery', 'api'],
  testkit: ['machinery', 'api', 'client', 'runtime', 'apiserver', 'simulator'],
};

/** Packages that must run in a browser. */
const NO_NODE = new Set(['machinery', 'api', 'dashboard']);

const TEST = /\.[ir]?test\.ts$|\.cases\.ts$|\/testing\//;
const NEVER = /^$/;

/** What only the files of `except` may use in a package: everyone else is handed it. */
const HANDED_IN: readonly { use: RegExp; name: string; except: RegExp }[] = [
  { use: /\bDate\.now\b/, name: 'Date.now', except: /\/(main|clock)\.ts$/ },
  { use: /\bnew Date\(\)/, name: 'new Date()', except: /\/(main|clock)\.ts$/ },
  { use: /\bperformance\.now\b/, name: 'performance.now', except: /\/(main|clock)\.ts$/ },
  { use: /\bMath\.random\b/, name: 'Math.random', except: NEVER },
  { use: /\bsetInterval\b/, name: 'setInterval', except: NEVER },
  { use: /\bprocess\.exit\b/, name: 'process.exit', except: /\/main\.ts$/ },
  { use: /\bprocess\.env\b/, name: 'process.env', except: /\/main\.ts$/ },
  // What is shipped does not know where it was built.
  { use: /\bFLOTILLA_ROOT\b/, name: 'FLOTILLA_ROOT', except: NEVER },
];

/** Everything a file does that the table of packages forbids, one line each. */
export function boundaryProblems(source: Source, manifests: Manifests): string[] {
  const code = withoutComments(source.text);
  const name = packageOf(source.path);
  const problems =
    name === undefined
      ? problemsOutsidePackages({ ...source, text: code }, manifests)
      : problemsInPackage({ ...source, text: code }, name, manifests);
  return problems.map((problem) => `${source.path}: ${problem}`);
}

/** Dependencies of a manifest that the table forbids; `folder` is `packages/NAME`. */
export function manifestProblems(folder: string, manifest: Manifest): string[] {
  const name = packageOf(`${folder}/`) ?? folder;
  const allowed = MAY_IMPORT[name];
  if (allowed === undefined)
    return [`${folder}: not in the table of packages (tools/boundaries.ts)`];
  return Object.keys(manifest.dependencies ?? {})
    .map((dependency) => /^@flotilla\/(.+)$/.exec(dependency)?.[1])
    .filter((other) => other !== undefined && !allowed.includes(other))
    .map((other) => `${folder}/package.json: ${name} may not depend on ${other}`);
}

function problemsInPackage(source: Source, name: string, manifests: Manifests): string[] {
  const folder = `packages/${name}`;
  const isTest = TEST.test(source.path);
  const { dependencies = {}, devDependencies = {} } = manifests.get(folder) ?? {};
  const declared = new Set(
    Object.keys(isTest ? { ...dependencies, ...devDependencies } : dependencies),
  );
  const allowed = [...(MAY_IMPORT[name] ?? []), ...(isTest ? ['testkit'] : [])];

  const problems = importsOf(source.text).flatMap((specifier) => {
    if (specifier.startsWith('node:')) {
      return NO_NODE.has(name) && !isTest ? [`${name} runs in browsers: no ${specifier}`] : [];
    }
    if (specifier.startsWith('.')) {
      const target = posix.join(posix.dirname(source.path), specifier);
      if (!target.startsWith(`${folder}/`)) return [`reaches outside its package: ${specifier}`];
      return TEST.test(target) && !isTest ? [`imports a test: ${specifier}`] : [];
    }
    const problem = ourPackageProblem(specifier, manifests, { name, allowed });
    return problem ?? undeclared(specifier, declared);
  });
  if (isTest) return problems;
  return [
    ...problems,
    ...HANDED_IN.filter(
      ({ use, except }) => use.test(source.text) && !except.test(source.path),
    ).map((each) => `uses ${each.name}: take it as an argument`),
  ];
}

/** Tools, benchmarks and whole-product tests may look inside packages, by relative paths. */
function problemsOutsidePackages(source: Source, manifests: Manifests): string[] {
  const [folder = ''] = source.path.split('/');
  const declared = new Set(
    [manifests.get('') ?? {}, manifests.get(folder) ?? {}].flatMap(
      ({ dependencies = {}, devDependencies = {} }) =>
        Object.keys({ ...dependencies, ...devDependencies }),
    ),
  );
  const problems = importsOf(source.text).flatMap((specifier) => {
    if (specifier.startsWith('node:') || specifier.startsWith('.')) return [];
    return ourPackageProblem(specifier, manifests) ?? undeclared(specifier, declared);
  });
  const mayExit = /^(tools|bench)\/|\/main\.ts$/.test(source.path);
  if (!mayExit && /\bprocess\.exit\b/.test(source.text)) problems.push('uses process.exit');
  return problems;
}

/** Undefined when there is nothing against the import but that it may not be declared. */
function ourPackageProblem(
  specifier: string,
  manifests: Manifests,
  importer?: { name: string; allowed: readonly string[] },
): string[] | undefined {
  const [, other, deep] = /^@flotilla\/([^/]+)(\/.*)?$/.exec(specifier) ?? [];
  if (other === undefined) return undefined;
  const offered = manifests.get(`packages/${other}`)?.exports ?? {};
  if (deep !== undefined && !Object.hasOwn(offered, `.${deep}`)) {
    return [`imports files of ${other}: ${specifier}`];
  }
  if (importer === undefined || importer.allowed.includes(other)) return undefined;
  return [`${importer.name} may not import ${other}`];
}

function undeclared(specifier: string, declared: ReadonlySet<string>): string[] {
  const parts = specifier.split('/').slice(0, specifier.startsWith('@') ? 2 : 1);
  const dependency = parts.join('/');
  return declared.has(dependency) ? [] : [`${dependency} is not in the package's dependencies`];
}

function packageOf(path: string): string | undefined {
  return /^packages\/([^/]+)\//.exec(path)?.[1];
}

/** Texts and comments; in a text the slashes of a URL begin no comment. */
const TOKENS =
  /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

function withoutComments(text: string): string {
  return text.replace(TOKENS, (token) => (token.startsWith('/') ? ' ' : token));
}

/** What a file imports, in whichever form, and not what its texts quote. */
function importsOf(text: string): string[] {
  const texts: string[] = [];
  const code = withoutComments(text).replace(TOKENS, (token) => `'${texts.push(token) - 1}'`);
  const forms = /\b(?:from\s*|import\s*\(?\s*|require\s*\(\s*)'(\d+)'/g;
  return [...code.matchAll(forms)].map(([, index]) => texts[Number(index)]?.slice(1, -1) ?? '');
}
