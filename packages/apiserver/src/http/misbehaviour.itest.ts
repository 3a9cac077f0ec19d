import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { constants } from 'node:http2';
import { describe, test } from 'node:test';
import { ManualClock } from '../authn/manual-clock.ts';
import type { ApiRequest, ApiResponse, Handle, Sink } from './exchange.ts';
import type { Limits } from './limits.ts';
import type { Listener } from './listener.ts';
import { get, h1, h2, open, raw, received, testListener, until } from './testing.ts';

const START = '2026-01-01T00:00:00Z';
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

describe('clients that break the rules', () => {
  test('malformed HTTP/1.1 is answered with a Status', async () => {
    const { listener } = await watched(async () => ok);
    await using _ = listener;
    for (const [sent, status] of [
      ['rubbish\r\n\r\n', 400],
      ['GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n', 400],
      ['GET / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n', 400],
      [`GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(200_000)}\r\n\r\n`, 431],
      ['GET / HTTP/1.1\r\n\r\n', 400],
    ] as const) {
      const socket = await raw(listener);
      const text = received(socket);
      socket.write(sent);
      assert.match(await text, new RegExp(`^HTTP/1.1 ${status} `), sent.slice(0, 60));
    }
    await nothingLeft(listener, 0);
  });

  test('malformed HTTP/2 costs the client its connection and nobody else anything', async () => {
    const { listener } = await watched(async () => ok);
    await using _ = listener;
    const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
    for (const sent of [
      Buffer.from('GET / HTTP/1.1\r\n\r\n'),
      Buffer.from(`${preface}rubbish that is no frame at all`),
      // A frame that claims 16 MB.
      Buffer.concat([Buffer.from(preface), Buffer.from([0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 1])]),
    ]) {
      const socket = await raw(listener, ['h2']);
      const gone = received(socket);
      socket.write(sent);
      await gone;
    }
    assert.equal((await h1(listener, '/')).status, 200);
    await nothingLeft(listener, 0);
  });

  test('headers over the limit are refused over HTTP/2', async () => {
    const { listener } = await watched(async () => ok);
    await using _ = listener;
    await using session = h2(listener);

    await assert.rejects(get(session, { ':path': '/', 'x-long': 'y'.repeat(200_000) }));
    await nothingLeft(listener, 1);
  });

  test('a flood of resets ends the connection, and others are served meanwhile', async () => {
    const clock = new ManualClock(START);
    let closed = 0;
    const { listener } = await watched(
      async (request) =>
        request.query.has('watch')
          ? {
              ...ok,
              body: {
                start: (sink) =>
                  sink.onClose(() => {
                    closed += 1;
                  }),
              },
            }
          : ok,
      { clock },
    );
    await using _ = listener;
    const flood = h2(listener);
    await open(flood, { ':path': '/?watch=1' });
    let gone = false;
    flood.once('close', () => {
      gone = true;
    });
    for (let i = 0; i < 100 && !flood.destroyed; i += 1) {
      for (let j = 0; j < 50 && !flood.destroyed; j += 1) {
        const stream = flood.request({ ':path': '/' });
        stream.on('error', () => {});
        stream.close(constants.NGHTTP2_CANCEL);
      }
      await new Promise((resolve) => setImmediate(resolve));
    }

    await until(() => gone, 'the flooding connection to be dropped');
    assert.equal((await h1(listener, '/')).status, 200);
    for (let i = 0; i < 8; i += 1) {
      clock.advance(15_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await nothingLeft(listener, 0);
    assert.equal(closed, 1);
  });

  test('a silent watcher that answers pings stays', async () => {
    const clock = new ManualClock(START);
    const { listener } = await watched(async () => ({ ...ok, body: { start: () => {} } }), {
      clock,
    });
    await using _ = listener;
    await using session = h2(listener);
    let pings = 0;
    session.on('ping', () => {
      pings += 1;
    });
    await open(session, { ':path': '/?watch=1' });
    for (let i = 1; i <= 12; i += 1) {
      clock.advance(15_000);
      await until(() => pings === i, 'a ping');
      // Its answer is on the way; another exchange says that it has arrived.
      await new Promise((resolve) => session.ping(resolve));
    }

    assert.equal(listener.counts().longRunning, 1);
  });

  test('over the limit of connections the longest idle one makes room', async () => {
    const { listener } = await watched(
      async (request) => (request.query.has('watch') ? { ...ok, body: { start: () => {} } } : ok),
      { limits: { connections: 2 } },
    );
    await using _ = listener;
    const busy = h2(listener);
    await open(busy, { ':path': '/?watch=1' });
    const idle = await raw(listener);
    const idleGone = received(idle);

    await using third = h2(listener);
    await open(third, { ':path': '/?watch=1' });
    await idleGone;
    assert.equal(listener.counts().connections, 2);

    await assert.rejects(h1(listener, '/'));
    assert.equal(busy.closed, false);
    busy.destroy();
  });
});

describe('many idle connections', () => {
  // `npm run soak` sets ten thousand.
  const wanted = Number(process.env['FLOTILLA_SOAK_CONNECTIONS'] ?? 1000);

  test(`${wanted} of them do not keep the server from answering`, {
    timeout: 600_000,
  }, async (t) => {
    const { listener } = await watched(async () => ok, {
      limits: { headerTimeoutMs: 600_000, requestTimeoutMs: 600_000, idleTimeoutMs: 600_000 },
    });
    await using _ = listener;
    const before = process.memoryUsage().rss;
    // In a process of their own: both ends of so many connections are more files than one may open.
    const crowd = spawn(process.execPath, ['-e', CROWD, String(listener.port), String(wanted)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => crowd.stdout.once('data', resolve));
    await until(() => listener.counts().connections === wanted, 'all handshakes to end');

    await using session = h2(listener);
    assert.equal((await get(session, { ':path': '/' })).status, 200);
    assert.equal((await h1(listener, '/')).status, 200);
    const each = (process.memoryUsage().rss - before) / wanted / 1024;
    t.diagnostic(`${each.toFixed(0)} KB resident for each connection`);
    assert.ok(each < 200, `${each} KB for each connection`);

    crowd.kill();
    await until(() => listener.counts().connections <= 1, 'connections to go');
  });
});

/** Opens connections of both protocols, says so, and sits there. */
const CROWD = `
const tls = require('node:tls');
const [port, wanted] = process.argv.slice(1).map(Number);
const open = (protocol) => new Promise((resolve, reject) => {
  const socket = tls.connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: [protocol] });
  socket.once('secureConnect', resolve).once('error', reject);
});
(async () => {
  for (let i = 0; i < wanted; i += 50) {
    await Promise.all(Array.from({ length: Math.min(50, wanted - i) }, (_, j) => open(j % 2 ? 'h2' : 'http/1.1')));
  }
  process.stdout.write('ready');
})();
`;

/** A listener that remembers the requests it has seen. */
async function watched(
  handle: Handle,
  options: { limits?: Partial<Limits>; clock?: ManualClock } = {},
) {
  const seen: ApiRequest[] = [];
  const listener = await testListener(async (request) => {
    seen.push(request);
    void request.signal;
    return handle(request);
  }, options);
  return { listener, seen };
}

async function nothingLeft(listener: Listener, connections: number): Promise<void> {
  await until(
    () => {
      const { requests, longRunning, connections: open } = listener.counts();
      return requests === 0 && longRunning === 0 && open <= connections;
    },
    `${JSON.stringify(listener.counts())} to become zero and ${connections} connections`,
  );
}
