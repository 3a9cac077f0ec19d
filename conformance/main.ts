// npm run conformance -- --server URL --token TOKEN --ca FILE [CASE-PATTERN…]
//   compares the server's answers with the recorded ones of a real kube-apiserver;
//   --against URL --against-token TOKEN --against-ca FILE   with those of a second, live server;
//   --keep-namespaces   for a server that is thrown away;
//   --record   writes them down instead;  --show   prints them;  --suffix S   for names of this run.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Case } from './case.ts';
import { type Answerer, runDifferential } from './differential.ts';
import { judge, parseKnownDifferences } from './known-differences.ts';
import { loadCases } from './load-cases.ts';
import { matchesPath } from './paths.ts';
import { readRecordings, writeRecordings } from './recording.ts';
import { formatJudgement } from './report.ts';
import { runCase, type Transcript } from './run-case.ts';
import { connect } from './server.ts';

const FOLDER = join(FLOTILLA_ROOT, 'conformance');
const RECORDED = join(FOLDER, 'recorded');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    server: { type: 'string' },
    token: { type: 'string', default: '' },
    ca: { type: 'string' },
    against: { type: 'string' },
    'against-token': { type: 'string', default: '' },
    'against-ca': { type: 'string' },
    record: { type: 'boolean', default: false },
    show: { type: 'boolean', default: false },
    'keep-namespaces': { type: 'boolean', default: false },
    suffix: { type: 'string', default: `-${Date.now().toString(36).slice(-6)}` },
  },
});

function live(url: string, token: string, caFile: string | undefined): Answerer {
  if (caFile === undefined) throw new Error(`Cannot reach "${url}": --ca names no file`);
  const connection = connect({ name: url, url, token, ca: readFileSync(caFile, 'utf8') });
  return (each) =>
    runCase(each, connection, { suffix: values.suffix, keepNamespaces: values['keep-namespaces'] });
}

function recorded(cases: readonly Case[]): Answerer {
  const transcripts = readRecordings(RECORDED, cases);
  return async ({ id }) => {
    const transcript = transcripts.get(id);
    if (transcript === undefined) throw new Error(`Cannot compare "${id}": it is not recorded`);
    return transcript;
  };
}

async function main(): Promise<number> {
  const { server, token, ca } = values;
  if (server === undefined) throw new Error('Cannot run: --server names no URL');
  const cases = loadCases(join(FOLDER, 'cases')).filter(
    ({ id, topic }) =>
      positionals.length === 0 ||
      positionals.some((pattern) => matchesPath([pattern], [id]) || pattern === topic),
  );
  if (cases.length === 0) throw new Error(`Cannot find a case for "${positionals.join(' ')}"`);
  const subject = live(server, token, ca);
  if (values.record || values.show) return show(cases, subject);
  const reference =
    values.against === undefined
      ? recorded(cases)
      : live(values.against, values['against-token'], values['against-ca']);

  const results = await runDifferential(cases, { reference, subject });
  const known = parseKnownDifferences(readFileSync(join(FOLDER, 'differences.md'), 'utf8'));
  const judgement = judge(
    results.flatMap(({ differences }) => differences),
    known,
  );
  const partial = positionals.length > 0;
  const report = partial ? { ...judgement, stale: [] } : judgement;
  console.log(formatJudgement(report, { wanted: 'wanted', got: 'got' }));
  const surprises = results.flatMap(({ each, surprises }) =>
    surprises.map((surprise) => `${each.id}: ${surprise}`),
  );
  for (const surprise of surprises)
    console.log(`the reference itself answers otherwise: ${surprise}`);
  const equal = results.filter(({ differences }) => differences.length === 0).length;
  console.log(
    `\n${results.length} cases, ${equal} equal, ${judgement.unexplained.length} unexplained and ` +
      `${judgement.explained.length} intended differences, ${report.stale.length} stale rows`,
  );
  return judgement.unexplained.length + report.stale.length + surprises.length > 0 ? 1 : 0;
}

async function show(cases: readonly Case[], subject: Answerer): Promise<number> {
  if (
    values.record &&
    positionals.some((pattern) => cases.every(({ topic }) => topic !== pattern))
  ) {
    throw new Error('Cannot record single cases: name whole topics');
  }
  const transcripts = new Map<string, Transcript>();
  for (const each of cases) transcripts.set(each.id, await subject(each));
  if (values.record) writeRecordings(RECORDED, cases, transcripts);
  else console.log(JSON.stringify([...transcripts.values()], null, 1));
  return 0;
}

process.exit(await main());
