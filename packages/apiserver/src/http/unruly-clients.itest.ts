import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { constants } from 'node:http2';
import { describe, test } from 'node:test';
import { ManualClock } from '../authn/manual-clock.ts';
import type { ApiResponse } from './exchange.ts';
import { get, h1, h2, nothingLeft, open, raw, received, until, watched } from './testing.ts';

const START = '2026-01-01T00:00:00Z';
const ok: ApiResponse = { status: 200, headers: {}, body: Buffer.from('ok') };

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
