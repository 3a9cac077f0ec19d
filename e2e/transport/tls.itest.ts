import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TLSSocket, TlsOptions } from 'node:tls';
import type { Access, Presented } from '@flotilla/client';
import { createAuthority } from '../../packages/apiserver/src/authn/certificates.ts';
import { failure } from '../../packages/client/src/transport/testing/failure.ts';
import { startHttpProxy } from '../../packages/client/src/transport/testing/proxies.ts';
import { answer, startRaw } from '../../packages/client/src/transport/testing/raw-server.ts';
import { transportTo } from '../../packages/client/src/transport/testing/transport-to.ts';
import { authority, clientCertificate, hours, serving } from './certificates.ts';

const GET = { method: 'GET', path: '/api' } as const;
const TRUSTED: Access['tls'] = { ca: authority.certificate };
const stranger = createAuthority('stranger-ca', hours(1, 1));
const present = (presented: Presented) => ({
  present: () => Promise.resolve(presented),
  refused: () => Promise.resolve(false),
});

describe('TLS that fails names the cause', () => {
  const CASES: { name: string; server: TlsOptions; access?: Partial<Access>; text: RegExp }[] = [
    {
      name: 'an unknown authority',
      server: serving({ by: stranger }),
      text: /Cannot trust .* issued by "stranger-ca", which is not among the certificate authorities/,
    },
    {
      name: 'a certificate that has expired',
      server: serving({ validity: hours(1, -0.5) }),
      text: /its certificate expired on \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/,
    },
    {
      name: 'a certificate that is not valid yet',
      server: serving({ validity: hours(-0.5, 1) }),
      text: /valid only from \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ on/,
    },
    {
      name: 'another host',
      server: serving({ hosts: ['api.example', '10.1.2.3'] }),
      text: /is for "api.example", "10.1.2.3" and not for "127.0.0.1".*tls-server-name/,
    },
    {
      name: 'a client certificate that is missing',
      server: {
        ...serving(),
        requestCert: true,
        rejectUnauthorized: true,
        ca: authority.certificate,
      },
      text: /asks for a client certificate/,
    },
    {
      name: 'a client certificate that is missing where HTTP/2 was agreed on',
      server: {
        ...serving(),
        requestCert: true,
        rejectUnauthorized: true,
        ca: authority.certificate,
        ALPNProtocols: ['h2', 'http/1.1'],
      },
      text: /asks for a client certificate/,
    },
    {
      name: 'an old version of TLS',
      server: {
        ...serving(),
        maxVersion: 'TLSv1.1',
        minVersion: 'TLSv1',
        ciphers: 'DEFAULT@SECLEVEL=0',
      },
      text: /Cannot speak TLS with/,
    },
  ];
  for (const { name, server: options, access, text } of CASES) {
    test(name, async () => {
      await using server = await startRaw((socket) => socket.write(answer(200, 'x')), options);
      await using transport = transportTo(server.url, { tls: TRUSTED, ...access });

      for (const ask of [
        () => transport.send(GET),
        () => transport.stream({ ...GET, path: '/?watch=1' }),
      ]) {
        const error = await failure(ask());
        assert.deepEqual([error.fault, error.wasNotSent], ['tls', true], error.message);
        assert.match(error.message, text);
        assert.doesNotMatch(error.message, /PRIVATE|BEGIN/);
      }
    });
  }

  test('a server that speaks plain HTTP', async () => {
    await using plain = await startRaw((socket) => socket.write(answer(400, 'x')));
    await using transport = transportTo(plain.url.replace('http', 'https'), {
      tls: TRUSTED,
      options: { limits: { connectMs: 300 } },
    });

    const asking = failure(transport.send(GET));
    while (plain.sockets.length === 0) await new Promise(setImmediate);
    plain.sockets[0]!.write(answer(400, 'Client sent TLS'));

    assert.match((await asking).message, /does it speak plain HTTP/);
  });

  test('a client key that is encrypted or another one', async () => {
    await using server = await startRaw((socket) => socket.write(answer(200, 'x')), serving());
    const { cert } = clientCertificate('me');
    const { key } = clientCertificate('other');
    await using transport = transportTo(server.url, {
      tls: TRUSTED,
      credential: present({ certificate: { cert, key } }),
    });
    await using garbage = transportTo(server.url, {
      tls: TRUSTED,
      credential: present({ certificate: { cert, key: 'secret' } }),
    });

    assert.match((await failure(transport.send(GET))).message, /do not belong together/);
    const error = await failure(garbage.send(GET));
    assert.match(error.message, /cannot be read/);
    assert.doesNotMatch(`${error.message} ${String(error.cause)}`, /secret/);
  });
});

describe('TLS that holds', () => {
  test('checks the name it is told, or nothing when told so', async () => {
    await using server = await startRaw(
      (socket) =>
        socket.write(
          answer(200, String((socket as TLSSocket & { servername?: string }).servername)),
        ),
      serving({ hosts: ['api.example'] }),
    );
    await using named = transportTo(server.url, { tls: { ...TRUSTED, serverName: 'api.example' } });
    await using insecure = transportTo(server.url, { tls: { insecure: true } });

    assert.equal((await named.send(GET)).body.toString(), 'api.example');
    assert.equal((await insecure.send(GET)).status, 200);
  });

  test('is resumed by the next connection', async () => {
    const reused: boolean[] = [];
    await using server = await startRaw((socket) => {
      reused.push((socket as TLSSocket).isSessionReused());
      socket.end(answer(200, 'x', { connection: 'close' }));
    }, serving());
    await using transport = transportTo(server.url, { tls: TRUSTED });

    for (let round = 0; round < 3; round += 1) await transport.send(GET);

    assert.deepEqual(reused, [false, true, true]);
  });

  test('is made anew when the client certificate changes', async () => {
    const users: string[] = [];
    await using server = await startRaw(
      (socket) => {
        users.push(String((socket as TLSSocket).getPeerCertificate().subject.CN));
        socket.write(answer(200, 'x'));
      },
      { ...serving(), requestCert: true, rejectUnauthorized: true, ca: authority.certificate },
    );
    let certificate = clientCertificate('first');
    await using transport = transportTo(server.url, {
      tls: TRUSTED,
      credential: {
        present: () => Promise.resolve({ certificate: { ...certificate } }),
        refused: () => Promise.resolve(false),
      },
    });

    await transport.send(GET);
    await transport.send(GET);
    certificate = clientCertificate('second');
    await transport.send(GET);
    await transport.send(GET);

    assert.deepEqual(users, ['first', 'first', 'second', 'second']);
    assert.equal(server.sockets.length, 2);
  });

  test('is tried again with a certificate when the server refuses to go on without', async () => {
    await using server = await startRaw((socket) => socket.write(answer(200, 'x')), {
      ...serving(),
      requestCert: true,
      rejectUnauthorized: true,
      ca: authority.certificate,
    });
    let certificate: Presented['certificate'];
    await using transport = transportTo(server.url, {
      tls: TRUSTED,
      credential: {
        present: () => Promise.resolve({ certificate }),
        refused: () => {
          certificate = clientCertificate('now');
          return Promise.resolve(true);
        },
      },
    });

    assert.equal((await transport.send({ ...GET, method: 'POST', body: 'x' })).status, 200);
    assert.equal(server.heads.length, 1);
  });
});

describe('a proxy to a TLS server', () => {
  for (const isSecure of [false, true]) {
    test(`over ${isSecure ? 'https' : 'http'} makes a tunnel`, async () => {
      await using server = await startRaw((socket) => socket.write(answer(200, 'x')), serving());
      const authorization = `Basic ${Buffer.from('me:pw').toString('base64')}`;
      await using proxy = await startHttpProxy(authorization, isSecure ? serving() : undefined);
      const proxyUrl = proxy.url.replace('//', '//me:pw@');
      await using transport = transportTo(server.url, { tls: TRUSTED, proxyUrl });
      await using refused = transportTo(server.url, { tls: TRUSTED, proxyUrl: proxy.url });

      assert.equal((await transport.send(GET)).status, 200);
      assert.equal(proxy.asked[0], `CONNECT 127.0.0.1:${server.port} HTTP/1.1`);
      const error = await failure(refused.send(GET));
      assert.equal(error.fault, 'proxy');
      assert.match(error.message, /wants a user and a password/);
    });
  }

  test('that cannot reach it, or that nobody trusts, is named', async () => {
    await using proxy = await startHttpProxy();
    await using strange = await startHttpProxy(undefined, serving({ by: stranger }));
    await using lost = transportTo('https://127.0.0.1:1', { tls: TRUSTED, proxyUrl: proxy.url });
    await using wary = transportTo('https://127.0.0.1:1', { tls: TRUSTED, proxyUrl: strange.url });

    assert.match((await failure(lost.send(GET))).message, /through the proxy .*502 Bad Gateway/);
    const error = await failure(wary.send(GET));
    assert.equal(error.fault, 'proxy');
    assert.match(error.message, /stranger-ca.*it is the proxy/);
  });
});
