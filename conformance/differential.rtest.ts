// Sends every case to a real kube-apiserver and to ours, both fresh, and compares the answers.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startReal } from '../tools/real-kubernetes/start-real.ts';
import type { Case } from './case.ts';
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
import { unstickDefinitions } from './unstick.ts';

/** The real server has races of its own: a request meets the definition of a moment ago. Ours is asked once. */
const MOST_TIMES = 3;
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

const ending = new AbortController();
const unsticking = unstickDefinitions(realConnection, ending.signal);

const isRecording = process.env['FLOTILLA_RECORD'] === '1';
const recordings = readRecordings(join(FOLDER, 'recorded'), cases);
const answered = new Map<string, Transcript>();

/** What the real server answers: when that is not what it answered once, it is asked again. */
async function askReal(each: Case): Promise<Transcript> {
  const recorded = recordings.get(each.id);
  for (let time = 1; ; time += 1) {
    const suffix = time === 1 ? '' : `-${time}`;
    const live = await runCase(each, realConnection, { keepNamespaces: true, suffix });
    const isAsRecorded = recorded !== undefined && compareTranscripts(recorded, live).length === 0;
    if (isAsRecorded || isRecording || time === MOST_TIMES) return live;
    process.stderr.write(
      `${each.id}: the real server does not answer as recorded; asking it again\n`,
    );
  }
}

const results = await runDifferential(cases, {
  reference: async (each) => {
    const transcript = await askReal(each);
    answered.set(each.id, transcript);
    return transcript;
  },
  subject: (each) => runCase(each, ourConnection, { keepNamespaces: true }),
});
ending.abort();
await unsticking;
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
  if (isRecording) writeRecordings(join(FOLDER, 'recorded'), cases, answered);
  const written = isRecording ? readRecordings(join(FOLDER, 'recorded'), cases) : recordings;
  const outdated = cases.filter(({ id }) => {
    const [recorded, live] = [written.get(id), answered.get(id)];
    if (recorded === undefined || live === undefined) return true;
    return compareTranscripts(recorded, live).length > 0;
  });
  assert.deepEqual(
    outdated.map(({ id }) => id),
    [],
    'record them again: FLOTILLA_RECORD=1 npm run real -- conformance/',
  );
});
