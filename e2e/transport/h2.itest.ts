import assert from 'node:assert/strict';
import { connect, createServer, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { ManualClock } from '@flotilla/machinery/testing';
import { failure } from '../../packages/client/src/transport/testing/failure.ts';
import { answer, startRaw } from '../../packages/client/src/transport/testing/raw-server.ts';
import { readAll, transportTo } from '../../packages/client/src/transport/testing/transport-to.ts';
import { authority, serving } from './certificates.ts';
import { startH2 } from './h2-server.ts';

const tls = { ca: authority.certificate };
const WATCH = { method: 'GET', path: '/api/v1/pods?watch=true' } as const;

describe('watches over HTTP/2', () => {
  test('share one connection, up to what the server takes', async () => {
    await using server = await startH2((stream) => stream.respond({ ':status': 200 }), 3);
    await using transport = transportTo(server.url, { tls });

    const streams = await Promise.all(Array.from({ length: 8 }, () => transport.stream(WATCH)));

    assert.deepEqual(
      streams.map(({ status }) => status),
      Array(8).fill(200),
    );
    assert.equal(server.sessions.length, 3);
    streams[0]!.close();
    await server.until(() => server.streams[0]!.closed);
    await transport.stream(WATCH);
    assert.equal(server.sessions.length, 3, 'there is room again');
  });

  test('have headers, warnings and impersonation as HTTP/1.1 has them', async () => {
    await using server = await startH2((stream) => {
      const warning: unknown = ['299 - "a, b"', '299 - "c"'];
      stream.respond({ ':status': 200, 'x-a': '1', warning: warning as string });
      stream.end('{}');
    });
    await using transport = transportTo(`${server.url}/base`, {
      tls,
      impersonate: { user: 'me', groups: ['a', 'b'] },
    });

    const stream = await transport.stream(WATCH);

    assert.deepEqual(stream.warnings, ['299 - "a, b"', '299 - "c"']);
    assert.equal(stream.headers['x-a'], '1');
    assert.equal(await readAll(stream), '{}');
    const [headers] = server.headers;
    assert.equal(headers?.[':path'], '/base/api/v1/pods?watch=true');
    assert.equal(headers?.['impersonate-group'], 'a, b');
    assert.equal(headers?.['accept-encoding'], undefined);
  });

  test('that nobody reads stall neither the others nor themselves for ever', async () => {
    const big = Buffer.alloc(8 * 1024 * 1024, 'x');
    await using server = await startH2((stream, headers) => {
      stream.respond({ ':status': 200 });
      stream.end(headers[':path']?.includes('big') === true ? big : 'small');
    });
    await using transport = transportTo(server.url, { tls });

    const unread = await Promise.all(
      Array.from({ length: 5 }, () => transport.stream({ ...WATCH, path: '/big?watch=1' })),
    );
    const small = await transport.stream(WATCH);
    assert.equal(await readAll(small), 'small');

    assert.equal(server.sessions.length, 1);
    assert.equal((await readAll(unread[0]!)).length, big.length);
    for (const stream of unread) stream.close();
  });

  test('end as cut when their connection or the stream breaks', async () => {
    await using server = await startH2((stream, headers) => {
      stream.respond({ ':status': 200 });
      stream.write('half');
      if (headers[':path']?.includes('reset') === true) stream.destroy(new Error('reset'));
    });
    await using transport = transportTo(server.url, { tls });

    const reset = await transport.stream({ ...WATCH, path: '/reset?watch=1' });
    assert.equal((await failure(readAll(reset))).fault, 'closed');

    const cut = await transport.stream(WATCH);
    const reading = failure(readAll(cut));
    server.sockets.at(-1)?.destroy();
    assert.equal((await reading).fault, 'closed');
    assert.equal((await transport.stream(WATCH)).status, 200);
  });

  test('go on after GOAWAY, and new ones go elsewhere', async () => {
    await using server = await startH2((stream) => {
      stream.respond({ ':status': 200 });
      stream.write('first ');
    });
    await using transport = transportTo(server.url, { tls });
    const old = await transport.stream(WATCH);
    const reading = readAll(old);
    const away = server.sessions[0]!;

    away.close();
    await server.until(() => away.closed);
    const next = await transport.stream(WATCH);
    server.streams[0]!.end('last');

    assert.equal(await reading, 'first last');
    assert.equal(server.sessions.length, 2);
    next.close();
  });

  test('that the server did not process are asked for again', async () => {
    await using server = await startH2((stream) => {
      if (server.streams.length === 2) stream.close(7);
      else if (server.streams.length === 4) stream.session?.goaway(0, 1);
      else stream.respond({ ':status': 200 });
    });
    await using transport = transportTo(server.url, { tls });

    await transport.stream(WATCH);
    assert.equal((await transport.stream(WATCH)).status, 200, 'after a refused stream');
    assert.equal(server.streams.length, 3);
    assert.equal((await transport.stream(WATCH)).status, 200, 'after a GOAWAY that left it out');
    assert.deepEqual([server.streams.length, server.sessions.length], [5, 2]);
  });

  test('on a dead connection are ended by a ping without an answer', async () => {
    await using server = await startH2((stream) => stream.respond({ ':status': 200 }));
    await using relay = await startRelay(server.url);
    const clock = new ManualClock();
    await using transport = transportTo(relay.url, { tls, options: { clock } });
    const reading = failure(readAll(await transport.stream(WATCH)));
    let pings = 0;
    server.sessions[0]!.on('ping', () => {
      pings += 1;
    });

    for (const expected of [1, 2]) {
      await clock.advance(30_000);
      await server.until(() => pings === expected);
      // Answers come in their order: when this one is there, so is that of the ping.
      (await transport.stream(WATCH)).close();
    }
    relay.freeze();
    await clock.advance(30_000);
    await clock.advance(15_000);

    const error = await reading;
    assert.equal(error.fault, 'timeout');
    assert.match(error.message, /no answer to a ping within 15 s/);
  });

  test('do not keep a connection open whose server went away and does not close it', async () => {
    await using server = await startH2((stream) => {
      stream.respond({ ':status': 200 });
      stream.write('first');
    });
    await using relay = await startRelay(server.url);
    const transport = transportTo(relay.url, { tls });
    const left = await transport.stream(WATCH);
    const reading = failure(readAll(await transport.stream(WATCH)));
    const away = server.sessions[0]!;
    away.goaway(0);
    // A session that was told to go away takes no more streams, so this one comes over another.
    (await openedElsewhere()).close();
    left.close();
    relay.freeze();

    // Whatever the server does or does not, this ends.
    await transport[Symbol.asyncDispose]();

    assert.equal((await reading).fault, 'closed');
    await server.until(() => relay.open() === 0);

    async function openedElsewhere() {
      for (;;) {
        const stream = await transport.stream(WATCH);
        if (server.sessions.length > 1) return stream;
        stream.close();
      }
    }
  });

  test('leave no connection behind once it was idle for long', async () => {
    await using server = await startH2((stream) => {
      stream.respond({ ':status': 200 });
      stream.end();
    });
    const clock = new ManualClock();
    await using transport = transportTo(server.url, { tls, options: { clock } });

    assert.equal(await readAll(await transport.stream(WATCH)), '');
    await server.until(() => clock.waiting === 1);
    await clock.advance(55_000);
    await server.until(() => server.sessions[0]!.destroyed);

    await server.until(() => clock.waiting === 0);
  });

  test('are given up by abort before and after their headers', async () => {
    await using server = await startH2((stream) => {
      if (server.streams.length > 1) stream.respond({ ':status': 200 });
    });
    await using transport = transportTo(server.url, { tls });
    const first = new AbortController();
    const second = new AbortController();

    const silent = failure(transport.stream({ ...WATCH, signal: first.signal }));
    await server.until(() => server.streams.length === 1);
    first.abort();
    assert.equal((await silent).fault, 'aborted');
    const stream = await transport.stream({ ...WATCH, signal: second.signal });
    second.abort();
    assert.equal((await failure(readAll(stream))).fault, 'aborted');

    await server.until(() => server.streams.every((one) => one.closed));
    assert.equal(server.sessions[0]!.closed, false, 'the connection lives on');
  });
});

describe('a server without HTTP/2', () => {
  test('is watched over connections of HTTP/1.1', async () => {
    await using server = await startRaw((socket) => socket.write(answer(200, 'event')), {
      ...serving(),
      ALPNProtocols: ['http/1.1'],
    });
    await using transport = transportTo(server.url, { tls });

    const streams = await Promise.all(Array.from({ length: 5 }, () => transport.stream(WATCH)));

    assert.deepEqual(await Promise.all(streams.map(readAll)), Array(5).fill('event'));
  });
});

/** Passes bytes on until it is told to let them vanish. */
async function startRelay(to: string) {
  const pairs: Socket[][] = [];
  let isFrozen = false;
  // Not even an end is answered by what is frozen.
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect(Number(new URL(to).port), '127.0.0.1');
    pairs.push([near, far]);
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
    near.on('end', () => isFrozen || far.end());
    far.on('close', () => near.destroy());
    near.on('data', (bytes) => isFrozen || far.write(bytes));
    far.on('data', (bytes) => isFrozen || near.write(bytes));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as { port: number }).port}`,
    freeze: () => {
      isFrozen = true;
    },
    /** Connections to it that the other side has not closed. */
    open: () => pairs.filter(([near]) => near?.readableEnded === false && !near.closed).length,
    [Symbol.asyncDispose]: async () => {
      for (const socket of pairs.flat()) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
