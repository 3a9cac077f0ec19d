// Sends every case to a real kube-apiserver and to ours, both fresh, and compares the answers.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startReal } from '../tools/real-kubernetes/start-real.ts';
import { compareTranscripts } from './compare.ts';
import { runDifferential } from './differential.ts';
import { judge, parseKnownDifferences } from './known-differences.ts';
import { loadCases } from './load-cases.ts';
import { REAL_OPTIONS } from './real-options.ts';
import { readRecordings, writeRecordings } from './recording.ts';
import { formatJudgement } from './report.ts';
import { runCase, type Transcript } from './run-case.ts';
import { connect } from './server.ts';
import { startOurs } from './start-ours.ts';

const FOLDER = join(FLOTILLA_ROOT, 'conformance');
/** Names topics, so that one at a time can be worked on; CI runs them all. */
const topics = process.env['FLOTILLA_TOPICS']?.split(',');
const cases = loadCases(join(FOLDER, 'cases')).filter(
  ({ topic }) => topics === undefined || topics.includes(topic),
);
const known = parseKnownDifferences(readFileSync(join(FOLDER, 'differences.md'), 'utf8'));

const real = await startReal(REAL_OPTIONS);
after(() => real.stop());
const ours = await startOurs();
after(() => ours[Symbol.asyncDispose]());

const realConnection = connect({
  name: 'real',
  url: real.url,
  token: real.token,
  ca: readFileSync(real.caFile, 'utf8'),
});
const ourConnection = connect(ours.server);
after(() => {
  realConnection.close();
  ourConnection.close();
});

const answered = new Map<string, Transcript>();
const results = await runDifferential(cases, {
  reference: async (each) => {
    const transcript = await runCase(each, realConnection, { keepNamespaces: true });
    answered.set(each.id, transcript);
    return transcript;
  },
  subject: (each) => runCase(each, ourConnection, { keepNamespaces: true }),
});
const judgement = judge(
  results.flatMap(({ differences }) => differences),
  known,
);

for (const { each, surprises } of results) {
  test(`${each.id}: ${each.title}`, () => {
    assert.deepEqual(surprises, [], 'the real server itself answers with another code');
    const unexplained = judgement.unexplained.filter(({ caseId }) => caseId === each.id);
    const report = formatJudgement(
      { unexplained, explained: [], stale: [] },
      { wanted: 'real', got: 'ours' },
    );
    assert.ok(unexplained.length === 0, report);
  });
}

test('every intended difference still exists', { skip: topics !== undefined }, () => {
  assert.deepEqual(judgement.stale, []);
});

test('the recordings are what the real server answers', () => {
  if (process.env['FLOTILLA_RECORD'] === '1') {
    writeRecordings(join(FOLDER, 'recorded'), cases, answered);
  }
  const recordings = readRecordings(join(FOLDER, 'recorded'), cases);
  const outdated = cases.filter(({ id }) => {
    const [recorded, live] = [recordings.get(id), answered.get(id)];
    if (recorded === undefined || live === undefined) return true;
    return compareTranscripts(recorded, live).length > 0;
  });
  assert.deepEqual(
    outdated.map(({ id }) => id),
    [],
    'record them again: FLOTILLA_RECORD=1 npm run real -- conformance/',
  );
});
