import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Pods } from '@flotilla/client';
import { eventually } from '@flotilla/testkit';
import { refusalAnswer } from '../../testing/fleet-server.ts';
import { type McRun, runMc, startMc } from '../../testing/run-mc.ts';
import { at, type LogFleet, startLogFleet } from './testing/log-fleet.ts';

const PATIENCE = { withinMs: 30_000 };

/** Waits until a run has printed so many lines, and gives them. */
async function linesOf(run: McRun, count: number): Promise<string[]> {
  const look = () => run.stdout().split('\n').slice(0, -1);
  return await eventually(look, ({ length }) => length >= count, PATIENCE);
}

async function following(fleet: LogFleet, counts: Readonly<Record<string, number>>): Promise<void> {
  for (const [member, count] of Object.entries(counts)) {
    await eventually(() => fleet.kubelet(member).following() === count, undefined, PATIENCE);
  }
}

async function interrupted(run: McRun): Promise<void> {
  run.interrupt();
  const { code, stderr } = await run.done;
  assert.equal(code, 130);
  assert.doesNotMatch(stderr, /Cancelled|Failed/);
}

describe('logs that are followed', () => {
  test('MC-57 lines of three clusters never mix, later pods are followed, and a cluster that drops goes on where it was', async () => {
    await using fleet = await startLogFleet({ members: 3 });
    const labels = { app: 'x' };
    const written: string[] = [];
    const write = (member: string, pod: string, second: number, text: string) => {
      fleet.kubelet(member).log(pod).write(at(second, text));
      written.push(`[${member}/pod/${pod}/main] ${text}`);
    };
    for (const member of ['c1', 'c2', 'c3']) {
      await fleet.createPod(member, { name: 'web', labels });
      write(member, 'web', 1, `hello from ${member}`);
    }
    const run = startMc(['logs', '-l', 'app=x', '-f'], fleet);
    await following(fleet, { c1: 1, c2: 1, c3: 1 });
    // Longer than what arrives in one piece, and than what is held of a line.
    const long = (char: string) => char.repeat(700_000);
    for (const [index, member] of ['c1', 'c2', 'c3'].entries()) {
      write(member, 'web', 2, long(String(index)));
      write(member, 'web', 2, `after the long line of ${member}`);
    }
    await linesOf(run, 9);

    await fleet.createPod('c3', { name: 'later', labels });
    write('c3', 'later', 3, 'new here');
    await fleet.createPod('c3', { name: 'other', labels: { app: 'y' } });
    fleet.kubelet('c3').log('other').write(at(3, 'not meant'));
    await linesOf(run, 10);

    await fleet.member('c2').server.stop();
    write('c1', 'web', 4, 'c1 goes on');
    write('c2', 'web', 4, 'said while nobody could hear it');
    await linesOf(run, 11);
    await eventually(() => /^c2: .*; retrying$/m.test(run.stderr()), undefined, PATIENCE);
    await fleet.member('c2').server.start();
    await following(fleet, { c2: 1 });
    write('c2', 'web', 5, 'said afterwards');
    const lines = await linesOf(run, 13);
    await interrupted(run);
    // Not compared as a whole: nobody wants to read the long ones.
    assert.ok(lines.toSorted().join() === written.toSorted().join(), 'each line once');
    for (const member of ['c1', 'c2', 'c3']) {
      const own = (line: string) => line.startsWith(`[${member}/pod/web/`);
      assert.ok(lines.filter(own).join() === written.filter(own).join(), `the order of ${member}`);
    }
  });

  test('a connection that is cut in the middle of a second, a line or a burst loses and repeats nothing', async () => {
    await using fleet = await startLogFleet({ members: 2 });
    const kubelet = fleet.kubelet('c1');
    const log = kubelet.log('web');
    await fleet.createPod('c1', { name: 'web', labels: { app: 'x' } });
    let count = 0;
    const next = (second: number) => {
      count += 1;
      return at(second, `line ${count}`);
    };
    log.write(next(1), next(1), next(1.5));
    const run = startMc(['logs', '-f', '-l', 'app=x', '--prefix=false', '--tail', '2'], fleet);
    for (let round = 2; round < 6; round += 1) {
      await following(fleet, { c1: 1 });
      // Stamped a little out of order, as standard output and error are.
      log.write(next(round + 0.5), next(round + 0.4), next(round + 0.5), next(round - 0.1));
      kubelet.cut();
      log.write(next(round + 0.5), next(round + 0.45));
    }
    await following(fleet, { c1: 1 });
    log.write(next(9));
    const lines = await linesOf(run, count - 1);
    await interrupted(run);
    assert.deepEqual(
      lines,
      Array.from({ length: count - 1 }, (_, index) => `line ${index + 2}`),
    );
  });

  test('a very long line that is cut off goes on where it was', async () => {
    await using fleet = await startLogFleet({ members: 1 });
    await fleet.createPod('c1', { name: 'web' });
    const log = fleet.kubelet('c1').log('web');
    const run = startMc(['logs', 'web', '-f', '--prefix'], fleet);
    await following(fleet, { c1: 1 });
    const line = at(1, `${'a'.repeat(600_000)}${'b'.repeat(600_000)}!`);
    log.begin(line, 700_000);
    await eventually(() => run.stdout().length > 250_000, undefined, PATIENCE);
    fleet.kubelet('c1').cut();
    log.write(line, at(2, 'next'));
    const lines = await linesOf(run, 2);
    await interrupted(run);
    assert.ok(lines[0] === `[c1/pod/web/main] ${line.text}`, 'the line is whole');
    assert.deepEqual(lines.slice(1), ['[c1/pod/web/main] next']);
  });

  test('--tail=0 shows nothing of what was there, and all that comes, also after a cut', async () => {
    await using fleet = await startLogFleet({ members: 1 });
    for (const name of ['full', 'empty']) await fleet.createPod('c1', { name, labels: { a: 'b' } });
    const kubelet = fleet.kubelet('c1');
    kubelet.log('full').write(at(1.1, 'old'), at(1.2, 'old'));
    const run = startMc(['logs', '-f', '-l', 'a=b', '--tail=0'], fleet);
    await following(fleet, { c1: 2 });
    fleet.kubelet('c1').cut();
    kubelet.log('full').write(at(1.3, 'new in the same second'));
    for (let line = 0; line < 12; line += 1) kubelet.log('empty').write(at(1, `first ${line}`));
    const lines = await linesOf(run, 13);
    await interrupted(run);
    assert.equal(lines.length, 13);
    assert.ok(lines.includes('[c1/pod/full/main] new in the same second'));
    assert.equal(lines.filter((line) => line.startsWith('[c1/pod/empty/')).length, 12);
  });

  test('a log that is named ends with its container, and so does the run', async () => {
    await using fleet = await startLogFleet({ members: 3 });
    for (const member of ['c1', 'c2']) {
      await fleet.createPod(member, { name: 'job' });
      fleet.kubelet(member).log('job').write(at(1, 'begin'));
    }
    const run = startMc(['logs', '-f', 'job'], fleet);
    await following(fleet, { c1: 1, c2: 1 });
    for (const member of ['c1', 'c2']) {
      const log = fleet.kubelet(member).log('job');
      log.write(at(2, 'end'), { ...at(3, 'without newline'), hasEnd: false });
      await fleet.setState(member, { name: 'job', state: 'ended' });
      log.end();
    }
    const { code, stdout, stderr } = await run.done;
    assert.deepEqual([code, stderr], [0, '']);
    for (const member of ['c1', 'c2']) {
      const own = stdout.split('\n').filter((line) => line.startsWith(`[${member}/`));
      assert.deepEqual(own, [
        `[${member}/pod/job/main] begin`,
        `[${member}/pod/job/main] end`,
        `[${member}/pod/job/main] without newline`,
      ]);
    }
  });

  test('a pod that is deleted ends its log', async () => {
    await using fleet = await startLogFleet({ members: 1 });
    await fleet.createPod('c1', { name: 'web' });
    const log = fleet.kubelet('c1').log('web');
    log.write(at(1, 'only line'));
    const run = startMc(['logs', '-f', 'web'], fleet);
    await following(fleet, { c1: 1 });
    await fleet
      .member('c1')
      .client.delete(Pods, { name: 'web', namespace: 'default' }, { gracePeriodSeconds: 0 });
    log.end();
    assert.deepEqual(await run.done, { code: 0, stdout: 'only line\n', stderr: '' });
  });

  test('a container that starts again is followed again, and one that has not started is waited for', async () => {
    await using fleet = await startLogFleet({ members: 1 });
    const kubelet = fleet.kubelet('c1');
    const labels = { app: 'x' };
    await fleet.createPod('c1', { name: 'crash', labels });
    await fleet.createPod('c1', { name: 'slow', labels, state: 'waiting' });
    kubelet.log('crash').write(at(1, 'first run'));
    const run = startMc(['logs', '-f', '-l', 'app=x', '--prefix=false'], fleet);
    await following(fleet, { c1: 1 });
    // The first run ends; its last words are in the log of the previous run by the time anybody looks.
    kubelet.log('crash', 'main', true).write(at(1, 'first run'), at(2, 'last words'));
    await fleet.setState('c1', { name: 'crash', restarts: 1 });
    kubelet.log('crash').end();
    await linesOf(run, 2);
    kubelet.log('slow').write(at(1, 'slow at last'));
    await fleet.setState('c1', { name: 'slow' });
    const lines = await linesOf(run, 4);
    await interrupted(run);
    assert.deepEqual(lines.toSorted(), ['first run', 'first run', 'last words', 'slow at last']);
    assert.deepEqual(lines.slice(0, 2), ['first run', 'last words']);
  });

  test('a cluster that is down at the start joins when it is up', async () => {
    await using fleet = await startLogFleet({ members: 2 });
    for (const member of ['c1', 'c2']) {
      await fleet.createPod(member, { name: 'web', labels: { app: 'x' } });
      fleet.kubelet(member).log('web').write(at(1, 'hello'));
    }
    await fleet.member('c2').server.stop();
    const run = startMc(['logs', '-f', '-l', 'app=x'], fleet);
    await following(fleet, { c1: 1 });
    await eventually(() => /^c2: .*; retrying$/m.test(run.stderr()), undefined, PATIENCE);
    await fleet.member('c2').server.start();
    await following(fleet, { c2: 1 });
    assert.equal((await linesOf(run, 2)).length, 2);
    await interrupted(run);
    // Told once.
    assert.equal(run.stderr().match(/retrying/g)?.length, 1);
  });

  test('who may not read logs fails, and the others go on', async () => {
    await using fleet = await startLogFleet({ members: 2 });
    for (const member of ['c1', 'c2']) {
      await fleet.createPod(member, { name: 'web', labels: { app: 'x' } });
      fleet.kubelet(member).log('web').write(at(1, 'hello'));
    }
    fleet
      .member('c2')
      .answerWith((request, next) =>
        request.path.endsWith('/log')
          ? Promise.resolve(refusalAnswer(403, 'Forbidden', 'pods "web" is forbidden'))
          : next(request),
      );
    for (const args of [['-l', 'app=x'], ['web']]) {
      const run = startMc(['logs', '-f', ...args], fleet);
      await following(fleet, { c1: 1 });
      await eventually(() => /^c2: forbidden: /m.test(run.stderr()), undefined, PATIENCE);
      await interrupted(run);
      await following(fleet, { c1: 0 });
    }
  });

  test('nobody to read the output ends it quietly', async () => {
    await using fleet = await startLogFleet({ members: 1 });
    await fleet.createPod('c1', { name: 'web' });
    fleet.kubelet('c1').log('web').write(at(1, 'hello'));
    const run = startMc(['logs', '-f', 'web'], fleet);
    await linesOf(run, 1);
    run.closeReader();
    assert.deepEqual(await run.done, { code: 0, stdout: 'hello\n', stderr: '' });
  });

  test('--limit-bytes counts what is shown', async () => {
    await using fleet = await startLogFleet({ members: 1 });
    await fleet.createPod('c1', { name: 'web' });
    const log = fleet.kubelet('c1').log('web');
    log.write(at(1, '1234'), at(2, '6789'));
    const run = startMc(['logs', '-f', 'web', '--limit-bytes=12'], fleet);
    await following(fleet, { c1: 1 });
    log.write(at(3, 'abcdef'));
    assert.deepEqual(await run.done, { code: 0, stdout: '1234\n6789\nab', stderr: '' });
  });
});

describe('more logs than may be followed', () => {
  test('MC-59 are refused in the words of kubectl, which name the flag', async () => {
    await using fleet = await startLogFleet({ members: 2 });
    const labels = { app: 'x' };
    for (let pod = 0; pod < 6; pod += 1) await fleet.createPod('c1', { name: `p${pod}`, labels });
    const refused = (text: string) => ({ code: 1, stdout: '', stderr: `error: ${text}\n` });
    const few =
      'you are attempting to follow 6 log streams of cluster c1, but maximum allowed concurrency is 5, use --max-log-requests to increase the limit';
    assert.deepEqual(await runMc(['logs', '-f', '-l', 'app=x'], fleet), refused(few));
    assert.deepEqual(
      await runMc(['logs', '-f', '-l', 'app=x', '--clusters=c1'], fleet),
      refused(few.replace(' of cluster c1', '')),
    );

    const containers = Array.from({ length: 50 }, (_, index) => `c${index}`);
    for (const [member, name] of [
      ['c1', 'a'],
      ['c1', 'b'],
      ['c1', 'c'],
      ['c2', 'a'],
      ['c2', 'b'],
      ['c2', 'c'],
    ] as const) {
      await fleet.createPod(member, { name, labels: { app: 'many' }, containers });
    }
    const many = ['logs', '-f', '-l', 'app=many', '--all-containers', '--max-log-requests=150'];
    assert.deepEqual(
      await runMc(many, fleet),
      refused(
        'you are attempting to follow 300 log streams, but maximum allowed concurrency is 200, use --max-total-log-requests to increase the limit',
      ),
    );
    const run = startMc([...many, '--max-total-log-requests=300', '--tail=1'], fleet);
    await following(fleet, { c1: 150, c2: 150 });
    await interrupted(run);
  });

  test('wait for their turn when they come later', async () => {
    await using fleet = await startLogFleet({ members: 1 });
    const labels = { app: 'x' };
    for (const name of ['one', 'two']) await fleet.createPod('c1', { name, labels });
    const args = ['logs', '-f', '-l', 'app=x', '--max-log-requests=2'];
    const run = startMc(args, fleet);
    await following(fleet, { c1: 2 });
    fleet.kubelet('c1').log('three').write(at(1, 'third'));
    await fleet.createPod('c1', { name: 'three', labels });
    await eventually(() => run.stderr() !== '', undefined, PATIENCE);
    assert.equal(
      run.stderr(),
      'pod/three waits until another log ends, use --max-log-requests or --max-total-log-requests to increase the limit\n',
    );
    await fleet.setState('c1', { name: 'one', state: 'ended' });
    fleet.kubelet('c1').log('one').end();
    assert.deepEqual(await linesOf(run, 1), ['[c1/pod/three/main] third']);
    await interrupted(run);
  });
});
