import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { boundaryProblems, type Manifests, manifestProblems } from './boundaries.ts';

const manifests: Manifests = new Map([
  ['', { devDependencies: { esbuild: '1' } }],
  [
    'packages/machinery',
    {
      dependencies: { 'js-yaml': '1' },
      exports: { '.': './src/index.ts', './cel': './src/cel/index.ts' },
    },
  ],
  [
    'packages/apiserver',
    {
      dependencies: { '@flotilla/machinery': '1', '@peculiar/x509': '1', lmdb: '1' },
      devDependencies: { '@flotilla/testkit': '1', tar: '1' },
    },
  ],
  ['e2e', { dependencies: { '@flotilla/apiserver': '1' } }],
]);

const SERVER = 'packages/apiserver/src/http/listener.ts';
const SERVER_TEST = 'packages/apiserver/src/http/listener.itest.ts';

describe('a package', () => {
  test('imports what the table and its manifest allow', () => {
    assert.deepEqual(
      problems(
        SERVER,
        `import { createServer } from 'node:http';
         import { X509 } from '@peculiar/x509/build';
         import { open } from 'lmdb';
         import { notFound } from '@flotilla/machinery';
         import { refusal } from './refusal.ts';
         export { keys } from '../storage/keys.ts';`,
      ),
      [],
    );
  });

  test('may not import a package that the table forbids', () => {
    assert.deepEqual(problems(SERVER, "import { up } from '@flotilla/cli';"), [
      'apiserver may not import cli',
    ]);
  });

  test('may not import a package that its manifest leaves out', () => {
    assert.deepEqual(
      problems('packages/cli/src/up/up.ts', "import { x } from '@flotilla/machinery';"),
      ["@flotilla/machinery is not in the package's dependencies"],
    );
    assert.deepEqual(problems(SERVER, "import tar from 'tar/create';"), [
      "tar is not in the package's dependencies",
    ]);
  });

  test('may import what another offers beside its index', () => {
    assert.deepEqual(problems(SERVER, "import { x } from '@flotilla/machinery/cel';"), []);
    assert.deepEqual(problems(SERVER, "import { x } from '@flotilla/machinery/celery';"), [
      'imports files of machinery: @flotilla/machinery/celery',
    ]);
  });

  test("may not import another's files, by name or by path", () => {
    assert.deepEqual(problems(SERVER, "import { x } from '@flotilla/machinery/src/object.ts';"), [
      'imports files of machinery: @flotilla/machinery/src/object.ts',
    ]);
    assert.deepEqual(
      problems(SERVER_TEST, "import { x } from '../../../machinery/src/object.ts';"),
      ['reaches outside its package: ../../../machinery/src/object.ts'],
    );
    assert.deepEqual(problems(SERVER_TEST, "import { x } from '../../../../tools/run.ts';"), [
      'reaches outside its package: ../../../../tools/run.ts',
    ]);
  });

  test('is not taken for another whose name it begins', () => {
    assert.deepEqual(problems(SERVER, "import { x } from '../../../apiserver-two/src/x.ts';"), [
      'reaches outside its package: ../../../apiserver-two/src/x.ts',
    ]);
  });

  test('may not use node: where it must run in a browser, except in tests', () => {
    const code = "import { isIP } from 'node:net';";

    assert.deepEqual(problems('packages/machinery/src/ip.ts', code), [
      'machinery runs in browsers: no node:net',
    ]);
    assert.deepEqual(problems('packages/machinery/src/ip.test.ts', code), []);
  });

  for (const code of [
    "export * from '@flotilla/cli';",
    "import type { Up } from '@flotilla/cli';",
    "import '@flotilla/cli';",
    "const cli = await import('@flotilla/cli');",
    "let up: typeof import('@flotilla/cli').up;",
    "const cli = require('@flotilla/cli');",
    'import { up } from "@flotilla/cli";',
    "import {\n  down,\n  up,\n} from '@flotilla/cli';",
    "const url = 'https://example';\nimport { up } from '@flotilla/cli';",
  ]) {
    test(`is seen to import in ${JSON.stringify(code)}`, () => {
      assert.deepEqual(problems(SERVER, code), ['apiserver may not import cli']);
    });
  }

  test('does not import what it only quotes or mentions', () => {
    assert.deepEqual(
      problems(
        SERVER,
        `const hint = "import { up } from '@flotilla/cli'"; // from '@flotilla/cli'`,
      ),
      [],
    );
  });

  test('may not import its own tests, which may import each other', () => {
    for (const file of ['./storage.cases.ts', './listener.test.ts', '../testing/start.ts']) {
      const code = `import { x } from '${file}';`;

      assert.deepEqual(problems(SERVER, code), [`imports a test: ${file}`]);
      assert.deepEqual(problems(SERVER_TEST, code), []);
    }
  });

  test('may use the testkit and what only development needs in its tests', () => {
    const code = "import { startFleet } from '@flotilla/testkit'; import tar from 'tar';";

    assert.deepEqual(problems(SERVER_TEST, code), []);
    assert.deepEqual(problems(SERVER, code), [
      'apiserver may not import testkit',
      "tar is not in the package's dependencies",
    ]);
  });
});

describe('what is handed in', () => {
  for (const [code, name] of [
    ['const begun = Date.now();', 'Date.now'],
    ['start({ now: Date.now });', 'Date.now'],
    ['const today = new Date();', 'new Date()'],
    ['const begun = performance.now();', 'performance.now'],
    ['const share = Math.random();', 'Math.random'],
    ['setInterval(tick, 5);', 'setInterval'],
    ['process.exit(1);', 'process.exit'],
    ["const home = process.env['HOME'];", 'process.env'],
    ['join(FLOTILLA_ROOT, name);', 'FLOTILLA_ROOT'],
  ] as const) {
    test(`is ${name}, except in tests: ${code}`, () => {
      assert.deepEqual(problems(SERVER, code), [`uses ${name}: take it as an argument`]);
      assert.deepEqual(problems(SERVER_TEST, code), []);
    });
  }

  test('may be named in comments, and be taken apart from its namesakes', () => {
    assert.deepEqual(
      problems(
        SERVER,
        `// No Date.now() here.
         /** Unlike process.exit(1), this returns. */
         process.exitCode = 1; // nor Math.random()
         const then = new Date(time);`,
      ),
      [],
    );
  });

  test('comes from main.ts, and time from a clock', () => {
    assert.deepEqual(problems('packages/cli/src/main.ts', 'process.exit(Date.now());'), []);
    assert.deepEqual(problems('packages/apiserver/src/clock.ts', 'new Date()'), []);
    assert.deepEqual(problems('packages/apiserver/src/clock.ts', 'process.exit()'), [
      'uses process.exit: take it as an argument',
    ]);
  });
});

describe('tools, benchmarks and whole-product tests', () => {
  test('may look inside packages by relative paths', () => {
    const code = "import { decode } from '../packages/apiserver/src/codec/decode.ts';";

    for (const path of ['e2e/a.rtest.ts', 'conformance/a.ts', 'bench/a.ts', 'tools/a.ts']) {
      assert.deepEqual(problems(path, code), []);
    }
  });

  test('import what their own or the root manifest declares, and no deep paths', () => {
    assert.deepEqual(
      problems('e2e/a.ts', "import 'esbuild'; import '@flotilla/apiserver'; import 'lmdb';"),
      ["lmdb is not in the package's dependencies"],
    );
    assert.deepEqual(problems('e2e/a.ts', "import '@flotilla/apiserver/src/index.ts';"), [
      'imports files of apiserver: @flotilla/apiserver/src/index.ts',
    ]);
  });

  test('end the process only in tools, benchmarks and main.ts', () => {
    assert.deepEqual(problems('e2e/a.ts', 'process.exit(1);'), ['uses process.exit']);
    for (const path of ['e2e/kubectl/main.ts', 'tools/ok.ts', 'bench/api-server/load.ts']) {
      assert.deepEqual(problems(path, 'process.exit(1);'), []);
    }
  });
});

describe('a manifest', () => {
  test('may not depend on what the table forbids', () => {
    const dependencies = { '@flotilla/machinery': '1', '@flotilla/hub': '1', lmdb: '1' };

    assert.deepEqual(manifestProblems('packages/apiserver', { dependencies }), [
      'packages/apiserver/package.json: apiserver may not depend on hub',
    ]);
  });

  test('must belong to a package of the table', () => {
    assert.deepEqual(manifestProblems('packages/misc', {}), [
      'packages/misc: not in the table of packages (tools/boundaries.ts)',
    ]);
  });
});

/** The problems of one file, without its path in front. */
function problems(path: string, text: string): string[] {
  return boundaryProblems({ path, text }, manifests).map((line) => line.slice(path.length + 2));
}
