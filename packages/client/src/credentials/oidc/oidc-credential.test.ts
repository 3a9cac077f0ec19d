import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '@flotilla/machinery/testing';
import type { Access } from '../../access.ts';
import type { Transport, WireRequest, WireResponse } from '../../transport.ts';
import { CERT } from '../testing/certificates.ts';
import { type AuthProviderConfig, oidcCredential, type TokenStore } from './oidc-credential.ts';

const START = Date.parse('2026-01-01T00:00:00Z') / 1000;

/** An ID token that expires this many seconds after the clock's start. */
function idToken(expiresAfter: number, name = 'jane'): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ sub: name, exp: START + expiresAfter })}.c2ln`;
}

type Answer = (request: WireRequest, access: Access) => { status?: number; body: unknown };

/** A provider that notes what it is asked. */
function provider(answer: Answer) {
  const asked: { server: string; ca: string | undefined; request: WireRequest }[] = [];
  let open = 0;
  const openTransport = (access: Access): Transport => {
    open++;
    return {
      send: async (request): Promise<WireResponse> => {
        asked.push({ server: access.server, ca: access.tls.ca, request });
        await Promise.resolve();
        const { status = 200, body } = answer(request, access);
        const text = typeof body === 'string' ? body : JSON.stringify(body);
        return { status, headers: {}, warnings: [], body: Buffer.from(text) };
      },
      stream: () => Promise.reject(new Error('not asked for')),
      upgrade: () => Promise.reject(new Error('not asked for')),
      [Symbol.asyncDispose]: async () => {
        open--;
      },
    };
  };
  return { asked, openTransport, open: () => open };
}

const discovery = { token_endpoint: 'https://idp.example/token?tenant=1' };
const config = (more: AuthProviderConfig = {}): AuthProviderConfig => ({
  'idp-issuer-url': 'https://idp.example/realm/',
  'client-id': 'kube id',
  'client-secret': 's3cret&',
  ...more,
});
const renewing =
  (tokens: object): Answer =>
  ({ method }) => ({ body: method === 'GET' ? discovery : tokens });

function credential(options: {
  answer?: Answer;
  config?: AuthProviderConfig;
  store?: TokenStore;
  warn?: (message: string) => void;
}) {
  const clock = new ManualClock(START * 1000);
  const idp = provider(options.answer ?? (() => ({ status: 500, body: 's3cret' })));
  const made = oidcCredential({
    config: options.config ?? config(),
    ca: CERT,
    clock,
    openTransport: idp.openTransport,
    store: options.store,
    warn: options.warn,
  });
  return { clock, idp, ...made };
}

test('a valid ID token is shown, and nobody is asked', async () => {
  const token = idToken(60);
  const { present, idp, clock } = credential({ config: config({ 'id-token': token }) });
  assert.deepEqual(await present(), { authorization: `Bearer ${token}` });
  await clock.advance(49_999);
  assert.deepEqual(await present(), { authorization: `Bearer ${token}` });
  assert.equal(idp.asked.length, 0);

  // Ten seconds before its end it counts as expired.
  await clock.advance(1);
  await assert.rejects(present(), /cannot refresh without refresh-token/);
});

test('an expired one is renewed once for all who wait, and written back', async () => {
  const written: AuthProviderConfig[] = [];
  const before = config({ 'id-token': idToken(5), 'refresh-token': 'r1', 'extra-scopes': 'x' });
  const next = idToken(600);
  const { present, idp } = credential({
    config: before,
    answer: renewing({ access_token: 'a', id_token: next, refresh_token: 'r2' }),
    store: { read: async () => before, write: async (now) => void written.push(now) },
  });
  const both = await Promise.all([present(), present()]);

  assert.deepEqual(both, [
    { authorization: `Bearer ${next}` },
    { authorization: `Bearer ${next}` },
  ]);
  assert.deepEqual(written, [{ ...before, 'id-token': next, 'refresh-token': 'r2' }]);
  assert.equal(idp.open(), 0);
  const [found, traded] = idp.asked;
  assert.equal(idp.asked.length, 2);
  assert.equal(found?.request.path, '/realm/.well-known/openid-configuration');
  assert.equal(found?.ca, CERT);
  assert.equal(traded?.server, 'https://idp.example');
  assert.equal(traded?.request.path, '/token?tenant=1');
  assert.equal(traded?.request.body, 'grant_type=refresh_token&refresh_token=r1');
  // Encoded as in a form before they become a header, as OAuth 2 has it.
  const header = Buffer.from('kube+id:s3cret%26').toString('base64');
  assert.equal(traded?.request.headers?.['authorization'], `Basic ${header}`);
});

test('a provider that does not want the header is asked with a form', async () => {
  const next = idToken(600);
  const { present, idp } = credential({
    config: config({ 'refresh-token': 'r' }),
    answer: ({ method, headers }) => {
      if (method === 'GET') return { body: discovery };
      if (headers?.['authorization'] !== undefined) {
        return { status: 401, body: { error: 'invalid_client' } };
      }
      return { body: { access_token: 'a', id_token: next } };
    },
  });

  assert.deepEqual(await present(), { authorization: `Bearer ${next}` });
  assert.equal(
    idp.asked[2]?.request.body,
    'grant_type=refresh_token&refresh_token=r&client_id=kube+id&client_secret=s3cret%26',
  );
});

test('what another process has renewed is taken from the file', async () => {
  const next = idToken(600);
  const { present, refused, idp } = credential({
    config: config({ 'id-token': idToken(5), 'refresh-token': 'used' }),
    store: { read: async () => config({ 'id-token': next }), write: async () => undefined },
  });

  assert.deepEqual(await present(), { authorization: `Bearer ${next}` });
  assert.equal(idp.asked.length, 0);
  assert.equal(await refused({ authorization: 'Bearer older' }), true);
  assert.equal(await refused(await present()), false);
});

test('tokens that cannot be stored are used all the same, with a warning', async () => {
  const warnings: string[] = [];
  const next = idToken(600);
  const { present } = credential({
    config: config({ 'refresh-token': 'r1' }),
    answer: renewing({ access_token: 'a', id_token: next, refresh_token: 'r2' }),
    store: {
      read: () => Promise.reject(new Error('gone')),
      write: () => Promise.reject(new Error('open /k.lock: file exists')),
    },
    warn: (message) => warnings.push(message),
  });

  assert.deepEqual(await present(), { authorization: `Bearer ${next}` });
  assert.deepEqual(warnings, ['could not persist new tokens: open /k.lock: file exists']);
});

const failures: readonly (readonly [title: string, answer: Answer, message: string])[] = [
  [
    'cannot be asked',
    () => ({ status: 404, body: 's3cret' }),
    'oidc: failed to query metadata endpoint: status 404',
  ],
  [
    'does not say where',
    () => ({ body: { issuer: 's3cret' } }),
    "oidc: discovery object doesn't contain a token_endpoint",
  ],
  [
    'answers in another language',
    () => ({ body: '<s3cret>' }),
    "oidc: discovery object doesn't contain a token_endpoint",
  ],
  [
    'sends us to a place that anyone can read',
    () => ({ body: { token_endpoint: 'http://idp.example/token' } }),
    'oidc: the token_endpoint is not https although the issuer is; a refresh token is not sent there',
  ],
  [
    'refuses the refresh token',
    ({ method }) =>
      method === 'GET'
        ? { body: discovery }
        : { status: 400, body: { error: 'invalid_grant', error_description: 's3cret' } },
    'failed to refresh token: oauth2: cannot fetch token: status 400 "invalid_grant"',
  ],
  [
    'fails with a page',
    ({ method }) => (method === 'GET' ? { body: discovery } : { status: 502, body: 's3cret' }),
    'failed to refresh token: oauth2: cannot fetch token: status 502',
  ],
  [
    'gives no access token',
    renewing({ id_token: 's3cret' }),
    'failed to refresh token: oauth2: server response missing access_token',
  ],
  [
    'gives no ID token',
    renewing({ access_token: 's3cret' }),
    'token response did not contain an id_token, either the scope "openid" wasn\'t requested upon login, or the provider doesn\'t support id_tokens as part of the refresh response',
  ],
];

for (const [title, answer, message] of failures) {
  test(`a provider that ${title} is an error that shows nothing of its answer`, async () => {
    const { present, idp } = credential({ answer, config: config({ 'refresh-token': 's3cret' }) });

    await assert.rejects(present(), { name: 'CredentialError', message });
    assert.equal(idp.open(), 0);
  });
}

test('without a refresh token an expired ID token is the end', async () => {
  const { present } = credential({ config: config({ 'id-token': idToken(-1) }) });

  await assert.rejects(present(), {
    message: 'No valid id-token, and cannot refresh without refresh-token',
  });
});

test('what is no ID token is not quoted', async () => {
  for (const [token, message] of [
    ['s3cret', 'ID Token is not a valid JWT'],
    ['a.s3cret.c', 'parsing claims: they are not a JSON object'],
  ] as const) {
    await assert.rejects(credential({ config: config({ 'id-token': token }) }).present(), {
      message,
    });
  }
});
