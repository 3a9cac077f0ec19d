import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { failure } from './testing/failure.ts';
import { answer, startRaw } from './testing/raw-server.ts';
import { anonymous, readAll, transportTo } from './testing/transport-to.ts';

const GET = { method: 'GET', path: '/api' } as const;

test('a connection that was prepared carries the next request, and says nothing before', async () => {
  await using server = await startRaw((socket) => socket.write(answer(200, 'x')));
  let presented = 0;
  await using transport = transportTo(server.url, {
    credential: {
      ...anonymous,
      present: async () => {
        presented += 1;
        return {};
      },
    },
  });

  await transport.prepare?.();
  assert.deepEqual([server.heads.length, presented], [0, 1]);
  await transport.send(GET);
  await readAll(await transport.stream(GET));

  assert.deepEqual([server.heads.length, server.sockets.length], [2, 1]);
});

test('what keeps a connection from standing is thrown as for a request', async () => {
  await using transport = transportTo('http://127.0.0.1:1');
  const { fault, wasNotSent } = await failure(transport.prepare!());
  assert.deepEqual([fault, wasNotSent], ['unreachable', true]);
});

test('a server that closes what was prepared costs a request nothing but a new connection', async () => {
  await using server = await startRaw((socket) => socket.write(answer(200, 'x')));
  await using transport = transportTo(server.url);

  await transport.prepare?.();
  const [socket] = server.sockets;
  socket?.destroy();
  assert.equal((await transport.send(GET)).status, 200);
  if (socket?.closed === false) await once(socket, 'close');

  assert.equal(server.heads.length, 1);
});

test('who gives up preparing, or closes the transport, leaves no connection behind', async () => {
  await using server = await startRaw(() => {});
  const transport = transportTo(server.url);
  const early = new AbortController();
  early.abort(new Error('enough'));
  const { fault } = await failure(transport.prepare!({ signal: early.signal }));
  assert.deepEqual([fault, server.sockets.length], ['aborted', 0]);

  await transport.prepare?.();
  await transport[Symbol.asyncDispose]();
  const [socket] = server.sockets;
  if (socket?.closed === false) await once(socket, 'close');
  const after = await failure(transport.prepare!());
  assert.deepEqual([after.fault, server.sockets.length], ['closed', 1]);
});
