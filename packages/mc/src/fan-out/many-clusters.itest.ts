import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { execCredential } from '@flotilla/client';
import { systemClock } from '@flotilla/machinery';
import { ManualClock } from '@flotilla/machinery/testing';
import { eventually } from '@flotilla/testkit';
import { BrokenPipe, Interrupted } from '../io.ts';
import { startBlackHole } from '../testing/black-hole.ts';
import { neverAnswer, podsRaw, slowRaw } from '../testing/raw-answers.ts';
import { accessTo, type RawAnswer, startRawMember } from '../testing/raw-member.ts';
import { createFanOut } from './create-fan-out.ts';
import { fleetOf, podNames, settingsOf, testDeps } from './testing/test-fleet.ts';

const SERVER = process.env['MC_TEST_SERVER'];
const PID_FILE = process.env['MC_TEST_PID_FILE'];

const fleetAt = (url: string, count: number) =>
  fleetOf(Object.fromEntries(Array.from({ length: count }, (_, at) => [`c${at}`, accessTo(url)])));

/** Counts how many requests are open at once. */
function counted(answer: RawAnswer): { answer: RawAnswer; most: () => number } {
  let open = 0;
  let most = 0;
  return {
    most: () => most,
    answer: (request, response, count) => {
      open += 1;
      most = Math.max(most, open);
      response.once('close', () => {
        open -= 1;
      });
      return answer(request, response, count);
    },
  };
}

if (SERVER === undefined) describeAll();
else if (PID_FILE === undefined) await askFromOutside(SERVER);
else await interruptFromOutside(SERVER, PID_FILE);

/** Runs this file again, as a process of its own; what it prints. */
async function runAgain(env: Readonly<Record<string, string>>, limit = 4_096): Promise<string> {
  const { NODE_TEST_CONTEXT: _, ...others } = process.env;
  const child = spawn(
    'sh',
    [
      '-c',
      `ulimit -n ${limit} && exec "$0" "$1"`,
      process.execPath,
      fileURLToPath(import.meta.url),
    ],
    { env: { ...others, ...env }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const [code] = (await once(child, 'close')) as [number];
  return `${printed.trim()}, exit ${code}`;
}

function describeAll(): void {
  test('MC-55 with concurrency 10 never more than ten requests are open, over few connections', async () => {
    const { answer, most } = counted(slowRaw(2, podsRaw('x')));
    await using member = await startRawMember(answer);
    let connections = 0;
    const outcomes = await createFanOut(testDeps())(fleetAt(member.url, 200), podNames, {
      onOutcome: () => {
        connections = Math.max(connections, member.openConnections());
      },
    });
    assert.equal(outcomes.filter(({ status }) => status === 'ok').length, 200);
    assert.equal(member.requests.length, 200);
    assert.ok(most() <= 10, String(most()));
    assert.ok(connections <= 50, String(connections));
    await eventually(member.openConnections, (open) => open === 0);
  });

  test('MC-55 200 clusters can be asked with 256 file descriptors', async () => {
    await using member = await startRawMember(podsRaw('x'));
    assert.equal(await runAgain({ MC_TEST_SERVER: member.url }, 256), '200 ok, exit 0');
  });

  test('MC-51 a credential command does not outlive the run, not even one that will not end', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'flotilla-mc-'));
    const pidFile = join(folder, 'pid');
    try {
      await using member = await startRawMember(podsRaw('x'));
      const env = { MC_TEST_SERVER: member.url, MC_TEST_PID_FILE: pidFile };
      assert.equal(await runAgain(env), 'cancelled, exit 130');
      const pid = Number(readFileSync(pidFile, 'utf8'));
      await eventually(() => !isRunning(pid));
      assert.equal(member.requests.length, 0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('clusters that swallow connection attempts hold no turn of the others', async () => {
    await using hole = await startBlackHole();
    await using member = await startRawMember(podsRaw('x'));
    const fine = fleetAt(member.url, 30).clusters;
    const holes = fleetAt(hole.url, 12).clusters;
    // Ten fine ones take the turns there are, then the holes are connected to ahead of theirs.
    const clusters = [...fine.slice(0, 10), ...holes, ...fine.slice(10)];
    const order: string[] = [];
    const clock = new ManualClock();
    const running = createFanOut(testDeps({ clock }))({ clusters }, podNames, {
      onOutcome: ({ status }) => order.push(status),
    });
    await eventually(() => order.length === 30);
    assert.deepEqual(new Set(order), new Set(['ok']));
    await eventually(async () => {
      await clock.advance(1_000);
      return order.length === 42;
    });
    assert.deepEqual(new Set(order.slice(30)), new Set(['timeout']));
    await running;
  });

  for (const reason of [new Interrupted(130), new BrokenPipe()]) {
    test(`MC-51 a run that is ended (${reason.name}) closes every connection, also those made ahead`, async () => {
      await using member = await startRawMember(neverAnswer);
      const stop = new AbortController();
      const running = createFanOut(testDeps({ signal: stop.signal }))(
        fleetAt(member.url, 100),
        podNames,
      );
      await eventually(() => member.requests.length === 10 && member.openConnections() > 10);
      stop.abort(reason);
      const outcomes = await running;
      assert.equal(outcomes.filter(({ status }) => status === 'cancelled').length, 100);
      assert.equal(member.requests.length, 10);
      await eventually(member.openConnections, (open) => open === 0);
    });
  }

  test('with --fail-fast nobody is connected to ahead of their turn', async () => {
    await using member = await startRawMember(neverAnswer);
    const stop = new AbortController();
    const settings = settingsOf({ failFast: true, maxConcurrency: 2 });
    const running = createFanOut(testDeps({ settings, signal: stop.signal }))(
      fleetAt(member.url, 20),
      podNames,
    );
    await eventually(() => member.requests.length === 2);
    assert.equal(member.openConnections(), 2);
    stop.abort(new Interrupted(130));
    await running;
  });
}

/** What the child with few file descriptors does. */
async function askFromOutside(url: string): Promise<void> {
  const outcomes = await createFanOut(testDeps())(fleetAt(url, 200), podNames);
  const bad = outcomes.find(({ status }) => status !== 'ok');
  process.stdout.write(bad === undefined ? '200 ok' : `${bad.status}: ${bad.failure?.message}`);
}

/** What the child does that is interrupted while a command of its runs. */
async function interruptFromOutside(url: string, pidFile: string): Promise<void> {
  const stop = new AbortController();
  const credential = execCredential(
    {
      command: 'sh',
      args: ['-c', `trap '' TERM; echo $$ > ${pidFile}; while :; do sleep 1; done`],
      apiVersion: 'client.authentication.k8s.io/v1',
      interactiveMode: 'Never',
    },
    { env: process.env, clock: systemClock },
  );
  const running = createFanOut(testDeps({ signal: stop.signal }))(
    fleetOf({ c: accessTo(url, { credential }) }),
    podNames,
  );
  await eventually(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8').endsWith('\n'));
  stop.abort(new Interrupted(130));
  const [outcome] = await running;
  process.stdout.write(String(outcome?.status), () => process.exit(130));
}

/** Whether a process does anything any more; one that nobody has taken note of yet does not. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !existsSync('/proc') || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
