import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { describe, test } from 'node:test';
import { ManualClock } from '@flotilla/machinery/testing';
import { failure } from './testing/failure.ts';
import { answer, startRaw } from './testing/raw-server.ts';
import { readAll, transportTo } from './testing/transport-to.ts';

const GET = { method: 'GET', path: '/api' } as const;

describe('a stream', () => {
  test('is read as it arrives, and its connection serves again', async () => {
    await using server = await startRaw((socket, { count }) => {
      if (count === 2) socket.write(answer(200, 'whole'));
      else {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\none\r\n');
        setImmediate(() => socket.write('3\r\ntwo\r\n0\r\n\r\n'));
      }
    });
    await using transport = transportTo(server.url);

    const stream = await transport.stream(GET);
    assert.equal(stream.status, 200);
    assert.equal(await readAll(stream), 'onetwo');
    await transport.send(GET);

    assert.equal(server.sockets.length, 1);
  });

  test('that breaks tells so after what has come', async () => {
    await using server = await startRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\none\r\n');
      setImmediate(() => socket.destroy());
    });
    await using transport = transportTo(server.url);
    const stream = await transport.stream(GET);

    const pieces: string[] = [];
    const error = await failure(
      (async () => {
        for await (const piece of stream) pieces.push(piece.toString());
      })(),
    );

    assert.deepEqual(pieces, ['one']);
    assert.equal(error.fault, 'closed');
  });

  test('that nobody reads stops its server, and is not read past its bound', async () => {
    let sent = 0;
    await using server = await startRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const more = () => {
        while (socket.writable && sent < 200 * 1024 * 1024) {
          sent += 65_536;
          if (!socket.write(Buffer.alloc(65_536))) break;
        }
      };
      socket.on('drain', more);
      more();
    });
    await using transport = transportTo(server.url);
    const stream = await transport.stream({ ...GET, maxBytes: 3_000_000 });

    let before = -1;
    while (before !== sent) {
      before = sent;
      for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
    }
    assert.ok(sent < 100 * 1024 * 1024, `the server could send ${sent}`);

    const error = await failure(readAll(stream));
    assert.equal(error.fault, 'too-large');
  });

  test('ends by abort, silence, close and leaving its loop', async () => {
    await using server = await startRaw((socket) =>
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\none\r\n'),
    );
    const clock = new ManualClock();
    await using transport = transportTo(server.url, { options: { clock } });
    const controller = new AbortController();

    const aborted = await transport.stream({ ...GET, signal: controller.signal });
    const reading = failure(readAll(aborted));
    controller.abort();
    assert.equal((await reading).fault, 'aborted');

    const quiet = await transport.stream({ ...GET, timeouts: { idleMs: 1000 } });
    const waiting = failure(readAll(quiet));
    await clock.advance(999);
    await clock.advance(1001);
    assert.match((await waiting).message, /nothing came for 1 s/);

    for await (const piece of await transport.stream(GET)) {
      assert.equal(piece.toString(), 'one');
      break;
    }
    const closed = await transport.stream(GET);
    closed.close();
    assert.equal(await readAll(closed), '');
    await Promise.all(server.sockets.map(closedSocket));
    assert.equal(clock.waiting, 0, 'no timer is left');
  });
});

describe('an upgrade', () => {
  const UPGRADE = { ...GET, headers: { connection: 'Upgrade', upgrade: 'websocket' } };

  test('gives the socket with what came behind the answer', async () => {
    await using server = await startRaw((socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n\r\nhello');
      socket.removeAllListeners('data');
      socket.on('data', (chunk) => socket.end(`echo ${chunk}`));
    });
    await using transport = transportTo(server.url);

    const { status, headers, socket, head } = await transport.upgrade(UPGRADE);
    socket.write('ping');

    assert.deepEqual([status, headers['upgrade'], head.toString()], [101, 'websocket', 'hello']);
    assert.equal(await readAll(socket), 'echo ping');
    assert.match(server.heads[0]!, /connection: Upgrade\r\nupgrade: websocket/);
  });

  test('gives a socket that flows once somebody listens', async () => {
    await using server = await startRaw((socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n');
      socket.removeAllListeners('data');
      socket.on('data', () => socket.write('later'));
    });
    await using transport = transportTo(server.url);

    const { socket } = await transport.upgrade(UPGRADE);
    socket.write('go');
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);

    const bytes = await new Promise((resolve) => socket.once('data', resolve));
    assert.equal(String(bytes), 'later');
  });

  test('that is refused has the refusal as its head', async () => {
    await using server = await startRaw((socket) => socket.write(answer(403, 'no')));
    await using transport = transportTo(server.url);

    const { status, socket, head } = await transport.upgrade(UPGRADE);

    assert.deepEqual([status, head.toString(), socket.destroyed], [403, 'no', true]);
  });

  test('ends with its signal and with the transport', async () => {
    await using server = await startRaw((socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
    );
    const transport = transportTo(server.url);
    const controller = new AbortController();
    const first = await transport.upgrade({ ...UPGRADE, signal: controller.signal });
    const second = await transport.upgrade(UPGRADE);

    controller.abort();
    assert.ok(first.socket.destroyed);
    await transport[Symbol.asyncDispose]();
    assert.ok(second.socket.destroyed);
  });
});

async function closedSocket(socket: Socket): Promise<void> {
  if (!socket.closed) await new Promise<void>((resolve) => socket.once('close', resolve));
}
