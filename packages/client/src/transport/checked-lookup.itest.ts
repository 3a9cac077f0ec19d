import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { failure } from './testing/failure.ts';
import { startHttpProxy } from './testing/proxies.ts';
import { answer, startRaw } from './testing/raw-server.ts';
import { transportTo } from './testing/transport-to.ts';

const GET = { method: 'GET', path: '/api' } as const;

describe('addresses that may not be dialled', () => {
  test('are not dialled, whether they are written out or what a name leads to', async () => {
    await using server = await startRaw((socket) => socket.write(answer(200, 'x')));
    for (const url of [server.url, `http://localhost:${server.port}`]) {
      const asked: string[] = [];
      await using transport = transportTo(url, {
        options: {
          allowsAddress: (address) => {
            asked.push(address);
            return false;
          },
        },
      });

      const error = await failure(transport.send(GET));
      assert.deepEqual([error.fault, error.wasNotSent], ['unreachable', true]);
      assert.match(error.message, /its address \S+ is not one that may be dialled from here$/);
      assert.ok(asked.includes('127.0.0.1') || asked.includes('::1'), asked.join());
    }
    assert.equal(server.sockets.length, 0);
  });

  test('leave the others of a name', async () => {
    await using server = await startRaw((socket) => socket.write(answer(200, 'x')));
    await using transport = transportTo(`http://localhost:${server.port}`, {
      options: { allowsAddress: (address) => address === '127.0.0.1' },
    });

    assert.equal((await transport.send(GET)).status, 200);
  });

  test('are not dialled as a proxy either; what the proxy dials is its affair', async () => {
    await using server = await startRaw((socket) => socket.write(answer(200, 'x')));
    await using proxy = await startHttpProxy();
    const through = (allowsAddress: (address: string) => boolean) =>
      transportTo(server.url, { proxyUrl: proxy.url, options: { allowsAddress } });
    await using refused = through(() => false);
    await using allowed = through(() => true);

    const error = await failure(refused.send(GET));
    assert.equal(error.fault, 'proxy');
    assert.match(error.message, /Cannot reach the proxy .* may be dialled/);
    assert.equal((await allowed.send(GET)).status, 200);
    assert.equal(proxy.asked.length, 1);
  });
});
