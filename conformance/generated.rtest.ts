// Random cases on a real kube-apiserver and on ours. `npm run soak -- generated` runs 5,000 of them;
// FLOTILLA_SEED chooses others, and a case is printed with the fewest steps that show a difference.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { dump } from 'js-yaml';
import { startReal } from '../tools/real-kubernetes/start-real.ts';
import type { Case, Step } from './case.ts';
import type { Difference } from './compare.ts';
import { generateCase } from './generated/generate-case.ts';
import { judgeCase, type Servers } from './generated/judge-case.ts';
import { CUSTOM_CRD } from './generated/kinds.ts';
import { shrink } from './generated/shrink.ts';
import { REAL_OPTIONS } from './real-options.ts';
import { formatJudgement } from './report.ts';
import { type Connection, connect } from './server.ts';
import { startOurs } from './start-ours.ts';

const AT_ONCE = 4;
const MOST_SHRUNK = 15;
const count = Number(process.env['FLOTILLA_GENERATED_CASES'] ?? 120);
const seed = Number(process.env['FLOTILLA_SEED'] ?? 1);
// FLOTILLA_SIDES=real,real judges the generator: two real servers must not differ.
const isSelfTest = process.env['FLOTILLA_SIDES'] === 'real,real';

async function startRealServer(): Promise<Connection> {
  const real = await startReal(REAL_OPTIONS);
  after(() => real.stop());
  const { url, token } = real;
  return connect({ name: 'real', url, token, ca: readFileSync(real.caFile, 'utf8') });
}

async function startOurServer(): Promise<Connection> {
  const ours = await startOurs();
  after(() => ours[Symbol.asyncDispose]());
  return connect(ours.server);
}

async function installCustomKind(connection: Connection): Promise<void> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const { token } = connection.server;
  const headers = { 'content-type': 'application/json' };
  const bytes = Buffer.from(JSON.stringify(CUSTOM_CRD));
  const made = await connection.send({ method: 'POST', path, headers, token, bytes });
  assert.equal(made.code, 201, made.bytes.toString());
  const things = '/apis/generated.example/v1/things';
  const isServed = async () =>
    (await connection.send({ method: 'GET', path: things, headers: {}, token })).code === 200;
  while (!(await isServed())) await new Promise((resolve) => setTimeout(resolve, 100));
}

const servers: Servers = {
  reference: await startRealServer(),
  subject: await (isSelfTest ? startRealServer() : startOurServer()),
};
after(() => {
  servers.reference.close();
  servers.subject.close();
});
await Promise.all([servers.reference, servers.subject].map(installCustomKind));

interface Finding {
  readonly each: Case;
  readonly unexplained: readonly Difference[];
}

test(`${count} generated cases from seed ${seed} are answered alike`, async (t) => {
  const findings: Finding[] = [];
  let [explained, steps, next] = [0, 0, seed];
  const work = async () => {
    for (let current = next++; current < seed + count; current = next++) {
      const each = generateCase(current);
      steps += each.steps.length;
      const outcome = await judgeCase(each, servers, '');
      explained += outcome.explained;
      if (outcome.unexplained.length > 0) findings.push({ each, unexplained: outcome.unexplained });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));

  t.diagnostic(
    `figure: generated: ${count} cases, ${steps} steps, seeds ${seed} to ${seed + count - 1}: ` +
      `${findings.length} with unexplained and ${explained} intended differences`,
  );
  const reports: string[] = [];
  for (const [first, ...others] of groups(findings).slice(0, MOST_SHRUNK)) {
    if (first === undefined) continue;
    const like = others.map(({ each }) => each.id).slice(0, 20);
    reports.push(`${await explain(first)}${like.length === 0 ? '' : `  and like it ${like}\n`}`);
  }
  assert.ok(findings.length === 0, reports.join('\n'));
});

/** Findings that look like one bug together, the most frequent first. */
function groups(findings: readonly Finding[]): Finding[][] {
  const bySign = new Map<string, Finding[]>();
  for (const finding of findings) {
    const sign = signOf(finding);
    bySign.set(sign, [...(bySign.get(sign) ?? []), finding]);
  }
  return [...bySign.values()].sort((a, b) => b.length - a.length);
}

/** What a difference looks like without the names and numbers of its case. */
function signOf({ unexplained: [first] }: Finding): string {
  if (first === undefined) return '';
  const text = [first.wanted, first.got].map((value) => JSON.stringify(value) ?? '').join(' ');
  const [verb] = first.step.split(' ', 1);
  return `${verb} ${first.path.at(-1)} ${text.replace(/\\?"[^"]*\\?"|\d+/g, '_').slice(0, 80)}`;
}

/** The smallest form of a finding, as a case and as what differs. */
async function explain({ each, unexplained }: Finding): Promise<string> {
  let tries = 0;
  let last = unexplained;
  const smaller = await shrink(each, async (candidate) => {
    tries += 1;
    const outcome = await judgeCase(candidate, servers, `-${tries}`);
    if (outcome.unexplained.length > 0) last = outcome.unexplained;
    return outcome.unexplained.length > 0;
  });
  const written = { [smaller.id]: { title: smaller.title, steps: smaller.steps.map(asWritten) } };
  const judgement = { unexplained: last, explained: [], stale: [] };
  return `${dump(written)}${formatJudgement(judgement, { wanted: 'real', got: 'ours' })}\n`;
}

/** A step as the files of cases write it. */
function asWritten({ verb, path, during, ...rest }: Step): Record<string, unknown> {
  return {
    [verb]: path,
    ...rest,
    ...(during === undefined ? {} : { during: during.map(asWritten) }),
  };
}
