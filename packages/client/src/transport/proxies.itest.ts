import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startHttpProxy, startSocksProxy } from './testing/proxies.ts';
import { answer, startRaw } from './testing/raw-server.ts';
import { transportTo } from './testing/transport-to.ts';

const GET = { method: 'GET', path: '/api' } as const;
const BASIC = `Basic ${Buffer.from('me:p@ss').toString('base64')}`;

describe('an HTTP proxy', () => {
  test('gets requests for a plain server as they are, with its own user', async () => {
    await using server = await startRaw((socket) => socket.write(answer(200, 'x')));
    await using proxy = await startHttpProxy(BASIC);
    await using transport = transportTo(server.url, {
      proxyUrl: proxy.url.replace('//', '//me:p%40ss@'),
    });

    assert.equal((await transport.send(GET)).status, 200);
    assert.equal(proxy.asked[0], `GET ${server.url}/api HTTP/1.1`);
  });
});

describe('a SOCKS proxy', () => {
  test('resolves names itself', async () => {
    await using server = await startRaw((socket) => socket.write(answer(200, 'x')));
    for (const scheme of ['socks5', 'socks5h']) {
      await using proxy = await startSocksProxy({ user: 'me:p@ss' });
      await using transport = transportTo(`http://cluster.test:${server.port}`, {
        options: { env: { HTTP_PROXY: `${scheme}://me:p%40ss@127.0.0.1:${proxy.port}` } },
      });

      assert.equal((await transport.send(GET)).status, 200);
      assert.deepEqual(proxy.asked, [`cluster.test:${server.port}`]);
    }
  });

  test('is given addresses as addresses', async () => {
    await using server = await startRaw((socket) => socket.write(answer(200, 'x')));
    await using proxy = await startSocksProxy();
    await using transport = transportTo(server.url, { proxyUrl: proxy.url });

    assert.equal((await transport.send(GET)).status, 200);
    assert.deepEqual(proxy.asked, [`127.0.0.1:${server.port}`]);
  });

  for (const { name, options, userinfo, text } of [
    { name: 'that refuses', options: { reply: 5 }, userinfo: '', text: /connection refused/ },
    { name: 'with rules', options: { reply: 2 }, userinfo: '', text: /rules/ },
    { name: 'that wants a user', options: { user: 'a:b' }, userinfo: '', text: /wants a user/ },
    {
      name: 'with another password',
      options: { user: 'a:b' },
      userinfo: 'a:secret@',
      text: /refused the user/,
    },
  ]) {
    test(`${name} is named, without its password`, async () => {
      await using proxy = await startSocksProxy(options);
      await using transport = transportTo('http://cluster.test:1', {
        proxyUrl: proxy.url.replace('//', `//${userinfo}`),
      });

      await assert.rejects(transport.send(GET), (error: Error) => {
        assert.match(error.message, text);
        assert.match(error.message, new RegExp(`"socks5://127.0.0.1:${proxy.port}"`));
        assert.doesNotMatch(error.message, /secret/);
        assert.deepEqual(
          { ...error, name: undefined },
          { fault: 'proxy', wasNotSent: true, name: undefined },
        );
        return true;
      });
    });
  }

  test('that is none is named', async () => {
    await using server = await startRaw((socket) => socket.write(answer(200, 'x')));
    await using transport = transportTo('http://cluster.test:1', {
      proxyUrl: server.url.replace('http', 'socks5'),
      options: { limits: { connectMs: 200 } },
    });
    await using gone = transportTo('http://cluster.test:1', { proxyUrl: 'socks5://127.0.0.1:1' });

    await assert.rejects(transport.send(GET), { fault: 'timeout', wasNotSent: true });
    await assert.rejects(gone.send(GET), {
      fault: 'proxy',
      message: /Cannot reach the proxy.*refused/,
    });
  });
});
