import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ManualClock } from '@flotilla/machinery/testing';
import type { Presented } from '../access.ts';
import type { TransportFault } from '../transport-error.ts';
import { failure } from './testing/failure.ts';
import { answer, startRaw } from './testing/raw-server.ts';
import { readAll, transportTo } from './testing/transport-to.ts';

const GET = { method: 'GET', path: '/api?token=hidden' } as const;
const POST = { method: 'POST', path: '/api', body: '{}' } as const;

describe('a whole answer', () => {
  test('comes over a connection that is used again', async () => {
    await using server = await startRaw((socket, { count }) =>
      socket.write(answer(200, `body ${count}`, { 'audit-id': 'x' })),
    );
    await using transport = transportTo(server.url);

    const first = await transport.send(GET);
    const second = await transport.send({ ...POST, headers: { 'content-type': 'a/b' } });

    assert.deepEqual([first.status, first.headers['audit-id']], [200, 'x']);
    assert.deepEqual([first.body.toString(), second.body.toString()], ['body 1', 'body 2']);
    assert.equal(server.sockets.length, 1);
    assert.match(server.heads[0]!, /^GET \/api\?token=hidden HTTP\/1.1\r\nhost: 127.0.0.1:\d+\r\n/);
    assert.match(server.heads[0]!, /accept-encoding: gzip/);
    assert.match(server.heads[1]!, /content-type: a\/b\r\n(?:.*\r\n)*content-length: 2$/);
  });

  test('of any status is an answer', async () => {
    await using server = await startRaw((socket) => socket.write(answer(404, 'no')));
    await using transport = transportTo(`${server.url}/base/`);

    const { status, body } = await transport.send(GET);

    assert.deepEqual([status, body.toString()], [404, 'no']);
    assert.match(server.heads[0]!, /^GET \/base\/api/);
  });

  test('is unzipped, also when nobody asked', async () => {
    const big = Buffer.alloc(300_000, 'abc');
    const zip = (bytes: Buffer) => {
      const body = gzipSync(bytes);
      return Buffer.concat([
        Buffer.from(
          `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`,
        ),
        body,
      ]);
    };
    await using server = await startRaw((socket, { count }) =>
      socket.write(zip(count === 1 ? big : Buffer.from('small'))),
    );
    await using transport = transportTo(server.url, { disableCompression: true });

    assert.ok((await transport.send(GET)).body.equals(big));
    const { body, headers } = await transport.send(GET);
    assert.equal(body.toString(), 'small');
    assert.deepEqual(headers, {});
    assert.doesNotMatch(server.heads[0]!, /accept-encoding/);
  });

  test('has no body where HEAD asked, whatever its length says', async () => {
    await using server = await startRaw((socket) =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n'),
    );
    await using transport = transportTo(server.url);

    const { body } = await transport.send({ method: 'HEAD', path: '/', maxBytes: 10 });

    assert.equal(body.length, 0);
    await transport.send({ method: 'HEAD', path: '/' });
    assert.equal(server.sockets.length, 1);
  });
});

describe('what is no answer', () => {
  const BROKEN: { name: string; bytes: string | Buffer; fault: TransportFault; text: RegExp }[] = [
    { name: 'no HTTP', bytes: 'SSH-2.0-x\r\n', fault: 'malformed', text: /malformed/ },
    { name: 'TLS', bytes: '\x15\x03\x01\x00\x02\x02\x46', fault: 'malformed', text: /speak HTTPS/ },
    {
      name: 'a bad length',
      bytes: 'HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n',
      fault: 'malformed',
      text: /content-length/,
    },
    {
      name: 'a bad chunk',
      bytes: 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
      fault: 'malformed',
      text: /chunk/,
    },
    {
      name: 'endless headers',
      bytes: `HTTP/1.1 200 OK\r\na: ${'a'.repeat(300_000)}`,
      fault: 'malformed',
      text: /headers are longer/,
    },
    {
      name: 'no gzip',
      bytes: answer(200, 'abc', { 'content-encoding': 'gzip' }),
      fault: 'malformed',
      text: /gzip/,
    },
    {
      name: 'a strange coding',
      bytes: answer(200, 'abc', { 'content-encoding': 'br' }),
      fault: 'malformed',
      text: /"br"/,
    },
    {
      name: 'a long body',
      bytes: answer(200, 'a'.repeat(1001)),
      fault: 'too-large',
      text: /1000 bytes/,
    },
    {
      name: 'a long body in chunks',
      bytes: `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(1001)}`,
      fault: 'too-large',
      text: /1000 bytes/,
    },
    { name: 'a bomb', bytes: bomb(), fault: 'too-large', text: /1000 bytes/ },
  ];
  for (const { name, bytes, fault, text } of BROKEN) {
    test(`such as ${name}, is "${fault}"`, async () => {
      await using server = await startRaw((socket) => socket.write(bytes));
      await using transport = transportTo(server.url);

      const error = await failure(transport.send({ ...GET, maxBytes: 1000 }));

      assert.deepEqual([error.fault, error.wasNotSent], [fault, false]);
      assert.match(error.message, text);
      assert.doesNotMatch(error.message, /hidden/);
    });
  }

  test('such as half an answer, is "closed" and not asked for again', async () => {
    await using server = await startRaw((socket) =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'),
    );
    await using transport = transportTo(server.url);

    const error = await failure(transport.send(GET));

    assert.equal(error.fault, 'closed');
    assert.match(error.message, /in the middle of its answer/);
    assert.equal(server.heads.length, 1);
  });

  test('such as a redirect, is refused and its target named without the query', async () => {
    await using server = await startRaw((socket) =>
      socket.write(answer(302, '', { location: 'https://u:p@evil.example/login?code=secret#x' })),
    );
    await using transport = transportTo(server.url);

    const error = await failure(transport.send(GET));

    assert.equal(error.fault, 'redirect');
    assert.match(error.message, /302.*"https:\/\/evil.example\/login"/);
    assert.doesNotMatch(error.message, /secret|u:p/);
  });

  test('such as nobody there, says so', async () => {
    const server = await startRaw(() => undefined);
    await server[Symbol.asyncDispose]();
    await using transport = transportTo(server.url);

    const error = await failure(transport.send(POST));

    assert.deepEqual([error.fault, error.wasNotSent], ['unreachable', true]);
    assert.match(error.message, /connection refused/);
  });
});

describe('a connection that the server closed', () => {
  test('is noticed before the next request', async () => {
    await using server = await startRaw((socket) => socket.end(answer(200, 'x')));
    await using transport = transportTo(server.url);

    for (let round = 1; round <= 5; round += 1) {
      await transport.send(POST);
      await closedSocket(server.sockets.at(-1)!);
      assert.equal(server.sockets.length, round);
    }
  });

  test('under our feet costs a GET nothing and a POST its answer', async () => {
    // The second request on a connection finds it dead.
    await using server = await startRaw((socket, { count }) => {
      if (count === 2 || count === 5) socket.destroy();
      else socket.write(answer(200, String(count)));
    });
    await using transport = transportTo(server.url);

    const bodies = [
      await transport.send(GET),
      await transport.send(GET),
      await transport.send(GET),
    ];
    const error = await failure(transport.send(POST));

    assert.deepEqual(
      bodies.map(({ body }) => body.toString()),
      ['1', '3', '4'],
    );
    assert.deepEqual([error.fault, error.wasNotSent], ['closed', false]);
    assert.match(error.message, /before it answered/);
    assert.equal(server.heads.length, 5);
  });

  test('as its first act is not tried again', async () => {
    await using server = await startRaw((socket) => socket.destroy());
    await using transport = transportTo(server.url);

    assert.equal((await failure(transport.send(GET))).fault, 'closed');
    assert.equal(server.heads.length, 1);
  });

  test('after bytes nobody asked for is not used again', async () => {
    await using server = await startRaw((socket) =>
      socket.write(`${answer(200, 'x')}HTTP/1.1 408 `),
    );
    await using transport = transportTo(server.url);

    await transport.send(GET);
    await transport.send(GET);

    assert.equal(server.sockets.length, 2);
  });
});

describe('time and patience', () => {
  test('end a request at every stage', async () => {
    await using server = await startRaw((socket, { count }) => {
      if (count === 2) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf');
    });
    const clock = new ManualClock();
    const options = { clock, limits: { requests: 1 } };
    await using transport = transportTo(server.url, { options });
    const timeouts = { totalMs: 40_000 };
    const received = async (count: number) => {
      while (server.heads.length < count) await clock.advance(0);
    };

    const silent = failure(transport.send({ ...GET, timeouts }));
    const aborted = new AbortController();
    const queued = failure(transport.send({ ...GET, signal: aborted.signal }));
    aborted.abort(new Error('enough'));
    const queuedError = await queued;
    await received(1);
    await clock.advance(40_000);
    const silentError = await silent;
    const half = failure(transport.send({ ...GET, timeouts }));
    await received(2);
    await clock.advance(40_000);
    const halfError = await half;
    const late = await failure(transport.send({ ...GET, signal: aborted.signal }));

    assert.deepEqual([silentError.fault, silentError.wasNotSent], ['timeout', false]);
    assert.match(silentError.message, /no answer within 40 s/);
    assert.deepEqual([queuedError.fault, queuedError.wasNotSent], ['aborted', true]);
    assert.match(queuedError.message, /waiting for its turn/);
    assert.equal((queuedError.cause as Error).message, 'enough');
    assert.equal(halfError.fault, 'timeout');
    assert.deepEqual([late.fault, late.wasNotSent], ['aborted', true]);
  });

  test('bound how much happens at once', async () => {
    let open: Socket[] = [];
    await using server = await startRaw((socket, { count }) => {
      open.push(socket);
      assert.ok(open.length <= 3);
      if (open.length < 3 && count < 50) return;
      for (const one of open) one.write(answer(200, 'x'));
      open = [];
    });
    await using transport = transportTo(server.url, { options: { limits: { requests: 3 } } });

    await Promise.all(Array.from({ length: 50 }, () => transport.send(GET)));

    assert.deepEqual([server.heads.length, server.sockets.length], [50, 3]);
  });

  for (const method of ['GET', 'POST', 'PATCH', 'DELETE'] as const) {
    test(`let a server that is too busy for a ${method} say when to come back`, async () => {
      await using server = await startRaw((socket, { count }) => {
        if (count < 3)
          socket.write(answer(count === 1 ? 429 : 503, 'busy', { 'retry-after': '2' }));
        else socket.write(answer(200, 'x'));
      });
      const clock = new ManualClock();
      await using transport = transportTo(server.url, { options: { clock } });

      const done = transport.send({ method, path: '/' });
      while (server.heads.length < 3) await clock.advance(500);

      assert.equal((await done).status, 200);
    });
  }

  for (const [name, headers, method] of [
    ['does not say when', {}, 'GET'],
    ['does not say when to write', {}, 'POST'],
    ['says later than we wait', { 'retry-after': '31' }, 'GET'],
    ['says later than the request may last', { 'retry-after': '25' }, 'GET'],
  ] as const) {
    test(`give the refusal of a server that ${name} to the caller`, async () => {
      await using server = await startRaw((socket) => socket.write(answer(429, 'busy', headers)));
      await using transport = transportTo(server.url);

      const { status } = await transport.send({ method, path: '/', timeouts: { totalMs: 20_000 } });

      assert.equal(status, 429);
      assert.equal(server.heads.length, 1);
    });
  }

  test('end with a server that is always busy', async () => {
    await using server = await startRaw((socket) =>
      socket.write(answer(429, 'busy', { 'retry-after': '0' })),
    );
    await using transport = transportTo(server.url);

    assert.equal((await transport.send(GET)).status, 429);
    assert.equal(server.heads.length, 5);
  });
});

describe('a credential', () => {
  const tokens = (...list: string[]) => {
    const rejected: Presented[] = [];
    return {
      rejected,
      present: () => Promise.resolve({ authorization: `Bearer ${list[0]}` }),
      refused: (one: Presented) => {
        rejected.push(one);
        if (list.length > 1) list.shift();
        return Promise.resolve(list.length > 0 && one.authorization !== `Bearer ${list[0]}`);
      },
    };
  };

  test('that is refused is renewed once, also for a write', async () => {
    await using server = await startRaw((socket, { head }) =>
      socket.write(answer(/Bearer new/.test(head) ? 201 : 401, 'x')),
    );
    const credential = tokens('old', 'new');
    await using transport = transportTo(server.url, { credential });

    assert.equal((await transport.send(POST)).status, 201);
    assert.deepEqual(credential.rejected, [{ authorization: 'Bearer old' }]);
    assert.equal(server.heads.length, 2);
  });

  test('that stays refused ends in 401', async () => {
    await using server = await startRaw((socket) => socket.write(answer(401, 'x')));
    await using transport = transportTo(server.url, { credential: tokens('a', 'b', 'c') });

    assert.equal((await transport.send(GET)).status, 401);
    assert.equal((await transport.stream({ ...GET, path: '/x?watch=1' })).status, 401);
    assert.equal(server.heads.length, 4);
  });

  test('that cannot be had, or hangs, is the fault of a credential', async () => {
    await using server = await startRaw(() => undefined);
    const broken = {
      present: () => Promise.reject(new Error('no helper')),
      refused: () => Promise.resolve(false),
    };
    await using transport = transportTo(server.url, { credential: broken });
    const hanging = { present: () => new Promise<never>(() => undefined), refused: broken.refused };
    await using other = transportTo(server.url, { credential: hanging });

    const error = await failure(transport.send(GET));
    const late = await failure(other.send({ ...GET, timeouts: { totalMs: 20 } }));

    assert.deepEqual([error.fault, error.wasNotSent], ['credential', true]);
    assert.match(error.message, /no helper/);
    assert.deepEqual([late.fault, late.wasNotSent], ['timeout', true]);
    assert.equal(server.sockets.length, 0);
  });
});

describe('a transport that is closed', () => {
  test('ends what is under way, and takes nothing more', async () => {
    await using server = await startRaw((socket, { count }) => {
      if (count === 1) socket.write('HTTP/1.1 200 OK\r\n\r\nx');
    });
    const transport = transportTo(server.url, { options: { limits: { requests: 1 } } });
    const stream = await transport.stream(GET);
    const ends = [transport.send(GET), transport.send(GET), readAll(stream)].map(failure);

    await transport[Symbol.asyncDispose]();

    assert.deepEqual(
      (await Promise.all(ends)).map(({ fault }) => fault),
      ['closed', 'closed', 'closed'],
    );
    assert.equal((await failure(transport.send(GET))).fault, 'closed');
    await transport[Symbol.asyncDispose]();
  });
});

async function closedSocket(socket: Socket): Promise<void> {
  if (!socket.closed) await new Promise<void>((resolve) => socket.once('close', resolve));
}

function bomb(): Buffer {
  const body = gzipSync(Buffer.alloc(10_000_000));
  return Buffer.concat([
    Buffer.from('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n'),
    Buffer.from(`${body.subarray(0, 900).length.toString(16)}\r\n`),
    body.subarray(0, 900),
    Buffer.from('\r\n0\r\n\r\n'),
  ]);
}
