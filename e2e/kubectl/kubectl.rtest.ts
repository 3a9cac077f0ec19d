// Runs the same kubectl commands on a real server and on ours, both fresh, and compares what is
// printed byte for byte.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import {
  formatJudgement,
  judge,
  parseKnownDifferences,
  REAL_OPTIONS,
  startOurs,
} from '../../conformance/index.ts';
import { startReal } from '../../tools/real-kubernetes/start-real.ts';
import { compareScript } from './compare-script.ts';
import { prepareFolder } from './prepare-folder.ts';
import { parseScript } from './script.ts';

const FOLDER = join(FLOTILLA_ROOT, 'e2e', 'kubectl');
const work = mkdtempSync(join(tmpdir(), 'flotilla-kubectl-'));
after(() => rmSync(work, { recursive: true, force: true }));
const real = await startReal(REAL_OPTIONS);
after(() => real.stop());
const ours = await startOurs();
after(() => ours[Symbol.asyncDispose]());

function side(name: string, kubeconfig: string, url: string) {
  const folder = join(work, name);
  prepareFolder(folder);
  return { shell: { kubectl: real.kubectl, kubeconfig, folder }, server: new URL(url).host };
}
const sides = {
  wanted: side('real', real.kubeconfig, real.url),
  got: side('ours', ours.kubeconfig, ours.server.url),
};
const known = parseKnownDifferences(readFileSync(join(FOLDER, 'differences.md'), 'utf8'));
const matched = new Set<unknown>();

for (const file of readdirSync(join(FOLDER, 'scripts'))
  .filter((name) => name.includes(process.env['FLOTILLA_SCRIPTS'] ?? ''))
  .sort()) {
  const id = basename(file, '.sh');
  // A script that walks an acceptance scenario is named after it.
  const scenario = /^CP-\d+/.exec(id)?.[0];
  const title = `kubectl prints the same on both servers: ${id}`;
  test(scenario === undefined ? title : `${scenario} ${title}`, async () => {
    const commands = parseScript(readFileSync(join(FOLDER, 'scripts', file), 'utf8'));
    const judgement = judge(await compareScript(id, commands, sides), known);
    for (const row of known) if (!judgement.stale.includes(row)) matched.add(row);
    const report = formatJudgement({ ...judgement, stale: [] }, { wanted: 'real', got: 'ours' });
    assert.ok(judgement.unexplained.length === 0, report);
  });
}

const isPart = process.env['FLOTILLA_SCRIPTS'] !== undefined;
test('every intended difference in what kubectl prints still exists', { skip: isPart }, () => {
  assert.deepEqual(
    known.filter((row) => !matched.has(row)),
    [],
  );
});
