import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { describe, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { ensureServingPair, systemClock } from '@flotilla/apiserver';
import { SecretValue } from '@flotilla/runtime';
import { eventually, startServer } from '@flotilla/testkit';
import {
  accessTo,
  GATEWAYS,
  type GatewayHub,
  startHub,
  tokenAccess,
} from './testing/gateway-hub.ts';
import { recordingMember } from './testing/recording-member.ts';

const WEST = `${GATEWAYS}/west/proxy`;

describe('the proxy of the gateway', () => {
  test('REG-75 says what upstream says of an unknown cluster and of one that is away', async () => {
    await using hub = await startHub();
    const status = async (name: string) => {
      const { status: code, body } = await send(hub, `${GATEWAYS}/${name}/proxy/api`);
      return { code, body: body.toString() };
    };
    assert.deepEqual(await status('nobody'), {
      code: 500,
      body: '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"no such cluster nobody","code":500}\n',
    });

    const away = await recordingMember();
    await away.stop();
    await hub.join('away', away.access());
    const port = new URL(away.url).port;
    assert.deepEqual(await status('away'), {
      code: 500,
      body: `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"dial tcp 127.0.0.1:${port}: connect: connection refused","code":500}\n`,
    });

    await using member = await recordingMember();
    await using other = await recordingMember();
    await hub.join('mistrusted', tokenAccess(member.url, other.ca, 'tok'));
    assert.match((await status('mistrusted')).body, /tls: failed to verify certificate: x509: /);
    assert.deepEqual(member.seen, []);
  });

  test('REG-76 passes a watch on as it happens, and ends it with its client', async () => {
    await using hub = await startHub();
    const streams = new Set<ServerResponse>();
    await using west = await recordingMember({
      answer: (_request, response) => {
        streams.add(response);
        response.once('close', () => streams.delete(response));
        response.writeHead(200, { 'content-type': 'application/json' });
        response.flushHeaders();
      },
    });
    await hub.join('west', west.access());

    for (const path of [`${WEST}/api/v1/pods?watch=true`, `${WEST}/logs/app.log`]) {
      const stream = await hub.client.transport.stream({
        method: 'GET',
        path,
        timeouts: { totalMs: 0 },
      });
      // The headers are here before there is anything to tell.
      assert.equal(stream.status, 200);
      const chunks = stream[Symbol.asyncIterator]();
      const [response] = streams;
      for (const event of ['one\n', 'two\n', 'three\n']) {
        response?.write(event);
        // Nothing follows it, so nothing may hold it back.
        assert.equal(String((await chunks.next()).value), event);
      }
      stream.close();
      await eventually(
        () => streams.size,
        (open) => open === 0,
      );
    }
  });

  test('REG-76 watches an embedded member, over HTTP/2 as over HTTP/1.1', async () => {
    await using hub = await startHub();
    await using west = await startServer();
    await hub.join('west', await accessTo(west));
    const path = `${WEST}/api/v1/namespaces/default/configmaps`;
    const stream = await hub.client.transport.stream({
      method: 'GET',
      path: `${path}?watch=true&resourceVersion=0&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
    });
    const lines: string[] = [];
    const reading = (async () => {
      for await (const chunk of stream) lines.push(...chunk.toString().split('\n'));
    })();
    await hub.client.raw({
      method: 'POST',
      path,
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'made' } },
    });
    await eventually(
      () => lines.filter((line) => line.includes('"name":"made"')).length,
      (count) => count === 1,
    );
    stream.close();
    await reading.catch(() => {});
  });

  test('REG-76 passes a body on in the pieces it comes in', async () => {
    await using hub = await startHub();
    const received: string[] = [];
    await using west = await recordingMember({
      answer: (request, response) => {
        request.on('data', (chunk: Buffer) => received.push(chunk.toString()));
        request.on('end', () => response.end(`got ${received.join('|')}`));
      },
    });
    await hub.join('west', west.access());

    const call = rawRequest(hub, { method: 'POST', path: `${WEST}/upload?dryRun=All` });
    for (const piece of ['first', 'second', 'third']) {
      call.write(piece);
      // The rest is not sent before this has arrived.
      await eventually(() => received.at(-1) === piece);
    }
    call.end();
    const answer = await answerOf(call);
    assert.equal(answer.body, 'got first|second|third');
    const [seen] = west.seen;
    assert.equal(seen?.url, '/upload?dryRun=All');
    assert.equal(seen?.headers['transfer-encoding'], 'chunked');
  });

  test('REG-77 asks the hub first whether the caller may, by method', async () => {
    await using hub = await startHub();
    await using west = await recordingMember();
    await hub.join('west', west.access());
    const eve = hub.as('eve');
    const may = async (verbs: readonly string[]) => {
      await hub.client.raw({
        method: 'POST',
        path: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
        body: {
          metadata: { name: 'gateway' },
          rules: [
            { apiGroups: ['cluster.core.oam.dev'], resources: ['clustergateways/proxy'], verbs },
          ],
        },
      });
      await hub.client.raw({
        method: 'POST',
        path: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
        body: {
          metadata: { name: 'gateway' },
          roleRef: {
            apiGroup: 'rbac.authorization.k8s.io',
            kind: 'ClusterRole',
            name: 'gateway',
          },
          subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'eve' }],
        },
      });
    };

    await assert.rejects(eve.raw({ path: `${WEST}/api` }), {
      code: 403,
      message:
        'clustergateways.cluster.core.oam.dev "west" is forbidden: User "eve" cannot get resource "clustergateways/proxy" in API group "cluster.core.oam.dev" at the cluster scope',
    });
    assert.deepEqual(west.seen, []);
    await may(['get']);
    assert.equal((await eve.transport.send({ method: 'GET', path: `${WEST}/api` })).status, 200);
    const refused = await eve.transport.send({ method: 'POST', path: `${WEST}/api`, body: '{}' });
    assert.equal(refused.status, 403);
    const upgrade = await eve.transport.upgrade({
      method: 'POST',
      path: `${WEST}/api/v1/namespaces/a/pods/b/exec`,
      headers: { connection: 'Upgrade', upgrade: 'SPDY/3.1' },
    });
    assert.equal(upgrade.status, 403);
    upgrade.socket.destroy();
    assert.equal(west.seen.length, 1);
    // The credential is in the object itself, which is another right.
    await assert.rejects(eve.raw({ path: `${GATEWAYS}/west` }), { code: 403 });
  });

  test('carries every method, path and query, and nothing of the hub', async () => {
    await using hub = await startHub();
    await using west = await recordingMember({
      answer: (_request, response) => {
        response.setHeader('set-cookie', 'session=members');
        response.setHeader('x-of-member', 'yes');
        response.setHeader('audit-id', 'of-the-member');
        response.setHeader('warning', ['299 - "one"', '299 - "two, three"']);
        response.end('ok');
      },
    });
    await hub.join('west', west.access());
    await hub.join('below', { ...west.access(), endpoint: `${west.url}/k8s/clusters/c-1` });

    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']) {
      const call = rawRequest(hub, {
        method,
        path: `${WEST}/api/v1/a%20b/?labelSelector=a%20in%20(b)`,
      });
      call.end(method === 'POST' ? 'body' : undefined);
      const { status, headers, body } = await answerOf(call);
      assert.equal(status, 200, method);
      assert.equal(body, method === 'HEAD' ? '' : 'ok', method);
      assert.equal(headers['x-of-member'], 'yes');
      assert.equal(headers['set-cookie'], undefined);
      assert.notEqual(headers['audit-id'], 'of-the-member');
      assert.equal(headers['warning'], '299 - "one", 299 - "two, three"');
    }
    assert.deepEqual(
      west.seen.map(({ method, url }) => `${method} ${url}`),
      ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'].map(
        (method) => `${method} /api/v1/a%20b/?labelSelector=a+in+%28b%29`,
      ),
    );
    for (const [path, wanted] of [
      [`${WEST}`, '/'],
      [`${WEST}/`, '/'],
      [`${GATEWAYS}/below/proxy/api?x=1`, '/k8s/clusters/c-1/api?x=1'],
      [`${GATEWAYS}/below/proxy`, '/k8s/clusters/c-1/'],
    ] as const) {
      await send(hub, path);
      assert.equal(west.seen.at(-1)?.url, wanted);
    }
    // Nobody climbs out of the cluster's own path.
    const before = west.seen.length;
    for (const path of ['/../../secret', '/%2e%2e/%2e%2e/secret', '/..%2f..%2fsecret']) {
      const call = rawRequest(hub, { path: `${GATEWAYS}/below/proxy${path}` });
      call.end();
      assert.equal((await answerOf(call)).status, 404, path);
    }
    assert.equal(west.seen.length, before);
  });

  test("shows the member the cluster's credential, and nothing that is the client's or the hub's", async () => {
    await using hub = await startHub();
    await using west = await recordingMember();
    await hub.join('west', west.access('the-clusters-own'));

    const call = rawRequest(hub, {
      path: `${WEST}/api`,
      headers: {
        accept: 'application/json',
        cookie: 'hub-session=1',
        'impersonate-user': 'alice',
        'impersonate-group': 'devs',
        'impersonate-extra-team': 'a',
        'proxy-authorization': 'Basic x',
        'x-remote-user': 'root',
        'x-remote-group': 'system:masters',
        connection: 'keep-alive, x-private',
        'x-private': '1',
        te: 'trailers',
        'user-agent': 'kubectl/v1.34',
        'audit-id': 'an-id',
      },
    });
    call.end();
    assert.equal((await answerOf(call)).status, 403);
    await hub.client.raw({
      method: 'POST',
      path: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
      body: {
        metadata: { name: 'devs' },
        roleRef: {
          apiGroup: 'rbac.authorization.k8s.io',
          kind: 'ClusterRole',
          name: 'cluster-admin',
        },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'devs' }],
      },
    });
    const again = rawRequest(hub, { path: `${WEST}/api`, headers: call.getHeaders() });
    again.end();
    assert.equal((await answerOf(again)).status, 200);

    assert.deepEqual(pairs(west.seen[0]?.rawHeaders ?? []), [
      'accept: application/json',
      'audit-id: an-id',
      'authorization: Bearer the-clusters-own',
      'connection: keep-alive',
      `host: ${new URL(west.url).host}`,
      'user-agent: kubectl/v1.34',
      'x-forwarded-for: 127.0.0.1',
    ]);
  });

  test('passes compressed and refused answers on as they are', async () => {
    await using hub = await startHub();
    const packed = Buffer.from('1f8b', 'hex');
    await using west = await recordingMember({
      answer: (request, response) => {
        if (request.url === '/zip') {
          response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': packed.length });
          response.end(packed);
        } else if (request.url === '/empty') response.writeHead(204).end();
        else response.writeHead(401, { 'content-type': 'text/plain' }).end('who are you?');
      },
    });
    await hub.join('west', west.access());

    const call = rawRequest(hub, { path: `${WEST}/zip`, headers: { 'accept-encoding': 'gzip' } });
    call.end();
    const { headers, bytes } = await answerOf(call);
    assert.equal(headers['content-encoding'], 'gzip');
    assert.equal(headers['content-length'], '2');
    assert.deepEqual(bytes, packed);
    assert.equal((await send(hub, `${WEST}/empty`)).status, 204);
    const refused = await send(hub, `${WEST}/x`);
    assert.deepEqual([refused.status, refused.body.toString()], [401, 'who are you?']);
  });

  test('breaks off where the member does, so that half an answer does not look whole', async () => {
    await using hub = await startHub();
    await using west = await recordingMember({
      answer: (_request, response) => {
        response.write('half', () => response.socket?.destroy());
      },
    });
    await hub.join('west', west.access());

    await assert.rejects(send(hub, `${WEST}/x`));
    const call = rawRequest(hub, { path: `${WEST}/x` });
    call.end();
    await assert.rejects(answerOf(call));
  });

  test('reads from the member no faster than its client reads', async () => {
    await using hub = await startHub();
    const pieces = 256;
    const piece = Buffer.alloc(256 * 1024);
    const state = { written: 0 };
    await using west = await recordingMember({
      answer: (_request, response) => {
        const more = (): void => {
          if (state.written === pieces) response.end();
          else {
            state.written += 1;
            response.write(piece, more);
          }
        };
        more();
      },
    });
    await hub.join('west', west.access());

    const call = rawRequest(hub, { path: `${WEST}/much` });
    call.end();
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    response.pause();
    // It comes to a stand because nobody reads, long before the end.
    let last = -1;
    await eventually(
      () => {
        const isStill = state.written === last;
        last = state.written;
        return isStill;
      },
      undefined,
      { everyMs: 200 },
    );
    assert.ok(state.written < pieces, `${state.written} of ${pieces} pieces were taken`);
    let received = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) received += chunk.length;
    assert.equal(received, pieces * piece.length);
  });

  test('proves itself with a certificate where that is the credential', async () => {
    const { certificate, key } = ensureServingPair({
      folder: undefined,
      hosts: [],
      now: systemClock.now(),
    });
    await using hub = await startHub();
    const shown: unknown[] = [];
    await using west = await recordingMember({
      asksForCertificates: true,
      answer: (request, response) => {
        shown.push((request.socket as TLSSocket).getPeerX509Certificate()?.fingerprint256);
        response.end('ok');
      },
    });
    await hub.join('west', {
      endpoint: west.url,
      ca: west.ca,
      credential: { type: 'X509Certificate', certificate, key: new SecretValue(key) },
    });

    assert.equal((await send(hub, `${WEST}/api`)).status, 200);
    assert.deepEqual(shown, [new X509Certificate(certificate).fingerprint256]);
    assert.equal(west.seen[0]?.headers.authorization, undefined);
    // A certificate that cannot be one is told of without a word of it.
    await hub.join('west', {
      endpoint: west.url,
      ca: west.ca,
      credential: { type: 'X509Certificate', certificate: 'CERT', key: new SecretValue('KEY') },
    });
    const { status, body } = await send(hub, `${WEST}/api`);
    assert.equal(status, 500);
    assert.match(body.toString(), /a certificate or key of this access cannot be read/);
  });

  test('breaks off at the member when the client does, in the middle of a body', async () => {
    await using hub = await startHub();
    const state = { began: false, closed: false };
    await using west = await recordingMember({
      answer: (request) => {
        request.once('data', () => {
          state.began = true;
        });
        request.once('close', () => {
          state.closed = true;
        });
      },
    });
    await hub.join('west', west.access());

    const call = rawRequest(hub, { method: 'PUT', path: `${WEST}/x` });
    call.on('error', () => {});
    call.write('begun');
    await eventually(() => state.began);
    call.destroy();
    await eventually(() => state.closed);
  });

  test('answers a client whose body the member does not want to the end', async () => {
    await using hub = await startHub();
    await using west = await recordingMember({
      answer: (_request, response) => response.writeHead(413).end('enough'),
    });
    await hub.join('west', west.access());

    const { status, body } = await hub.client.transport.send({
      method: 'POST',
      path: `${WEST}/x`,
      body: Buffer.alloc(4 * 1024 * 1024),
    });
    assert.deepEqual([status, body.toString()], [413, 'enough']);
  });

  test('refuses headers that would not survive the way', async () => {
    await using hub = await startHub();
    await using west = await recordingMember();
    await hub.join('west', west.access('line\nbreak'));

    const { status } = await send(hub, `${WEST}/x`);
    assert.equal(status, 400);
    assert.deepEqual(west.seen, []);
  });
});

function send(hub: GatewayHub, path: string) {
  return hub.client.transport.send({ method: 'GET', path });
}

interface RawRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: object;
}

/** A request whose every header is the test's own. */
function rawRequest(hub: GatewayHub, { method = 'GET', path, headers = {} }: RawRequest) {
  const { hostname, port } = new URL(hub.server.url);
  return httpsRequest({
    host: hostname,
    port,
    method,
    path,
    ca: hub.server.access.tls.ca,
    agent: false,
    headers: { ...headers, authorization: 'Bearer admin' },
  });
}

async function answerOf(call: ReturnType<typeof httpsRequest>) {
  return new Promise<{
    status: number | undefined;
    headers: Record<string, unknown>;
    body: string;
    bytes: Buffer;
  }>((resolve, reject) => {
    call.once('error', reject);
    call.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const bytes = Buffer.concat(chunks);
        const { statusCode: status, headers } = response;
        resolve({ status, headers, body: bytes.toString(), bytes });
      });
    });
  });
}

function pairs(raw: readonly string[]): string[] {
  return raw
    .flatMap((name, index) =>
      index % 2 === 0 ? [`${name.toLowerCase()}: ${raw[index + 1] ?? ''}`] : [],
    )
    .sort();
}
