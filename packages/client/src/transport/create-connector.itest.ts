import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { systemClock } from '@flotilla/machinery';
import type { Access } from '../access.ts';
import { noCredential } from '../credentials/static-credential.ts';
import { createConnector } from './create-connector.ts';
import { startHttpProxy, startSocksProxy } from './testing/proxies.ts';
import { answer, startRaw } from './testing/raw-server.ts';

const never = new AbortController().signal;

describe('a bare connection', () => {
  test('leads to the server, through its proxy where there is one', async () => {
    await using server = await startRaw((socket) => socket.write(answer(200, 'x')));
    await using proxy = await startSocksProxy();

    for (const proxyUrl of [undefined, proxy.url]) {
      const connector = createConnector(to(`${server.url}/k8s/c-1`, { proxyUrl }));
      assert.equal(connector.basePath, '/k8s/c-1');
      assert.equal(connector.authority, `127.0.0.1:${server.port}`);
      const socket = await connector.connect(never);
      socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
      const [chunk] = (await once(socket, 'data')) as [Buffer];
      assert.match(chunk.toString(), /^HTTP\/1.1 200/);
      socket.destroy();
    }
    assert.deepEqual(proxy.asked, [`127.0.0.1:${server.port}`]);
  });

  test('is not made to an address that may not be dialled, nor by who gave up', async () => {
    await using server = await startRaw(() => {});
    const refused = createConnector({ ...to(server.url), allowsAddress: () => false });
    await assert.rejects(refused.connect(never), /may be dialled/);
    const reason = new Error('gave up');
    await assert.rejects(
      createConnector(to(server.url)).connect(AbortSignal.abort(reason)),
      reason,
    );
  });

  test('cannot be had through an HTTP proxy to a plain server, which would need other requests', async () => {
    await using proxy = await startHttpProxy();
    assert.throws(() => createConnector(to('http://127.0.0.1:1', { proxyUrl: proxy.url })), {
      fault: 'proxy',
    });
  });
});

function to(server: string, { proxyUrl }: { proxyUrl?: string | undefined } = {}) {
  const access: Access = {
    server,
    tls: {},
    proxyUrl,
    credential: noCredential(),
    namespace: 'default',
  };
  return { access, clock: systemClock };
}
