import assert from 'node:assert/strict';
import { constants } from 'node:http2';
import { describe, test } from 'node:test';
import type { ApiResponse, Sink } from './exchange.ts';
import { get, h1, h2, nothingLeft, open, raw, until, watched } from './testing.ts';

const ok: ApiResponse = { status: 200, headers: {}, body: Buffer.from('ok') };

describe('clients that vanish', () => {
  test('in the middle of a body leave nothing behind', async () => {
    const { listener, seen } = await watched(async (request) => {
      await request.body(1e6);
      return ok;
    });
    await using _ = listener;

    const socket = await raw(listener);
    socket.write('POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nhalf');
    await using session = h2(listener);
    const stream = session.request({ ':method': 'POST', ':path': '/b' });
    stream.on('error', () => {});
    stream.write('half');
    await until(() => seen.length === 2, 'both requests to arrive');

    socket.destroy();
    stream.close(constants.NGHTTP2_CANCEL);

    await nothingLeft(listener, 1);
    assert.ok(seen.every(({ signal }) => signal.aborted));
    assert.deepEqual(listener.reported, []);
  });

  test('while the handler works are noticed through the signal', async () => {
    const { listener, seen } = await watched(
      (request) =>
        new Promise((_, reject) =>
          request.signal.addEventListener('abort', () => reject(request.signal.reason)),
        ),
    );
    await using _ = listener;
    const socket = await raw(listener);
    socket.write('GET /a HTTP/1.1\r\nHost: x\r\n\r\n');
    const session = h2(listener);
    session.request({ ':path': '/b' }).on('error', () => {});
    await until(() => seen.length === 2, 'both requests to arrive');

    socket.destroy();
    session.destroy();

    await nothingLeft(listener, 0);
    assert.deepEqual(listener.reported, []);
  });

  test('in the middle of a large answer leave nothing behind, compressed or not', async () => {
    const large = Array.from({ length: 200 }, () => Buffer.alloc(100_000, Math.PI.toString()));
    const { listener } = await watched(async () => ({ ...ok, body: large }));
    await using _ = listener;
    for (const encoding of ['identity', 'gzip']) {
      const socket = await raw(listener);
      socket.write(`GET /a HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ${encoding}\r\n\r\n`);
      await new Promise((resolve) => socket.once('data', resolve));
      socket.destroy();

      await using session = h2(listener);
      const stream = await open(session, { ':path': '/b', 'accept-encoding': encoding });
      await new Promise((resolve) => stream.once('data', resolve));
      session.destroy();
    }

    await nothingLeft(listener, 0);
  });

  test('in the middle of a watch are told to the handler once, over both protocols', async () => {
    const sinks: Sink[] = [];
    let closed = 0;
    const { listener } = await watched(async () => ({
      ...ok,
      body: {
        start: (sink) => {
          sinks.push(sink);
          sink.onClose(() => {
            closed += 1;
          });
          sink.write(Buffer.from('{"type":"ADDED"}\n'));
        },
      },
    }));
    await using _ = listener;
    const socket = await raw(listener);
    socket.write('GET /a?watch=1 HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise((resolve) => socket.once('data', resolve));
    await using session = h2(listener);
    const streams = await Promise.all(
      Array.from({ length: 50 }, () => open(session, { ':path': '/b?watch=1' })),
    );
    assert.equal(listener.counts().longRunning, 51);

    socket.destroy();
    for (const stream of streams) stream.close(constants.NGHTTP2_CANCEL);

    await nothingLeft(listener, 1);
    assert.equal(closed, 51);
    for (const sink of sinks) assert.equal(sink.write(Buffer.from('late')), false);
  });

  test('by a reset without an error code, while bytes wait for them, leave nothing behind', async () => {
    let closed = 0;
    const { listener } = await watched(async () => ({
      ...ok,
      body: {
        start: (sink) => {
          sink.onClose(() => {
            closed += 1;
          });
          // More than anyone's window.
          while (sink.write(Buffer.alloc(1_000_000)));
        },
      },
    }));
    await using _ = listener;
    await using session = h2(listener);
    const stream = await open(session, { ':path': '/b?watch=1' });

    // What node's own client sends when a stream is destroyed; Go's says CANCEL.
    stream.close(constants.NGHTTP2_NO_ERROR);

    await nothingLeft(listener, 1);
    assert.equal(closed, 1);
  });

  test('a stream that the handler ends is over for both sides', async () => {
    const { listener } = await watched(async () => ({
      ...ok,
      body: {
        start: (sink) => {
          sink.write(Buffer.from('a'));
          sink.write(Buffer.from('b'));
          sink.end();
        },
      },
    }));
    await using _ = listener;
    await using session = h2(listener);

    assert.equal(String((await get(session, { ':path': '/?watch=1' })).body), 'ab');
    assert.equal(String((await h1(listener, '/?watch=1')).body), 'ab');
    await nothingLeft(listener, 1);
  });
});
