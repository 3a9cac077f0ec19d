// `npm run coverage -- FOLDER [PATH-PART…]`: runs the tests whose path contains a part (of the folder's own name without
// any) and says how many lines of the folder's code they ran. Tests and what is only for tests do not count.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import {
  addCoverage,
  type CachedMap,
  type LineCounts,
  type ScriptCoverage,
} from './coverage/line-counts.ts';
import { listFiles } from './list-files.ts';
import { succeeds } from './run.ts';

interface Report {
  readonly result: readonly ScriptCoverage[];
  readonly 'source-map-cache'?: Readonly<Record<string, CachedMap>>;
}

const TEST_CODE = /\.(test|itest|rtest|cases|test-d)\.ts$|\/(testing|cases)\//;

const [folder, ...parts] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Cannot measure without a folder: npm run coverage -- packages/hub/src');
  process.exit(1);
}
const reports = mkdtempSync(join(tmpdir(), 'flotilla-coverage-'));
try {
  process.env['NODE_V8_COVERAGE'] = reports;
  const tests = [
    'tools/with-install.mjs',
    'tools/test.ts',
    ...(parts.length === 0 ? [folder] : parts),
  ];
  // What failed ran, too.
  if (!succeeds(process.execPath, tests)) process.exitCode = 1;
  report(readReports(reports), folder);
} finally {
  rmSync(reports, { recursive: true, force: true });
}

function readReports(from: string): LineCounts {
  const counts: LineCounts = new Map();
  for (const file of readdirSync(from)) {
    const { result, 'source-map-cache': maps = {} } = JSON.parse(
      readFileSync(join(from, file), 'utf8'),
    ) as Report;
    for (const script of result) {
      const cached = maps[script.url];
      if (cached !== undefined) addCoverage(counts, script, cached);
    }
  }
  return counts;
}

function codeLines(path: string): number {
  const text = readFileSync(join(FLOTILLA_ROOT, path), 'utf8');
  const { code } = transformSync(text, { loader: 'ts', format: 'esm' });
  return code.split('\n').filter((line) => !/^(\s*|export \{\};|import .*)$/.test(line)).length;
}

function report(counts: LineCounts, of: string): void {
  const byPath = new Map(
    [...counts].map(([source, lines]) => [
      relative(FLOTILLA_ROOT, source.startsWith('file:') ? fileURLToPath(source) : source),
      lines,
    ]),
  );
  let ran = 0;
  let all = 0;
  for (const path of listFiles(of)) {
    if (!path.endsWith('.ts') || TEST_CODE.test(path)) continue;
    const lines = byPath.get(path);
    if (lines === undefined) {
      // No test loads it: nothing of it ran. Types alone leave nothing to run.
      const unloaded = codeLines(path);
      all += unloaded;
      if (unloaded > 0) console.log(`  0.0  ${path}: no test loads it`);
      continue;
    }
    const covered = [...lines.values()].filter(Boolean).length;
    ran += covered;
    all += lines.size;
    const missed = [...lines].filter(([, hasRun]) => !hasRun).map(([line]) => line + 1);
    const percent = lines.size === 0 ? 100 : (covered / lines.size) * 100;
    console.log(
      `${percent.toFixed(1).padStart(5)}  ${path}${missed.length === 0 ? '' : `: ${missed.sort((a, b) => a - b).join(' ')}`}`,
    );
  }
  console.log(`${((ran / all) * 100).toFixed(1)} % of ${all} lines of ${of} ran`);
}
