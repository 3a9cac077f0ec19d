import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '../authn/manual-clock.ts';
import type { ApiResponse, Sink } from './exchange.ts';
import { get, h2, nothingLeft, open, raw, received, until, watched } from './testing.ts';

const START = '2026-01-01T00:00:00Z';
const ok: ApiResponse = { status: 200, headers: {}, body: Buffer.from('ok') };

describe('clients that are slow', () => {
  test('the headers of a watch are sent before its first event', async () => {
    const { listener } = await watched(async () => ({ ...ok, body: { start: () => {} } }));
    await using _ = listener;
    await using session = h2(listener);

    const stream = await open(session, { ':path': '/?watch=1' });
    const socket = await raw(listener);
    socket.write('GET /?watch=1 HTTP/1.1\r\nHost: x\r\n\r\n');
    const head = await new Promise((resolve) => socket.once('data', resolve));

    assert.match(String(head), /^HTTP\/1.1 200 OK\r\n/);
    stream.close();
    socket.destroy();
    await nothingLeft(listener, 1);
  });

  test('a watcher that does not read is felt, and can be cut off', async () => {
    let sink: Sink | undefined;
    const { listener } = await watched(async () => ({
      ...ok,
      body: {
        start: (to) => {
          sink = to;
        },
      },
    }));
    await using _ = listener;
    const chunk = Buffer.alloc(64 * 1024);
    for (const begin of [
      async () => {
        const session = h2(listener);
        await open(session, { ':path': '/?watch=1' });
      },
      async () => {
        const socket = await raw(listener);
        socket.write('GET /?watch=1 HTTP/1.1\r\nHost: x\r\n\r\n');
        await new Promise((resolve) => socket.once('data', resolve));
        socket.pause();
      },
    ]) {
      await begin();
      const to = sink!;
      for (let i = 0; i < 400; i += 1) {
        to.write(chunk);
        await new Promise((resolve) => setImmediate(resolve));
      }
      assert.ok(to.buffered > 10 * 1024 * 1024, `${to.buffered} bytes are waiting`);
      let closed = false;
      to.onClose(() => {
        closed = true;
      });

      to.destroy();

      await until(() => closed, 'the stream to close');
    }
    await until(() => listener.counts().requests === 0, 'requests to end');
  });

  test('a request whose body trickles in is answered 504 at its deadline', async () => {
    const clock = new ManualClock(START);
    const { listener, seen } = await watched(
      async (request) => {
        await request.body(1e6);
        return ok;
      },
      { clock },
    );
    await using _ = listener;
    const socket = await raw(listener);
    const text = received(socket);
    socket.write(
      'POST /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 1000\r\n\r\nx',
    );
    await using session = h2(listener);
    const answer = get(
      session,
      { ':method': 'POST', ':path': '/b', 'content-length': '5' },
      'x'.repeat(5),
    );
    const stream = session.request({ ':method': 'POST', ':path': '/c' });
    const status = new Promise((resolve) => stream.once('response', (h) => resolve(h[':status'])));
    stream.write('x');
    assert.equal((await answer).status, 200);
    await until(() => seen.length === 3, 'all requests to arrive');

    clock.advance(62_000);

    assert.match(await text, /^HTTP\/1.1 504 Gateway Timeout\r\n/);
    assert.equal(await status, 504);
    await until(() => listener.counts().requests === 0, 'requests to end');
  });

  test('an answer nobody reads is given up at its deadline', async () => {
    const clock = new ManualClock(START);
    const large = Array.from({ length: 200 }, () => Buffer.alloc(100_000));
    const { listener } = await watched(async () => ({ ...ok, body: large }), { clock });
    await using _ = listener;
    const socket = await raw(listener);
    socket.write('GET /a HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise((resolve) => socket.once('data', resolve));
    socket.pause();
    await using session = h2(listener);
    await open(session, { ':path': '/b' });
    assert.equal(listener.counts().requests, 2);

    clock.advance(62_000);

    await until(() => listener.counts().requests === 0, 'requests to end');
  });

  test('headers that trickle in are given up', async () => {
    const { listener } = await watched(async () => ok, { limits: { headerTimeoutMs: 200 } });
    await using _ = listener;
    const socket = await raw(listener);
    const text = received(socket);
    socket.write('GET /a HTTP/1.1\r\nHost: x\r\n');

    assert.match(await text, /^HTTP\/1.1 408 Request Timeout\r\n[\s\S]*"code":408/);
    await nothingLeft(listener, 0);
  });

  test('idle connections are closed, busy ones are not', async () => {
    const clock = new ManualClock(START);
    const { listener } = await watched(
      async (request) => (request.query.has('watch') ? { ...ok, body: { start: () => {} } } : ok),
      { clock },
    );
    await using _ = listener;
    const silent = await raw(listener);
    const bareH2 = await raw(listener, ['h2']);
    const idle = h2(listener);
    await get(idle, { ':path': '/' });
    const busy = h2(listener);
    await open(busy, { ':path': '/?watch=1' });
    assert.equal(listener.counts().connections, 4);

    const quarterMinutes = async (count: number) => {
      for (let i = 0; i < count; i += 1) {
        clock.advance(15_000);
        // The server pings the busy one; this comes back after the answer to that has gone out.
        await new Promise((resolve) => busy.ping(resolve));
      }
    };
    await quarterMinutes(5);
    assert.equal(listener.counts().connections, 4);
    await quarterMinutes(4);

    await until(() => listener.counts().connections === 1, 'idle connections to go');
    assert.equal(busy.closed, false);
    assert.equal(silent.readyState === 'open' && bareH2.readyState === 'open', false);
    busy.destroy();
  });
});
