import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '@flotilla/machinery';
import { ManualClock } from '@flotilla/machinery/testing';
import { inTurns } from './in-turns.ts';
import { readFetched } from './read-fetched.ts';
import { runProgram } from './run-program.ts';

const run = (script: string, changes: Partial<Parameters<typeof runProgram>[0]> = {}) =>
  runProgram({
    path: '/bin/sh',
    args: ['-c', script],
    env: { PATH: '/usr/bin:/bin', X: 'y' },
    timeoutMs: 60_000,
    clock: systemClock,
    signal: new AbortController().signal,
    ...changes,
  });

test('a program gets its words, its variables and nothing to read', async () => {
  const ended = await run('cat; echo "$X"; echo oops >&2; exit 3');
  assert.deepEqual(ended, { code: 3, timedOut: false, stdout: 'y\n', stderr: 'oops\n' });
});

test('a program that takes too long is ended', async () => {
  const clock = new ManualClock();
  const ending = run('echo started; sleep 600', { clock });
  await clock.advance(60_000);
  const { code, timedOut } = await ending;
  assert.deepEqual([code, timedOut], [undefined, true]);
});

test('a program that cannot be started is an error, and so is a run that was ended before', async () => {
  await assert.rejects(run('', { path: '/nowhere/aws' }), { code: 'ENOENT' });
  const signal = AbortSignal.abort(new Error('enough'));
  await assert.rejects(run('exit 0', { signal }), /enough/);
});

test('a program that leaves something behind is not waited for without end', async () => {
  const { code } = await run('sleep 30 & exit 0');
  assert.equal(code, 0);
});

test('work is done a few at a time, and the first error ends what has not begun', async () => {
  const begun: number[] = [];
  await assert.rejects(
    inTurns([1, 2, 3, 4, 5], 2, async (item) => {
      begun.push(item);
      await Promise.resolve();
      if (item === 2) throw new Error('two');
    }),
    /two/,
  );
  assert.ok(begun.length < 5);
});

test('a context is read from a kubeconfig that was written or printed, or from an answer with one in it', () => {
  const kubeconfig = (current: string, ...names: string[]) =>
    JSON.stringify({
      'current-context': current,
      contexts: names.map((name) => ({
        name,
        context: { cluster: 'c', user: 'u', namespace: 'n' },
      })),
      clusters: [{ name: 'c', cluster: { server: 'https://x' } }],
      users: [{ name: 'u', user: { token: 't' } }],
    });
  assert.equal(readFetched(kubeconfig('b', 'a', 'b'), '')?.name, 'b');
  assert.equal(readFetched('', kubeconfig('', 'a'))?.name, 'a');
  assert.deepEqual(readFetched('', JSON.stringify({ config: kubeconfig('a', 'a') })), {
    name: 'a',
    clusterName: 'c',
    userName: 'u',
    cluster: { server: 'https://x' },
    user: { token: 't' },
    context: { namespace: 'n' },
  });
  for (const text of ['', 'no: {', '[]', 'hello', kubeconfig('', 'a', 'b')]) {
    assert.equal(readFetched(text, text), undefined);
  }
  const relative = kubeconfig('a', 'a').replace('"token":"t"', '"tokenFile":"t"');
  assert.equal(readFetched(relative, ''), undefined);
});
