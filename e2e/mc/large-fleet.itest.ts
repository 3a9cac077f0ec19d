// A whole process against a large fleet: what it prints, and how much memory it takes.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { buildMc } from '../../tools/build-mc.mjs';
import { clusterName, startLargeFleet } from './large-fleet.ts';

const MEMBERS = 50;
const PODS = 1_000;
const MAX_BYTES = 300 << 20;

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'flotilla-large-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('MC-54 50,000 pods of 50 clusters are printed, sorted, in less than 300 MB', async () => {
  await using fleet = await startLargeFleet(MEMBERS, PODS);
  const { stdout, rss } = await runMeasured(['get', 'pods', '-A'], fleet.homeFolder);

  const [header, ...rows] = stdout.trimEnd().split('\n');
  assert.match(header ?? '', /^NAMESPACE +NAME +CLUSTER +READY +STATUS +RESTARTS +AGE$/);
  assert.equal(rows.length, MEMBERS * PODS);
  const clusters = rows.map((row) => row.split(/ +/)[2] ?? '');
  const wanted = Array.from({ length: MEMBERS * PODS }, (_, row) =>
    clusterName(Math.floor(row / PODS)),
  );
  assert.deepEqual(clusters, wanted);
  assert.equal(fleet.requests(), (MEMBERS * PODS) / 500);
  assert.ok(rss < MAX_BYTES, `${rss >> 20} MB`);
});

/** Runs the program as users have it, and tells the most memory it ever had. */
async function runMeasured(
  args: readonly string[],
  home: string,
): Promise<{ readonly stdout: string; readonly rss: number }> {
  const program = await buildMc(folder);
  const hook = join(folder, 'measure.cjs');
  const result = join(folder, 'rss');
  writeFileSync(
    hook,
    `process.on('exit', () => require('fs').writeFileSync(${JSON.stringify(result)}, String(process.resourceUsage().maxRSS)));`,
  );
  const { stdout } = await run(
    process.execPath,
    ['--require', hook, program, ...args, '--inventory', 'kubeconfig'],
    { env: { PATH: process.env['PATH'], HOME: home }, maxBuffer: 64 << 20 },
  );
  return { stdout, rss: Number(readFileSync(result, 'utf8')) * 1_024 };
}
