import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { describe, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { gunzipSync } from 'node:zlib';
import { derOf, issueClientCertificate } from '../authn/certificates.ts';
import type { ApiRequest, ApiResponse, Handle } from './exchange.ts';
import { MAX_BODY_BYTES } from './limits.ts';
import type { Listener } from './listener.ts';
import {
  get,
  h1,
  h2,
  raw,
  received,
  testAuthority,
  testCertificate,
  testListener,
  until,
} from './testing.ts';

const BIG = Array.from({ length: 3000 }, (_, i) =>
  Buffer.from(`{"item":${i},"x":"${'y'.repeat(180)}"},`),
);

/** Says what it was asked; the path chooses the shape of the answer. */
const echo: Handle = async (request) => {
  if (request.path === '/big') return answer(200, BIG);
  if (request.path === '/empty') return answer(204, Buffer.alloc(0));
  if (request.path === '/bug') throw new Error('a bug');
  if (request.path === '/bad-header') {
    return { status: 200, headers: { 'x-bad': 'a\nb' }, body: Buffer.from('x') };
  }
  const body = await request.body(MAX_BODY_BYTES);
  const seen = {
    method: request.method,
    path: request.path,
    query: Object.fromEntries(request.query),
    bytes: body.length,
    groups: groupsOf(request),
    address: request.peer.address,
    certificate: request.peer.certificate?.toString('base64'),
    chain: request.peer.certificateChain?.length,
  };
  return answer(200, [Buffer.from(JSON.stringify(seen)), Buffer.from('\n')]);
};

const protocols = {
  'HTTP/1.1': async (listener: Listener, method: string, path: string, more: More = {}) =>
    h1(listener, path, { method, ...more }),
  'HTTP/2': async (listener: Listener, method: string, path: string, more: More = {}) => {
    await using session = h2(listener);
    return await get(session, { ':method': method, ':path': path, ...more.headers }, more.body);
  },
};

interface More {
  headers?: Record<string, string | string[]>;
  body?: Buffer | string;
}

for (const [protocol, send] of Object.entries(protocols)) {
  describe(protocol, () => {
    test('a request reaches the handler whole, and every answer has its common headers', async () => {
      await using listener = await testListener(echo);
      const body = Buffer.alloc(200_000, 'a');
      const {
        status,
        headers,
        body: bytes,
      } = await send(listener, 'POST', '/api/x%20y?a=b&c', {
        headers: { 'content-length': String(body.length) },
        body,
      });

      const seen = JSON.parse(String(bytes));
      assert.equal(status, 200);
      assert.deepEqual(
        [seen.method, seen.path, seen.query, seen.bytes, seen.address],
        ['POST', '/api/x%20y', { a: 'b', c: '' }, 200_000, '127.0.0.1'],
      );
      assert.match(String(headers['audit-id']), /^[0-9a-f-]{36}$/);
      assert.equal(headers['cache-control'], 'no-cache, private');
      assert.equal(headers['content-length'], String(bytes.length));
    });

    test('repeated headers stay apart in rawHeaders', async () => {
      await using listener = await testListener(echo);
      const { body } = await send(listener, 'GET', '/', {
        headers: { 'Impersonate-Group': ['a, b', 'c'] },
      });

      assert.deepEqual(JSON.parse(String(body)).groups, ['a, b', 'c']);
    });

    test('HEAD has the headers of GET and no body', async () => {
      await using listener = await testListener(echo);
      const head = await send(listener, 'HEAD', '/big');
      const full = await send(listener, 'GET', '/big');

      assert.equal(head.status, 200);
      assert.equal(head.body.length, 0);
      assert.equal(head.headers['content-length'], String(full.body.length));
      assert.ok(full.body.equals(Buffer.concat(BIG)));
    });

    test('large answers are compressed for those who accept it', async () => {
      await using listener = await testListener(echo);
      const { headers, body } = await send(listener, 'GET', '/big', {
        headers: { 'accept-encoding': 'gzip' },
      });

      assert.equal(headers['content-encoding'], 'gzip');
      assert.equal(headers['vary'], 'Accept-Encoding');
      assert.ok(body.length < Buffer.concat(BIG).length / 4);
      assert.ok(gunzipSync(body).equals(Buffer.concat(BIG)));
    });

    test('an empty answer, a bug and an impossible header are all answered', async () => {
      await using listener = await testListener(echo);

      const empty = await send(listener, 'GET', '/empty');
      assert.deepEqual([empty.status, empty.body.length], [204, 0]);

      const bug = await send(listener, 'GET', '/bug');
      assert.equal(bug.status, 500);
      assert.equal(JSON.parse(String(bug.body)).reason, 'InternalError');

      assert.equal(listener.reported.length, 1);

      // HTTP/1.1 cannot send it; over HTTP/2 it goes out without the bad header.
      const impossible = await send(listener, 'GET', '/bad-header').catch(() => undefined);
      assert.equal(impossible?.headers['x-bad'], undefined);
      assert.equal((await send(listener, 'GET', '/')).status, 200);
      await until(() => listener.counts().requests === 0, 'requests to end');
    });

    test('a 10 MB body is refused with 413 and the connection stays usable', async () => {
      await using listener = await testListener(echo);
      const body = Buffer.alloc(10 * 1024 * 1024);
      for (const headers of [{}, { 'content-length': String(body.length) }] as const) {
        const refused = await send(listener, 'POST', '/', { headers, body });

        assert.equal(refused.status, 413);
        assert.deepEqual(JSON.parse(String(refused.body)), {
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Failure',
          message: 'Request entity too large: limit is 3145728',
          reason: 'RequestEntityTooLarge',
          code: 413,
        });
      }
      assert.equal((await send(listener, 'GET', '/')).status, 200);
      await until(() => listener.counts().requests === 0, 'requests to end');
    });

    test('a body nobody asks for does not keep the answer back', async () => {
      await using listener = await testListener(echo);
      const body = Buffer.alloc(5 * 1024 * 1024);
      const { status } = await send(listener, 'POST', '/bug', {
        headers: { 'content-length': String(body.length) },
        body,
      });

      assert.equal(status, 500);
      await until(() => listener.counts().requests === 0, 'the request to end');
    });

    test('tricky paths reach no handler', async () => {
      let reached = 0;
      await using listener = await testListener(async () => {
        reached += 1;
        return answer(200, Buffer.alloc(0));
      });
      for (const path of ['/api/../metrics', '//api', '/api/v1/namespaces/a%2Fb', '/api/%00']) {
        const { status, body } = await send(listener, 'GET', path);
        assert.equal(status, 404, path);
        assert.equal(JSON.parse(String(body)).reason, 'NotFound');
      }
      assert.equal((await send(listener, 'GET', '/api/%zz')).status, 400);
      assert.equal(reached, 0);
    });
  });
}

describe('TLS', () => {
  test('a client certificate and its issuers reach the handler, and no authority is advertised', async () => {
    await using listener = await testListener(echo);
    const client = issueClientCertificate(testAuthority, {
      user: 'jane',
      groups: [],
      notBefore: new Date('2020-01-01'),
      notAfter: new Date('2040-01-01'),
    });
    const cert = client.certificate + testAuthority.certificate;
    const expected = derOf(client.certificate).toString('base64');

    const overH1 = await h1(listener, '/', { cert, key: client.key });
    await using session = h2(listener, { cert, key: client.key });
    const overH2 = await get(session, { ':path': '/' });
    const again = await get(session, { ':path': '/' });

    for (const { body } of [overH1, overH2, again]) {
      const seen = JSON.parse(String(body));
      assert.equal(seen.certificate, expected);
      assert.equal(seen.chain, 1);
    }
  });

  test('a new certificate is shown from the next handshake on; open connections live on', async () => {
    await using listener = await testListener(echo);
    await using session = h2(listener);
    await get(session, { ':path': '/' });
    assert.equal(await commonName(listener), 'one');

    listener.setCertificates({ main: testCertificate('two') });

    assert.equal(await commonName(listener), 'two');
    assert.equal((await get(session, { ':path': '/' })).status, 200);
    assert.equal((await h1(listener, '/')).status, 200);
  });

  test('hosts can have certificates of their own', async () => {
    const certificates = {
      main: testCertificate('main'),
      hosts: { 'a.example.com': testCertificate('a', ['a.example.com']) },
    };
    await using listener = await testListener(echo, { certificates });

    assert.equal(await commonName(listener, 'A.example.com'), 'a');
    assert.equal(await commonName(listener, 'b.example.com'), 'main');
    listener.setCertificates({ main: testCertificate('main-2') });
    assert.equal(await commonName(listener, 'a.example.com'), 'main-2');
  });

  test('a client that offers no protocol gets HTTP/1.1', async () => {
    await using listener = await testListener(echo);
    const socket = await raw(listener, []);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');

    assert.match(await received(socket), /^HTTP\/1.1 200 OK/);
  });

  test('a taken port is a clear error', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => blocker.once('listening', resolve));
    const { port } = blocker.address() as { port: number };

    await assert.rejects(
      testListener(echo, { port }),
      new RegExp(`^Error: Cannot listen on 127.0.0.1:${port}: the port is taken; `),
    );
    blocker.close();
  });
});

describe('upgrade', () => {
  const ask =
    'GET /api/v1/namespaces/n/pods/p/exec HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

  test('without a handler for it the request is answered as any other', async () => {
    await using listener = await testListener(echo);
    const socket = await raw(listener);
    socket.write(ask.replace('Upgrade\r\n', 'Upgrade, close\r\n'));

    assert.match(await received(socket), /^HTTP\/1.1 200 OK/);
  });

  test('can be refused with a Status', async () => {
    await using listener = await testListener(echo, {
      upgrade: async (request) => answer(403, Buffer.from(`no ${request.path}`)),
    });
    const socket = await raw(listener);
    socket.write(ask);

    const text = await received(socket);
    assert.match(text, /^HTTP\/1.1 403 Forbidden\r\n/);
    assert.match(text, /audit-id: /);
    assert.match(text, /no \/api\/v1\/namespaces\/n\/pods\/p\/exec$/);
    await until(() => listener.counts().requests === 0, 'the request to end');
  });

  test('can be taken over', async () => {
    await using listener = await testListener(echo, {
      upgrade: async (_request, socket, head) => {
        assert.equal(head.toString(), 'early');
        socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\nhello');
        return undefined;
      },
    });
    const socket = await raw(listener);
    socket.write(`${ask}early`);

    assert.match(await received(socket), /101 Switching Protocols[\s\S]*hello$/);
  });
});

function answer(status: number, body: ApiResponse['body']): ApiResponse {
  return { status, headers: { 'content-type': 'application/json' }, body };
}

function groupsOf({ rawHeaders = [] }: ApiRequest): string[] {
  return rawHeaders.filter(
    (_, at) => rawHeaders[at - 1]?.toLowerCase() === 'impersonate-group' && at % 2 === 1,
  );
}

function commonName(listener: Listener, servername?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({
      host: '127.0.0.1',
      port: listener.port,
      ca: testAuthority.certificate,
      checkServerIdentity: () => undefined,
      ...(servername === undefined ? {} : { servername }),
    });
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
  });
}
