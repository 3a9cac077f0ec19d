import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readEndpoint } from './endpoint.ts';
import { chooseProxy } from './proxy-choice.ts';

describe('the proxy', () => {
  const choose = (server: string, env: Record<string, string>, proxyUrl?: string) =>
    chooseProxy(readEndpoint(server), proxyUrl, env)?.url;

  test('of the access comes first, and holds for loopback, too', () => {
    const env = { HTTPS_PROXY: 'http://env:1', NO_PROXY: '*' };

    assert.equal(choose('https://a.b', env, 'socks5://p:9'), 'socks5://p:9');
    assert.equal(choose('https://127.0.0.1:6443', env, 'https://p'), 'https://p');
  });

  test('of the environment is that of the scheme, upper case first', () => {
    const env = {
      HTTPS_PROXY: 'http://up:1',
      https_proxy: 'http://low:1',
      http_proxy: 'plain:3128',
    };

    assert.equal(choose('https://a.b', env), 'http://up:1');
    assert.equal(choose('http://a.b', env), 'http://plain:3128');
    assert.equal(choose('https://a.b', { HTTP_PROXY: 'http://p' }), undefined);
    assert.equal(choose('https://a.b', { HTTPS_PROXY: '' }), undefined);
  });

  // What golang.org/x/net/http/httpproxy decides.
  const NO_PROXY: [noProxy: string, server: string, isProxied: boolean][] = [
    ['', 'https://localhost:6443', false],
    ['', 'https://127.1.2.3', false],
    ['', 'https://[::1]', false],
    ['', 'https://[::ffff:127.0.0.1]', false],
    ['', 'https://10.0.0.1', true],
    ['*', 'https://a.b', false],
    ['a.b', 'https://a.b', false],
    ['a.b', 'https://x.a.b', false],
    ['a.b', 'https://xa.b', true],
    ['.a.b', 'https://a.b', true],
    ['.a.b', 'https://x.a.b', false],
    ['*.a.b', 'https://x.a.b', false],
    ['*.a.b', 'https://a.b', true],
    [' A.B ,', 'https://a.b', false],
    ['a.b:443', 'https://a.b', false],
    ['a.b:6443', 'https://a.b', true],
    ['a.b:6443', 'https://x.a.b:6443', false],
    ['10.0.0.0/8', 'https://10.1.2.3', false],
    ['10.0.0.0/8', 'https://11.1.2.3', true],
    ['10.0.0.0/33', 'https://10.1.2.3', true],
    ['10.0.0.1', 'https://10.0.0.1:6443', false],
    ['10.0.0.1:6443', 'https://10.0.0.1:6443', false],
    ['10.0.0.1:443', 'https://10.0.0.1:6443', true],
    ['fd00::/8', 'https://[fd00::1]', false],
    ['fd00::1', 'https://[fd00::1]:6443', false],
    ['[fd00::1]:6443', 'https://[fd00::1]:6443', false],
    ['[fd00::1]:443', 'https://[fd00::1]:6443', true],
    [':443', 'https://a.b', true],
    ['0.0.1', 'https://10.0.0.1', true],
    ['bücher.example', 'https://bücher.example', false],
  ];
  for (const [noProxy, server, isProxied] of NO_PROXY) {
    test(`is ${isProxied ? 'used' : 'not used'} for ${server} with NO_PROXY "${noProxy}"`, () => {
      const found = choose(server, { HTTPS_PROXY: 'http://p:1', NO_PROXY: noProxy });

      assert.equal(found !== undefined, isProxied);
    });
  }

  test('keeps its password out of texts', () => {
    const proxy = chooseProxy(readEndpoint('https://a'), 'http://me:p%40ss@p:1', {});

    assert.deepEqual(proxy?.user, { name: 'me', password: 'p@ss' });
    assert.equal(proxy?.url, 'http://p:1');
    assert.throws(
      () => chooseProxy(readEndpoint('https://a'), 'ftp://me:secret@p', {}),
      (error: Error) => /scheme "ftp"/.test(error.message) && !/secret/.test(error.message),
    );
  });

  test('of a CGI program may be an attack', () => {
    const env = { HTTP_PROXY: 'http://p', REQUEST_METHOD: 'GET' };

    assert.throws(() => choose('http://a.b', env), /CGI/);
  });
});
