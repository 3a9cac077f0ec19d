import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SecretValue } from '@flotilla/runtime';
import { placeOf } from './member-place.ts';
import { depsOf } from './testing/source-hub.ts';

const nobody = () => Promise.reject(new Error('nobody is to be asked'));
const deps = depsOf({ client: { get: nobody, raw: nobody } });
const candidate = {
  server: 'https://api.example.com',
  ca: '',
  credential: { type: 'ServiceAccountToken', token: new SecretValue('t') },
  warnings: [],
} as const;
const calm = new AbortController().signal;

test('a resolver that never answers does not outlast the one who asks', async () => {
  const asker = new AbortController();
  const resolveHost = () => new Promise<string[]>(() => {});
  const place = placeOf({ ...deps, resolveHost }, candidate, asker.signal);
  asker.abort(new Error('enough'));

  await assert.rejects(place, { message: 'enough' });
});

test('addresses of thousands of letters are no addresses', async () => {
  const long = `https://${'a.'.repeat(2000)}example.com`;

  await assert.rejects(placeOf(deps, { ...candidate, server: long }, calm), {
    reason: 'KubeconfigInvalid',
  });
  await assert.rejects(placeOf(deps, { ...candidate, proxyUrl: long }, calm), {
    reason: 'KubeconfigInvalid',
  });
});

test('the proxy is looked up and judged as the endpoint is', async () => {
  const resolveHost = (host: string) =>
    Promise.resolve(host === 'proxy.example.com' ? ['169.254.169.254'] : ['10.0.0.1']);
  const through = (proxyUrl: string) =>
    placeOf({ ...deps, resolveHost }, { ...candidate, proxyUrl }, calm);

  await assert.rejects(through('http://user:s3cret@proxy.example.com:3128'), (error: Error) => {
    assert.match(
      error.message,
      /^Cannot use "proxy\.example\.com" as an endpoint: it has the address 169\.254\.169\.254/,
    );
    return true;
  });
  assert.equal(
    (await through('http://other.example.com:3128')).proxyUrl,
    'http://other.example.com:3128',
  );
});
