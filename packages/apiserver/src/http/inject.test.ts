import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '../authn/manual-clock.ts';
import { withPath } from './derive.ts';
import type { ApiRequest, Sink } from './exchange.ts';
import { inject } from './inject.ts';
import { isLongRunning } from './long-running.ts';

const START = '2026-01-01T00:00:00Z';

describe('inject', () => {
  test('a handler sees the request, and the test its answer', async () => {
    let seen: ApiRequest | undefined;
    const answer = await inject(
      async (request) => {
        seen = request;
        const body = await request.body(100);
        return {
          status: 201,
          headers: { 'x-a': 'b' },
          body: [Buffer.from('{"got":'), body, Buffer.from('}')],
        };
      },
      { method: 'POST', path: '/a?b=c', headers: { 'X-Y': ['1', '2'] }, body: { d: 1 } },
    );

    assert.equal(seen?.query.get('b'), 'c');
    assert.equal(seen?.headers['x-y'], '1, 2');
    assert.equal(answer.status, 201);
    assert.deepEqual(answer.json(), { got: { d: 1 } });
    assert.equal(answer.headers['cache-control'], 'no-cache, private');
    assert.match(String(answer.headers['audit-id']), /^[0-9a-f-]{36}$/);
  });

  test('an audit id the client brings is kept', async () => {
    const handle = async (request: ApiRequest) => ({
      status: 200,
      headers: {},
      body: Buffer.from(request.headers['audit-id'] ?? ''),
    });
    const answer = await inject(handle, { path: '/', headers: { 'Audit-ID': 'mine' } });

    assert.deepEqual([answer.text(), answer.headers['audit-id']], ['mine', 'mine']);
  });

  test('a body over the limit is 413', async () => {
    const answer = await inject(
      async (request) => ({ status: 200, headers: {}, body: await request.body(3_145_728) }),
      { method: 'POST', path: '/', body: Buffer.alloc(3_145_729) },
    );

    assert.equal(answer.status, 413);
    assert.equal(answer.json().message, 'Request entity too large: limit is 3145728');
    assert.equal(answer.json().reason, 'RequestEntityTooLarge');
  });

  test('an error that is no StatusError is reported, and the client learns nothing of it', async () => {
    const reported: unknown[] = [];
    const bug = new TypeError('secret detail');
    const answer = await inject(
      async () => {
        throw bug;
      },
      { path: '/', report: (error) => reported.push(error) },
    );

    assert.equal(answer.status, 500);
    assert.equal(answer.json().message, 'Internal error occurred');
    assert.deepEqual(reported, [bug]);
  });

  test('a stream is read chunk by chunk, and leaving it tells the handler', async () => {
    let closed = 0;
    let sink: Sink | undefined;
    const answer = await inject(
      async () => ({
        status: 200,
        headers: {},
        body: {
          start: (to: Sink) => {
            sink = to;
            to.onClose(() => {
              closed += 1;
            });
            to.write(Buffer.from('one'));
          },
        },
      }),
      { path: '/?watch=true' },
    );
    assert.ok(answer.stream !== undefined && sink !== undefined);

    assert.equal(String(await answer.stream.next()), 'one');
    sink.write(Buffer.from('two'));
    assert.equal(String(await answer.stream.next()), 'two');
    answer.stream.cancel();

    assert.equal(closed, 1);
    assert.equal(sink.write(Buffer.from('late')), false);
    assert.equal(await answer.stream.next(), undefined);
  });

  test('a stream feels back-pressure until it is read', async () => {
    const big = Buffer.alloc(20_000);
    let drained = 0;
    let sink: Sink | undefined;
    const answer = await inject(
      async () => ({
        status: 200,
        headers: {},
        body: {
          start: (to: Sink) => {
            sink = to;
            assert.equal(to.write(big), false);
            to.onDrain(() => {
              drained += 1;
            });
          },
        },
      }),
      { path: '/' },
    );

    assert.equal(sink?.buffered, 20_000);
    assert.equal(drained, 0);
    await answer.stream?.next();
    assert.equal(drained, 1);
    assert.equal(sink?.buffered, 0);
  });
});

describe('deadlines', () => {
  test('a request that takes longer than a minute is answered 504, and its signal aborts', async () => {
    const clock = new ManualClock(START);
    let signal: AbortSignal | undefined;
    const answer = inject(
      (request) => {
        signal = request.signal;
        return new Promise(() => {});
      },
      { path: '/api/v1/pods', clock },
    );

    clock.advance(59_000);
    assert.equal(signal?.aborted, false);
    clock.advance(3000);

    const { status, json } = await answer;
    assert.equal(status, 504);
    assert.deepEqual(json(), {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Timeout: request did not complete within the allotted timeout',
      reason: 'Timeout',
      details: {},
      code: 504,
    });
    assert.equal(signal?.aborted, true);
    assert.equal(clock.pending, 0);
  });

  test('a client may ask for less time, and is told when it asks for nonsense', async () => {
    const clock = new ManualClock(START);
    const never = () => new Promise<never>(() => {});
    const short = inject(never, { path: '/api?timeout=5s', clock });
    clock.advance(7000);
    assert.equal((await short).status, 504);

    const bad = await inject(never, { path: '/api?timeout=soon', clock });
    assert.equal(bad.status, 400);
    assert.equal(
      bad.json().message,
      'invalid timeout specified in the request URL - time: invalid duration "soon"',
    );
  });

  test('a watch has no deadline', async () => {
    const clock = new ManualClock(START);
    let settled = false;
    void inject(() => new Promise(() => {}), { path: '/api/v1/pods?watch=1', clock }).then(() => {
      settled = true;
    });

    clock.advance(24 * 60 * 60_000);
    await Promise.resolve();
    assert.equal(settled, false);
    assert.equal(clock.pending, 0);
  });

  test('a stream that comes too late for its client is closed, so that it can let go', async () => {
    const clock = new ManualClock(START);
    let closed = false;
    let answer: (body: { start: (sink: Sink) => void }) => void = () => {};
    const late = inject(
      () =>
        new Promise((resolve) => {
          answer = (body) => resolve({ status: 200, headers: {}, body });
        }),
      { path: '/api/v1/pods', clock },
    );
    clock.advance(62_000);
    assert.equal((await late).status, 504);

    answer({
      start: (sink) =>
        sink.onClose(() => {
          closed = true;
        }),
    });
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(closed, true);
  });
});

describe('isLongRunning', () => {
  const ask = (target: string, method = 'GET') => {
    const [path = '', search = ''] = target.split('?');
    return isLongRunning({ method, path, query: new URLSearchParams(search) });
  };

  test('watches, logs, exec and the like are', () => {
    for (const target of [
      '/api/v1/pods?watch=true',
      '/api/v1/pods?watch=1',
      '/api/v1/pods?watch',
      '/api/v1/watch/pods',
      '/apis/apps/v1/watch/deployments',
      '/api/v1/namespaces/n/pods/p/log',
      '/api/v1/namespaces/n/services/s/proxy/x/y',
      '/api/v1/nodes/n/proxy',
    ]) {
      assert.equal(ask(target), true, target);
    }
    assert.equal(ask('/api/v1/namespaces/n/pods/p/exec', 'POST'), true);
  });

  test('others are not', () => {
    for (const target of [
      '/api/v1/pods',
      '/api/v1/pods?watch=0',
      '/api/v1/pods?watch=False',
      '/api/v1/namespaces/watch/configmaps/log',
      '/api/v1/namespaces/n/pods/log',
      '/apis/apps/v1/deployments?resourceVersion=watch',
    ]) {
      assert.equal(ask(target), false, target);
    }
  });
});

test('withPath keeps everything but the path', async () => {
  const answer = await inject(
    async (request) => {
      const inner = withPath(request, '/inner');
      assert.equal(inner.signal, request.signal);
      assert.equal(inner.query, request.query);
      assert.equal(inner.rawHeaders, request.rawHeaders);
      return { status: 200, headers: {}, body: [Buffer.from(inner.path), await inner.body(10)] };
    },
    { method: 'POST', path: '/outer/inner?x=1', body: '!' },
  );

  assert.equal(answer.text(), '/inner!');
});
