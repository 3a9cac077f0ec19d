import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import { createAuthority, issueClientCertificate } from '../authn/certificates.ts';
import { startInMemory, type TestServer } from '../testing/start-in-memory.ts';
import { startKubelet, type TestKubelet } from '../testing/start-kubelet.ts';
import type { KubeletOptions } from './kubelet-client.ts';

const PODS = '/api/v1/namespaces/default/pods';
const LOG = `${PODS}/p/log`;

describe('the log of a pod', () => {
  test('is what the kubelet of its node says', async () => {
    await using rig = await start((_request, response) => {
      response.setHeader('content-type', 'text/odd; charset=utf-8');
      response.end('one\ntwo\n');
    });

    const log = await rig.server.send(`GET ${LOG}`);

    assert.equal(log.status, 200);
    assert.equal(log.headers['content-type'], 'text/plain');
    assert.equal((await log.whole()).toString(), 'one\ntwo\n');
    assert.deepEqual(rig.urls(), ['/containerLogs/default/p/c']);
  });

  test('is asked for with the options of the client, in the form kubelets read', async () => {
    await using rig = await start((_request, response) => response.end());
    const asked = async (query: string): Promise<string | undefined> => {
      const log = await rig.server.send(`GET ${LOG}?${query}`);
      assert.equal(log.status, 200, log.text());
      await log.whole();
      return rig.urls().at(-1)?.split('?')[1];
    };

    assert.equal(await asked('container=c&unknown=1'), undefined);
    assert.equal(
      await asked('timestamps=&previous=1&follow=true&tailLines=005&limitBytes=%2B7'),
      'follow=true&limitBytes=7&previous=true&tailLines=5&timestamps=true',
    );
    assert.equal(await asked('follow=false&previous=0&sinceSeconds=60'), 'sinceSeconds=60');
    assert.equal(
      await asked('sinceTime=2020-01-01T00:00:00.5%2B02:00'),
      'sinceTime=2019-12-31T22%3A00%3A00Z',
    );
    assert.equal(await asked('sinceTime='), 'sinceTime=0001-01-01T00%3A00%3A00Z');
  });

  test('has its options checked before anyone is asked', async () => {
    await using rig = await start((_request, response) => response.end());
    const refused = async (query: string) => (await rig.server.send(`GET ${LOG}?${query}`)).json();

    const odd = await refused('sinceSeconds=0&tailLines=-1&limitBytes=0');
    assert.equal(odd.code, 422);
    assert.equal(
      odd.message,
      'PodLogOptions "p" is invalid: [tailLines: Invalid value: -1: must be greater than or equal to 0, limitBytes: Invalid value: 0: must be greater than 0, sinceSeconds: Invalid value: 0: must be greater than 0]',
    );
    assert.equal(
      (await refused('sinceSeconds=1&sinceTime=2020-01-01T00:00:00Z')).message,
      'PodLogOptions "p" is invalid: []: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified',
    );
    assert.equal((await refused('stream=All')).code, 422);
    assert.equal((await refused('tailLines=')).code, 400);
    assert.equal(
      (await refused('tailLines=9223372036854775808')).message,
      'strconv.ParseInt: parsing "9223372036854775808": value out of range',
    );
    assert.equal(
      (await refused('sinceTime=x')).message,
      'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
    );
    assert.equal((await refused('container=z')).message, 'container z is not valid for pod p');
    assert.deepEqual(rig.urls(), []);
  });

  test('is empty while no node has the pod, and refused without a choice of container', async () => {
    await using server = await startInMemory();
    await pod(server, { name: 'free' });
    await pod(server, { name: 'two', containers: ['a', 'b'], initContainers: ['first'] });

    const free = await server.send(`GET ${PODS}/free/log`);
    assert.equal(free.status, 204);
    assert.equal(free.body.length, 0);
    const unclear = (await server.send(`GET ${PODS}/two/log`)).json();
    assert.equal(unclear.code, 400);
    assert.equal(
      unclear.message,
      'a container name must be specified for pod two, choose one of: [first a b]',
    );
    assert.equal((await server.send(`GET ${PODS}/two/log?container=first`)).status, 204);
    assert.equal((await server.send(`GET ${PODS}/none/log`)).status, 404);
  });

  test('is looked for only where the status of the Node says', async () => {
    await using server = await startInMemory();
    await node(server, 'bare', {});
    await node(server, 'odd', { addresses: [{ type: 'Other', address: '127.0.0.1' }] });
    await node(server, 'dead', address(1));
    for (const name of ['bare', 'odd', 'dead', 'gone']) await pod(server, { name, nodeName: name });
    const message = async (name: string) =>
      (await server.send(`GET ${PODS}/${name}/log`)).json().message;

    assert.equal(await message('bare'), 'no preferred addresses found; known addresses: []');
    assert.equal(
      await message('odd'),
      'no preferred addresses found; known addresses: [{Other 127.0.0.1}]',
    );
    assert.equal(
      await message('dead'),
      'Get "https://127.0.0.1:1/containerLogs/default/dead/c": dial tcp 127.0.0.1:1: connect: connection refused',
    );
    // Upstream's words, which name the resource of the request.
    assert.equal(await message('gone'), 'pods "gone" not found');
  });

  test('comes from the first of the preferred addresses', async () => {
    await using rig = await start((_request, response) => response.end('here\n'));
    const addresses = [
      { type: 'ExternalIP', address: '127.0.0.9' },
      { type: 'InternalIP', address: '127.0.0.1' },
    ];
    await rig.server.send('PATCH /api/v1/nodes/n/status', {
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { status: { addresses } },
    });

    const log = await rig.server.send(`GET ${LOG}`);

    assert.equal((await log.whole()).toString(), 'here\n');
  });

  test('is refused in upstream words when the kubelet refuses', async () => {
    await using rig = await start((request, response) => {
      const code = Number(new URL(request.url ?? '', 'https://x').searchParams.get('tailLines'));
      response.statusCode = code;
      if (code === 302) response.setHeader('location', '/elsewhere');
      response.end(`it said ${code}`);
    });
    const refused = async (code: number) => {
      const answer = await rig.server.send(`GET ${LOG}?tailLines=${code}`);
      const { reason, message } = answer.json();
      return [answer.status, reason, message];
    };

    assert.deepEqual(await refused(400), [400, 'BadRequest', 'it said 400']);
    assert.deepEqual(await refused(403), [403, 'Forbidden', 'it said 403 ( pods/log p)']);
    assert.deepEqual(await refused(404), [
      404,
      'NotFound',
      'the server could not find the requested resource ( pods/log p)',
    ]);
    assert.deepEqual(await refused(500), [
      500,
      'InternalError',
      'Internal error occurred: it said 500',
    ]);
    assert.deepEqual(await refused(503), [
      503,
      'ServiceUnavailable',
      'the server is currently unable to handle the request ( pods/log p)',
    ]);
    assert.deepEqual(await refused(302), [
      500,
      undefined,
      `Get "https://127.0.0.1:${rig.kubelet.port}/elsewhere": redirects forbidden`,
    ]);
    assert.equal(rig.urls().includes('/elsewhere'), false);
  });

  test('is followed line by line, and let go of when the client goes', async () => {
    const opened: ServerResponse[] = [];
    await using rig = await start((_request, response) => {
      response.write('first\n');
      opened.push(response);
    });

    const { stream } = await rig.server.send(`GET ${LOG}?follow=true`);
    assert.equal((await stream?.next())?.toString(), 'first\n');
    const [kubelet] = opened;
    assert.ok(kubelet !== undefined);
    kubelet.write('second\n');
    assert.equal((await stream?.next())?.toString(), 'second\n');
    const closed = once(kubelet, 'close');
    stream?.cancel();

    await closed;
    assert.equal(kubelet.writableFinished, false);
  });

  test('waits for a client that reads slowly instead of piling up', async () => {
    const line = Buffer.alloc(64 * 1024, 'x');
    const state = { written: 0 };
    await using rig = await start((_request, response) => {
      const more = (): void => {
        while (state.written < 1000) {
          state.written += 1;
          if (!response.write(line)) {
            response.once('drain', more);
            return;
          }
        }
        response.end();
      };
      more();
    });

    const { stream } = await rig.server.send(`GET ${LOG}`);
    await stream?.next();
    // As long as the kernel and both ends have room for; it is far from the 64 MB there are.
    let before = -1;
    while (before !== state.written) {
      before = state.written;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    assert.ok(state.written < 500, `${state.written} of 1000 chunks were sent`);

    let size = 64 * 1024;
    for (let chunk = await stream?.next(); chunk !== undefined; chunk = await stream?.next()) {
      size += chunk.length;
    }
    assert.ok(size >= 999 * 64 * 1024, `${size} bytes arrived`);
  });

  test('ends where the kubelet breaks off', async () => {
    await using rig = await start((_request, response) => {
      response.write('half');
      setImmediate(() => response.destroy());
    });

    const log = await rig.server.send(`GET ${LOG}`);

    assert.equal((await log.whole()).toString(), 'half');
  });

  test('is asked for with a certificate, and from a kubelet that has a good one', async () => {
    const now = Date.now();
    const validity = { notBefore: new Date(now - 60_000), notAfter: new Date(now + 60_000) };
    const ours = createAuthority('ours', validity);
    const pair = issueClientCertificate(ours, { ...validity, user: 'the-server', groups: [] });
    await using kubelet = await startKubelet((_request, response) => response.end('ok\n'));
    const credentials = () => pair;
    const ask = async (options: KubeletOptions, query = '') => {
      await using server = await startInMemory({ server: { kubelet: options } });
      await node(server, 'n', address(kubelet.port));
      await pod(server, { name: 'p', nodeName: 'n' });
      const log = await server.send(`GET ${LOG}${query}`);
      return log.status === 200 ? (await log.whole()).toString() : log.json().message;
    };

    const good = kubelet.authority.certificate;
    assert.equal(await ask({ credentials, authorities: good }), 'ok\n');
    assert.equal(kubelet.asked.at(-1)?.client, 'the-server');
    assert.match(
      await ask({ credentials, authorities: ours.certificate }),
      /tls: failed to verify certificate: x509: certificate signed by unknown authority$/,
    );
    const skipping = '?insecureSkipTLSVerifyBackend=true';
    assert.equal(await ask({ credentials, authorities: ours.certificate }, skipping), 'ok\n');
    assert.equal(await ask({}), 'ok\n');
    assert.equal(kubelet.asked.at(-1)?.client, undefined);
  });
});

interface Rig extends AsyncDisposable {
  readonly server: TestServer;
  readonly kubelet: TestKubelet;
  readonly urls: () => string[];
}

/** A server with pod `p` on node `n`, whose kubelet answers with `answer`. */
async function start(answer: Parameters<typeof startKubelet>[0]): Promise<Rig> {
  const kubelet = await startKubelet(answer);
  const server = await startInMemory();
  await node(server, 'n', address(kubelet.port));
  await pod(server, { name: 'p', nodeName: 'n' });
  return {
    server,
    kubelet,
    urls: () => kubelet.asked.map(({ url }) => url),
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await kubelet[Symbol.asyncDispose]();
    },
  };
}

function address(port: number): object {
  return {
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
  };
}

async function node(server: TestServer, name: string, status: object): Promise<void> {
  await server.send('POST /api/v1/nodes', { body: { metadata: { name } } });
  const patched = await server.send(`PATCH /api/v1/nodes/${name}/status`, {
    headers: { 'content-type': 'application/merge-patch+json' },
    body: { status },
  });
  assert.equal(patched.status, 200, patched.text());
}

async function pod(
  server: TestServer,
  options: { name: string; nodeName?: string; containers?: string[]; initContainers?: string[] },
): Promise<void> {
  const { name, nodeName, containers = ['c'], initContainers = [] } = options;
  const made = (names: readonly string[]) => names.map((each) => ({ name: each, image: 'i' }));
  const created = await server.send(`POST ${PODS}`, {
    body: {
      metadata: { name },
      spec: {
        containers: made(containers),
        initContainers: made(initContainers),
        ...(nodeName === undefined ? {} : { nodeName }),
      },
    },
  });
  assert.equal(created.status, 201, created.text());
}
