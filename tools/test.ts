// Bundles every *.test.ts and *.itest.ts and runs them on node:test, a process for each file that needs its own.
// `npm run unit -- [PATH-PART…]` runs the files whose path contains one of the parts; `--real`
// takes the *.rtest.ts instead, which need the real Kubernetes that tools/real.ts provides.
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { bundle } from './bundle.mjs';
import { groupTests } from './test-groups.ts';
import { recordResults } from './test-results.ts';

const args = process.argv.slice(2);
const isReal = args.includes('--real');
const TEST_FILE = isReal ? /\.rtest\.ts$/ : /\.i?test\.ts$/;
const WORKERS = 3;

function testFiles(folder: string): string[] {
  return readdirSync(join(FLOTILLA_ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      return ['node_modules', 'dist', 'data'].includes(entry.name) ? [] : testFiles(path);
    }
    return TEST_FILE.test(entry.name) ? [path] : [];
  });
}

const wanted = args.filter((arg) => arg !== '--real');
const files = ['packages', 'conformance', 'e2e', 'bench', 'tools']
  .flatMap(testFiles)
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)));
if (files.length === 0) {
  console.error(`Cannot find a test file matching "${wanted.join(' ')}"`);
  process.exit(1);
}

const outdir = join(FLOTILLA_ROOT, '.cache', 'tests', String(process.pid));
mkdirSync(outdir, { recursive: true });
process.on('exit', () => rmSync(outdir, { recursive: true, force: true }));
const entries = Object.fromEntries(files.map((file) => [file.replace(/\.ts$/, ''), file]));
// Not split: the runner names a test after the file it is defined in, which must not be a shared chunk.
// Only coverage reads source maps, and they are twice as large as the code.
const sourcemap = process.env['NODE_V8_COVERAGE'] !== undefined;
await bundle({ entries, outdir, splitting: false, sourcemap });

const bundleOf = (file: string): string => join(outdir, file.replace(/\.ts$/, '.mjs'));
const groups = groupTests(files, (file) => readFileSync(join(FLOTILLA_ROOT, file), 'utf8'));

/** The file that a process runs: the bundle itself, or one that imports those of its group. */
function programOf(group: readonly string[], index: number): string {
  const [first = ''] = group;
  if (group.length === 1) return bundleOf(first);
  const program = join(outdir, `group-${index}.mjs`);
  writeFileSync(program, group.map((file) => `import '${bundleOf(file)}';\n`).join(''));
  return program;
}

console.log(`Node ${process.version}, ${files.length} test files`);
const stream = run({
  files: groups.map(programOf),
  concurrency: WORKERS,
});
const counts = recordResults(stream, {
  journal: join(FLOTILLA_ROOT, '.cache', isReal ? 'real-results.jsonl' : 'test-results.jsonl'),
  run: randomUUID(),
  files,
  isFull: wanted.length === 0,
  nameOf: (path) => relative(outdir, path).replace(/\.mjs$/, '.ts'),
});
await pipeline(stream, new spec(), process.stdout, { end: false });
if (counts.failed > 0 || counts.passed === 0) process.exitCode = 1;
