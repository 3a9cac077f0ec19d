// Sends every case to our server and compares with what a real kube-apiserver answered when the cases were recorded,
// so that it needs no Go. `npm run real` compares with a living one and fails when the recordings are outdated.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runDifferential } from './differential.ts';
import { judge, parseKnownDifferences } from './known-differences.ts';
import { loadCases } from './load-cases.ts';
import { readRecordings } from './recording.ts';
import { formatJudgement } from './report.ts';
import { runCase } from './run-case.ts';
import { connect } from './server.ts';
import { startOurs } from './start-ours.ts';

const FOLDER = join(FLOTILLA_ROOT, 'conformance');
const cases = loadCases(join(FOLDER, 'cases'));
const known = parseKnownDifferences(readFileSync(join(FOLDER, 'differences.md'), 'utf8'));
const recordings = readRecordings(join(FOLDER, 'recorded'), cases);

const ours = await startOurs();
after(() => ours[Symbol.asyncDispose]());
const connection = connect(ours.server);
after(() => connection.close());

const results = await runDifferential(cases, {
  reference: async (each) => {
    const recorded = recordings.get(each.id);
    assert.ok(recorded, `${each.id} has not been recorded`);
    return recorded;
  },
  subject: (each) => runCase(each, connection, { keepNamespaces: true }),
});
const judgement = judge(
  results.flatMap(({ differences }) => differences),
  known,
);

for (const { each } of results) {
  test(`${each.id}: ${each.title}`, () => {
    const unexplained = judgement.unexplained.filter(({ caseId }) => caseId === each.id);
    const names = { wanted: 'real', got: 'ours' };
    const report = formatJudgement({ unexplained, explained: [], stale: [] }, names);
    assert.ok(unexplained.length === 0, `\n${report}`);
  });
}
