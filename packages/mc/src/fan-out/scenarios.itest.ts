import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Access } from '@flotilla/client';
import { ManualClock } from '@flotilla/machinery/testing';
import { eventually } from '@flotilla/testkit';
import { startBlackHole } from '../testing/black-hole.ts';
import {
  malformedJsonRaw,
  neverAnswer,
  podsRaw,
  refusalRaw,
  unauthorizedRaw,
} from '../testing/raw-answers.ts';
import { writeRawHome } from '../testing/raw-home.ts';
import { refusingMember, startRawMember, withWrongCa } from '../testing/raw-member.ts';
import { type RunMcOptions, startMc } from '../testing/run-mc.ts';
import { probeVerb } from './testing/probe-verb.ts';

const ARGS = ['probe', '--inventory', 'kubeconfig'];
const ESC = '\u001b';

function start(members: Record<string, Access>, args: string[] = [], options: RunMcOptions = {}) {
  const home = writeRawHome(members);
  const run = startMc([...ARGS, ...args], {
    homeFolder: home.homeFolder,
    verbs: { probe: async () => probeVerb },
    ...options,
  });
  void run.done.finally(() => home[Symbol.dispose]());
  return run;
}

test('one fleet with every kind of bad member: the healthy are shown, causes are right, exit code 3', async () => {
  await using fine = await startRawMember(podsRaw('x', 'y'));
  await using unknown = await startRawMember(unauthorizedRaw);
  await using forbidding = await startRawMember(refusalRaw(403, 'Forbidden', 'pods is forbidden'));
  await using lying = await startRawMember(malformedJsonRaw);
  await using silent = await startRawMember(neverAnswer);
  await using hole = await startBlackHole();
  const clock = new ManualClock();
  const run = start(
    {
      fine: fine.access,
      unknown: unknown.access,
      forbidding: forbidding.access,
      lying: lying.access,
      silent: silent.access,
      hole: hole.access,
      dead: refusingMember().access,
      stranger: withWrongCa(fine.access),
    },
    ['-v'],
    { clock },
  );
  let isOver = false;
  void run.done.then(() => {
    isOver = true;
  });
  await eventually(() => silent.requests.length === 1);
  await eventually(async () => {
    await clock.advance(1_000);
    return isOver;
  });
  const { code, stdout, stderr } = await run.done;

  assert.equal(code, 3);
  assert.equal(stdout, 'fine: x y\n');
  assert.match(stderr, /Warning: Failed to query 7\/8 clusters\.\n/);
  assert.match(stderr, /\n {2}dead: unreachable: Cannot reach .*connection refused/);
  assert.match(stderr, /\n {2}forbidding: forbidden: pods is forbidden\n/);
  assert.match(stderr, /\n {2}hole: timeout: Cannot reach .*no connection within 5 s/);
  assert.match(stderr, /\n {2}lying: error: Cannot read what the server sent/);
  assert.match(stderr, /\n {2}silent: timeout after 30s \(https:\/\/127\.0\.0\.1:\d+\)\n/);
  assert.match(
    stderr,
    /\n {2}stranger: tls: with the certificate authority of context "stranger" of .*: Cannot trust /,
  );
  assert.match(stderr, /\n {2}unknown: unauthorized: You must be logged in to the server/);
  assert.match(stderr, /\n {2}fine: ok after \d+m?s \(https:/);
  assert.doesNotMatch(stderr, /s3cr3t/);
  assert.ok(clock.elapsed() <= 60_000);
});

test('MC-48 when every cluster fails stdout is empty, every cause is listed and the exit code is 1', async () => {
  await using unknown = await startRawMember(unauthorizedRaw);
  const dead = Object.fromEntries(
    Array.from({ length: 9 }, (_, at) => [`dead${at}`, refusingMember().access]),
  );
  const { code, stdout, stderr } = await start({ ...dead, unknown: unknown.access }).done;
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /^error: Failed to query 10\/10 clusters\.\n/);
  for (const name of [...Object.keys(dead), 'unknown']) assert.ok(stderr.includes(name), name);
});

test('MC-49 --fail-fast starts nobody after the first failure and lists the rest', async () => {
  await using fine = await startRawMember(podsRaw('x'));
  const { code, stderr } = await start(
    { a: refusingMember().access, b: fine.access, c: fine.access },
    ['--fail-fast', '--concurrency=1'],
  ).done;
  assert.equal(code, 1);
  assert.match(stderr, /Failed to query 1\/3 clusters/);
  assert.match(stderr, /\nNot started: b, c\n/);
  assert.equal(fine.openConnections() + fine.requests.length, 0);
});

test('MC-51 Ctrl-C prints what is complete, lists what was cancelled and exits with 130', async () => {
  await using fine = await startRawMember(podsRaw('x'));
  await using silent = await startRawMember(neverAnswer);
  const run = start({ fine: fine.access, silent: silent.access }, ['--stream']);
  await eventually(() => silent.requests.length === 1 && fine.requests.length === 1);
  await eventually(fine.openConnections, (open) => open === 0);
  run.interrupt(130);
  const { code, stdout, stderr } = await run.done;
  assert.equal(code, 130);
  assert.equal(stdout, 'fine: x\n');
  assert.match(stderr, /Cancelled: silent\n$/);
  await eventually(silent.openConnections, (open) => open === 0);
});

test('MC-79 on a terminal errors are coloured and progress is shown; piped or with NO_COLOR they are not', async () => {
  const members = { a: refusingMember().access };
  const piped = await start(members).done;
  assert.equal(piped.stderr.includes(ESC), false);
  const plain = await start(members, [], { terminal: true, env: { NO_COLOR: '1' } }).done;
  assert.equal(plain.stderr.includes(ESC), false);
  const colourful = await start(members, [], { terminal: true, env: { TERM: 'xterm' } }).done;
  assert.ok(colourful.stderr.includes(`${ESC}[31merror: Failed to query`));

  await using silent = await startRawMember(neverAnswer);
  const clock = new ManualClock();
  const run = start({ s: silent.access }, [], { terminal: true, clock, env: { TERM: 'xterm' } });
  await eventually(() => silent.requests.length === 1);
  await clock.advance(300);
  assert.match(run.stderr(), /0\/1 clusters$/);
  run.interrupt();
  assert.ok((await run.done).stderr.includes(`0/1 clusters\r${ESC}[K`));
});

test('MC-82 -v=8 prints headers with Authorization redacted', async () => {
  await using fine = await startRawMember(podsRaw('x'));
  const { code, stdout, stderr } = await start({ fine: fine.access }, ['-v=8']).done;
  assert.deepEqual([code, stdout], [0, 'fine: x\n']);
  assert.match(stderr, /fine: GET https:.*\/api\/v1\/pods\?limit=500 200 in \d+ milliseconds\n/);
  assert.match(stderr, /\n {4}Authorization: <redacted>\n/);
  assert.doesNotMatch(stderr, /s3cr3t/);
  assert.equal(fine.authorizations[0], 'Bearer s3cr3t-t0ken');
});

test('a cluster that nobody can reach is no obstacle under --allow-partial', async () => {
  await using fine = await startRawMember(podsRaw('x'));
  const { code } = await start({ a: refusingMember().access, fine: fine.access }, [
    '--allow-partial',
  ]).done;
  assert.equal(code, 0);
});
