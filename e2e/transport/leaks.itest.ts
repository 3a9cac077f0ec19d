import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { TransportError, type TransportFault } from '@flotilla/client';
import { seeded } from '@flotilla/machinery/testing';
import { answer, startRaw } from '../../packages/client/src/transport/testing/raw-server.ts';
import { readAll, transportTo } from '../../packages/client/src/transport/testing/transport-to.ts';
import { authority, serving } from './certificates.ts';
import { countedSignal, countedTimers, openSockets } from './counted.ts';

const REQUESTS = 2000;
const MOST_IDLE = 16;
const CHUNKED = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';

test('2,000 requests with random faults leave no socket, listener or timer behind', async () => {
  const { below, pick } = seeded(11);
  const faults: ((socket: Socket) => void)[] = [
    (socket) => socket.write(answer(200, 'whole')),
    (socket) => socket.write(answer(200, 'whole')),
    (socket) => socket.write(answer(200, 'whole')),
    (socket) => socket.write(answer(429, 'busy', { 'retry-after': '0' })),
    (socket) => socket.write(answer(401, 'who')),
    (socket) => socket.write(answer(302, '', { location: '/x' })),
    (socket) => socket.end(answer(200, 'last')),
    (socket) => socket.destroy(),
    (socket) => socket.write(`${CHUNKED}5\r\nhello\r\n`),
    (socket) => socket.end(`${CHUNKED}5\r\nhel`),
    (socket) => socket.write(`${CHUNKED}nonsense\r\n`),
    (socket) => socket.write('garbage\r\n\r\n'),
    (socket) => socket.write(answer(200, 'abc', { 'content-encoding': 'gzip' })),
    () => undefined,
  ];
  await using server = await startRaw((socket) => pick(faults)(socket), {
    ...serving(),
    ALPNProtocols: ['http/1.1'],
  });
  const timers = new Set<Disposable>();
  const clock = countedTimers(timers);
  const shared = countedSignal();
  const transport = transportTo(server.url, {
    tls: { ca: authority.certificate },
    options: { clock, limits: { requests: MOST_IDLE, streams: 16, retries: 1 } },
    credential: {
      present: () => Promise.resolve({ authorization: 'Bearer x' }),
      refused: () => Promise.resolve(below(2) === 0),
    },
  });
  const seen = new Map<TransportFault | 'answered', number>();
  const count = (key: TransportFault | 'answered') => seen.set(key, (seen.get(key) ?? 0) + 1);

  let left = REQUESTS;
  const work = async () => {
    while (left > 0) {
      left -= 1;
      const own = new AbortController();
      const options = {
        timeouts: { totalMs: pick([5, 1000, 1000]), idleMs: 50 },
        path: pick(['/x', '/x?watch=1']),
      };
      const abortSignal = pick([shared.signal, own.signal]);
      if (below(10) === 0) setImmediate(() => own.abort());
      const request = { ...options, signal: abortSignal, method: pick(['GET', 'POST'] as const) };
      try {
        if (below(3) > 0) await transport.send(request);
        else if (below(4) === 0)
          (await transport.upgrade({ ...request, method: 'GET' })).socket.destroy();
        else if (below(3) === 0) {
          // A timer that outlives its stream would be found.
          const timeouts = { totalMs: 300, idleMs: 600_000 };
          (await transport.stream({ ...request, timeouts })).close();
        } else await readAll(await transport.stream(request));
        count('answered');
      } catch (error) {
        assert.ok(error instanceof TransportError, String(error));
        count(error.fault);
      }
    }
  };
  await Promise.all(Array.from({ length: 32 }, work));
  const held = () => server.sockets.filter(({ closed }) => !closed).length;
  for (let turn = 0; turn < 5000 && held() > MOST_IDLE; turn += 1) {
    await new Promise(setImmediate);
  }
  assert.ok(held() <= MOST_IDLE, `${held()} connections of requests that are over`);
  await transport[Symbol.asyncDispose]();

  for (const fault of [
    'answered',
    'timeout',
    'aborted',
    'closed',
    'malformed',
    'redirect',
  ] as const) {
    assert.ok((seen.get(fault) ?? 0) > 0, fault);
  }
  for (const socket of server.sockets) {
    if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  }
  assert.deepEqual(openSockets(), [], 'sockets');
  assert.equal(timers.size, 0, 'timers');
  assert.equal(shared.most, 1, 'listeners at once, for Node warns of eleven');
  assert.equal(shared.listeners, 0, 'listeners of a signal that many requests shared');
});
