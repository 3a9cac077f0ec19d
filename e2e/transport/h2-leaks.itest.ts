import assert from 'node:assert/strict';
import { constants, type ServerHttp2Stream } from 'node:http2';
import { test } from 'node:test';
import { TransportError, type TransportFault } from '@flotilla/client';
import { seeded } from '@flotilla/machinery/testing';
import { readAll, transportTo } from '../../packages/client/src/transport/testing/transport-to.ts';
import { authority } from './certificates.ts';
import { countedSignal, countedTimers, openSockets } from './counted.ts';
import { startH2 } from './h2-server.ts';

const WATCHES = 2000;
const AT_ONCE = 16;
const STREAMS_PER_CONNECTION = 8;
/** Full ones, one that is dialled, and those that drain their last streams. */
const MOST_CONNECTIONS = 16;

test('2,000 watches over HTTP/2 with random faults leave no connection, stream, listener or timer behind', async () => {
  const { below, pick } = seeded(12);
  // Without GOAWAY: a server of Node that sends one while more requests come in corrupts its memory (docs/internals).
  const faults: ((stream: ServerHttp2Stream) => void)[] = [
    (stream) => answer(stream, 200, 'whole'),
    (stream) => answer(stream, 200, 'whole'),
    (stream) => answer(stream, 200, 'whole'),
    (stream) => answer(stream, 429, 'busy', { 'retry-after': '0' }),
    (stream) => answer(stream, 401, 'who'),
    (stream) => answer(stream, 302, '', { location: '/x' }),
    (stream) => answer(stream, 200, 'abc', { 'content-encoding': 'gzip' }),
    (stream) => {
      stream.respond({ ':status': 200 });
      stream.write('half');
      stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    },
    // Goes on for as long as its reader wants.
    (stream) => {
      stream.respond({ ':status': 200 });
      stream.write('half');
    },
    (stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM),
    (stream) => stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM),
    () => pick(server.sockets.filter(({ closed }) => !closed))?.destroy(),
    () => undefined,
  ];
  await using server = await startH2((stream) => pick(faults)(stream), STREAMS_PER_CONNECTION);
  const timers = new Set<Disposable>();
  const shared = countedSignal();
  const transport = transportTo(server.url, {
    tls: { ca: authority.certificate },
    options: {
      clock: countedTimers(timers),
      limits: { streams: AT_ONCE, retries: 1, pingAfterMs: 40, pingWithinMs: 200 },
    },
    credential: {
      present: () => Promise.resolve({ authorization: 'Bearer x' }),
      refused: () => Promise.resolve(below(2) === 0),
    },
  });
  const seen = new Map<TransportFault | 'answered', number>();
  const count = (key: TransportFault | 'answered') => seen.set(key, (seen.get(key) ?? 0) + 1);

  let left = WATCHES;
  let most = 0;
  const work = async () => {
    while (left > 0) {
      left -= 1;
      const own = new AbortController();
      const signal = pick([shared.signal, own.signal]);
      if (below(10) === 0) setImmediate(() => own.abort());
      // A timer that outlives its stream would be found.
      const isClosed = below(3) === 0;
      const timeouts = { totalMs: pick([5, 1000, 1000]), idleMs: isClosed ? 600_000 : 50 };
      try {
        const request = { method: 'GET', path: '/x?watch=1', signal, timeouts } as const;
        const stream = await transport.stream(request);
        if (isClosed) stream.close();
        else await readAll(stream);
        count('answered');
      } catch (error) {
        assert.ok(error instanceof TransportError, String(error));
        count(error.fault);
      }
      most = Math.max(most, server.sockets.filter(({ closed }) => !closed).length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  assert.ok(most <= MOST_CONNECTIONS, `${most} connections at once`);
  // Nobody reads any more, so the server must have heard of the end of every stream.
  await server.until(() => server.streams.every(({ closed }) => closed));
  await transport[Symbol.asyncDispose]();

  for (const fault of ['answered', 'timeout', 'aborted', 'closed', 'malformed'] as const) {
    assert.ok((seen.get(fault) ?? 0) > 0, fault);
  }
  assert.ok(server.sessions.length > 10, 'connections broke and were made anew');
  await server.until(() => server.sessions.every(({ destroyed }) => destroyed));
  await server.until(() => server.sockets.every(({ closed }) => closed));
  // Handles go a few turns after their close was told.
  for (let turn = 0; turn < 5000 && openSockets().length > 0; turn += 1) {
    await new Promise(setImmediate);
  }
  assert.deepEqual(openSockets(), [], 'sockets');
  assert.equal(timers.size, 0, 'timers');
  assert.equal(shared.most, 1, 'listeners at once, for Node warns of eleven');
  assert.equal(shared.listeners, 0, 'listeners of a signal that many requests shared');
});

function answer(
  stream: ServerHttp2Stream,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  stream.respond({ ':status': status, ...headers });
  stream.end(body);
}
