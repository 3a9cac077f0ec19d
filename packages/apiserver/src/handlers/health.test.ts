import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiRequest } from '../http/exchange.ts';
import { type HealthCheck, health } from './health.ts';

const well: HealthCheck = {
  name: 'ping',
  on: ['healthz', 'livez', 'readyz'],
  check: () => undefined,
};
const ill: HealthCheck = { name: 'disk', on: ['readyz'], check: () => 'volume /secret is full' };

describe('health', () => {
  test('is ok while every check of the endpoint is', () => {
    assert.deepEqual(ask('/livez', [well, ill]), [200, 'ok']);
  });

  test('names the check that failed and keeps its reason to itself', () => {
    assert.deepEqual(ask('/readyz', [well, ill]), [
      500,
      '[+]ping ok\n[-]disk failed: reason withheld\nreadyz check failed\n',
    ]);
  });

  test('lists its checks when asked to be verbose', () => {
    assert.deepEqual(ask('/livez?verbose', [well]), [200, '[+]ping ok\nlivez check passed\n']);
  });

  test('leaves out what is excluded, and says so of names it does not have', () => {
    assert.deepEqual(ask('/readyz?exclude=disk', [well, ill]), [200, 'ok']);
    assert.deepEqual(ask('/readyz?verbose&exclude=disk&exclude=moon', [well, ill]), [
      200,
      '[+]ping ok\n[+]disk excluded: ok\nwarn: some health checks cannot be excluded: no matches for "moon"\nreadyz check passed\n',
    ]);
  });

  test('answers for a single check, where the endpoint has it', () => {
    assert.deepEqual(ask('/livez/ping', [well, ill]), [200, 'ok']);
    assert.equal(ask('/readyz/disk', [well, ill])?.[0], 500);
    assert.equal(ask('/livez/disk', [well, ill]), undefined);
    assert.equal(ask('/livez/ping/more', [well]), undefined);
    assert.equal(ask('/livez/', [well]), undefined);
    assert.equal(ask('/lives', [well]), undefined);
  });
});

function ask(target: string, checks: readonly HealthCheck[]): [number, string] | undefined {
  const url = new URL(target, 'http://server');
  const request = { path: url.pathname, query: url.searchParams } as unknown as ApiRequest;
  const answer = health(checks)(request);
  return answer && [answer.status, String(answer.body)];
}
