import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '@flotilla/machinery/testing';
import { type LogFields, silentLogger } from '../observer.ts';
import { createHealth, type HealthCheck } from './create-health.ts';

const well: HealthCheck = { name: 'well', on: ['livez', 'readyz'], check: () => {} };
const sick: HealthCheck = {
  name: 'informer-sync',
  on: ['readyz'],
  check: () => Promise.reject(new Error('pods are missing, Bearer abcdefgh')),
};

describe('health endpoints', () => {
  test('say ok when all is well', async () => {
    const { ask } = start([well]);

    for (const path of [
      '/livez',
      '/readyz',
      '/healthz',
      '/livez/',
      '/livez/well',
      '/readyz/ping',
    ]) {
      assert.deepEqual(await ask(path), [200, 'ok'], path);
    }
  });

  test('list every check when asked to be verbose', async () => {
    const { ask } = start([well]);

    assert.deepEqual(await ask('/livez?verbose'), [
      200,
      '[+]ping ok\n[+]well ok\nlivez check passed\n',
    ]);
  });

  test('name what failed, keep the reason for the log, and fail only where the check is asked', async () => {
    const { ask, logged } = start([well, sick]);

    assert.deepEqual(await ask('/readyz'), [
      500,
      '[+]ping ok\n[+]well ok\n[-]informer-sync failed: reason withheld\nreadyz check failed\n',
    ]);
    assert.deepEqual(await ask('/livez'), [200, 'ok']);
    assert.equal(logged.length, 1);
    assert.equal(logged[0]?.['check'], 'informer-sync');
    assert.match(String(logged[0]?.['err']), /pods are missing/);
  });

  test('tell the reason at the path of a single check, without credentials', async () => {
    const { ask } = start([sick]);

    assert.deepEqual(await ask('/readyz/informer-sync'), [
      500,
      'internal server error: pods are missing, Bearer [redacted]\n',
    ]);
  });

  test('leave out what is excluded, and warn of names that are no checks', async () => {
    const { ask } = start([well, sick]);

    assert.deepEqual(await ask('/readyz?exclude=informer-sync'), [200, 'ok']);
    assert.deepEqual(await ask('/readyz?verbose&exclude=informer-sync&exclude=b&exclude=a'), [
      200,
      '[+]ping ok\n[+]well ok\n[+]informer-sync excluded: ok\nwarn: some health checks cannot be excluded: no matches for "a", "b"\nreadyz check passed\n',
    ]);
  });

  test('do not answer other paths', async () => {
    const { ask } = start([well]);

    for (const path of ['/', '/live', '/livez/none', '/livez/well/x', '/readyzz']) {
      assert.equal(await ask(path), undefined, path);
    }
  });

  test('give up on a check that hangs, and tell it so', async () => {
    let isAborted = false;
    const hanging: HealthCheck = {
      name: 'hanging',
      on: ['livez'],
      check: (signal) =>
        new Promise(() => signal.addEventListener('abort', () => (isAborted = true))),
    };
    const { ask, clock, logged } = start([hanging]);

    const answer = ask('/livez');
    await clock.advance(5_000);

    assert.deepEqual(await answer, [
      500,
      '[+]ping ok\n[-]hanging failed: reason withheld\nlivez check failed\n',
    ]);
    assert.equal(isAborted, true);
    assert.match(String(logged[0]?.['err']), /Cannot finish the check "hanging" within 5000 ms/);
    assert.equal(clock.waiting, 0);
  });

  test('refuse two checks of one name', () => {
    assert.throws(() => start([well, well]), /Cannot use the health check "well"/);
  });
});

function start(checks: readonly HealthCheck[]) {
  const clock = new ManualClock();
  const logged: LogFields[] = [];
  const route = createHealth({
    checks,
    clock,
    logger: { ...silentLogger, warn: (_message, fields = {}) => logged.push(fields) },
  });
  const ask = async (url: string) => {
    const [path = '', query] = url.split('?');
    const { signal } = new AbortController();
    const answer = await route({ path, query: new URLSearchParams(query), signal });
    return answer === undefined ? undefined : [answer.status, answer.body];
  };
  return { ask, clock, logged };
}
