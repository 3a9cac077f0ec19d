import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiRequest, ApiResponse } from './exchange.ts';
import { createInflight, limitInflight } from './inflight.ts';
import { inject } from './inject.ts';

const ok: ApiResponse = { status: 200, headers: {}, body: Buffer.from('ok') };

describe('limitInflight', () => {
  test('over the cap the answer is 429 with Retry-After, per tenant and apart for reads and writes', async () => {
    const stage = newStage();
    const reads = [stage.send('GET', '/a/x'), stage.send('GET', '/a/x')];
    const write = stage.send('POST', '/a/x');

    const third = await stage.send('GET', '/a/x');
    const secondWrite = await stage.send('PUT', '/a/x');
    const neighbour = stage.send('GET', '/b/x');

    for (const refused of [third, secondWrite]) {
      assert.equal(refused.status, 429);
      assert.equal(refused.headers['retry-after'], '1');
      assert.deepEqual(refused.json(), {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'Too many requests, please try again later.',
        reason: 'TooManyRequests',
        details: { retryAfterSeconds: 1 },
        code: 429,
      });
    }
    stage.finishAll();
    const answers = await Promise.all([...reads, write, neighbour]);
    assert.deepEqual(
      answers.map((answer) => answer.status),
      [200, 200, 200, 200],
    );
    assert.deepEqual(stage.inflight.count('a'), { readOnly: 0, mutating: 0 });
  });

  test('watches take no place, and exempt callers always get an answer', async () => {
    const stage = newStage();
    const held = [
      stage.send('GET', '/a/x'),
      stage.send('GET', '/a/x'),
      stage.send('GET', '/a/x?watch=1'),
      stage.send('GET', '/a/api/v1/namespaces/n/pods/p/log'),
      stage.send('GET', '/a/x', { 'x-exempt': 'yes' }),
    ];

    assert.deepEqual(stage.inflight.count('a'), { readOnly: 2, mutating: 0 });
    stage.finishAll();
    for (const answer of await Promise.all(held)) assert.equal(answer.status, 200);
  });

  test('a failing handler gives its place back', async () => {
    const inflight = createInflight();
    const handle = limitInflight(
      async () => {
        throw new Error('bug');
      },
      { inflight, tenantOf: () => 'a' },
    );

    const answer = await inject(handle, { path: '/x', report: () => {} });

    assert.equal(answer.status, 500);
    assert.deepEqual(inflight.count('a'), { readOnly: 0, mutating: 0 });
  });
});

function newStage() {
  const inflight = createInflight({ readOnly: 2, mutating: 1 });
  const waiting: (() => void)[] = [];
  const handle = limitInflight(() => new Promise((resolve) => waiting.push(() => resolve(ok))), {
    inflight,
    tenantOf: (request: ApiRequest) => request.path.split('/')[1] ?? '',
    isExempt: (request) => request.headers['x-exempt'] === 'yes',
  });
  return {
    inflight,
    send: (method: string, path: string, headers: Record<string, string> = {}) =>
      inject(handle, { method, path, headers }),
    finishAll: () => {
      for (const finish of waiting.splice(0)) finish();
    },
  };
}
