import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { systemClock } from '../clock.ts';
import type { ApiRequest, Peer } from '../http/exchange.ts';
import { createIdentity } from '../identity.ts';
import { builtinRegistry } from '../resources/builtin-registry.ts';
import type { IdentityContext } from '../server.ts';
import { createAuthority, derOf, issueClientCertificate } from './certificates.ts';
import { clientCertificates } from './client-certificates.ts';
import { type FrontProxyOptions, frontProxy } from './front-proxy.ts';
import { createSigningKey } from './jwt.ts';
import { staticTokens } from './static-tokens.ts';

const now = new Date();
const validity = {
  notBefore: new Date(now.getTime() - 60_000),
  notAfter: new Date(now.getTime() + 60_000),
};
const proxies = createAuthority('proxies', validity);
const users = createAuthority('users', validity);
const options: FrontProxyOptions = {
  authorities: proxies.certificate,
  allowedNames: ['front'],
  usernameHeaders: ['X-Remote-User', 'X-User'],
  uidHeaders: ['X-Remote-Uid'],
  groupHeaders: ['X-Remote-Group'],
  extraHeaderPrefixes: ['X-Remote-Extra-'],
};

describe('a proxy in front', () => {
  test('says who its users are, with all their groups', () => {
    const request = requestOf(peerOf('front'), [
      ['X-User', 'eve'],
      ['X-Remote-Uid', '42'],
      ['X-Remote-Group', 'a'],
      ['X-Remote-Group', ''],
      ['X-Remote-Group', 'b,c'],
      ['X-Remote-Extra-acme.com%2Fproject', 'x'],
      ['X-Remote-Extra-__proto__', 'y'],
    ]);

    const user = frontProxy(options)(request, now);

    assert.equal(user?.name, 'eve');
    assert.equal(user?.uid, '42');
    assert.deepEqual(user?.groups, ['a', 'b,c']);
    assert.deepEqual(Object.entries(user?.extra ?? {}), [
      ['acme.com/project', ['x']],
      ['__proto__', ['y']],
    ]);
  });

  test('is believed only with a certificate of its own authority and a name on the list', () => {
    const headers: [string, string][] = [['X-Remote-User', 'eve']];
    const ask = (peer: Peer, names = options.allowedNames) =>
      frontProxy({ ...options, allowedNames: names })(requestOf(peer, headers), now);

    assert.equal(ask({ address: '127.0.0.1' }), undefined);
    assert.throws(() => ask(peerOf('front', users)), /x509: certificate signed by unknown/);
    assert.throws(() => ask(peerOf('other')), /subject with cn=other is not in the allowed list/);
    assert.equal(ask(peerOf('other'), [])?.name, 'eve');
  });

  test('says nothing without a name', () => {
    const request = requestOf(peerOf('front'), [['X-Remote-Group', 'system:masters']]);

    assert.equal(frontProxy(options)(request, now), undefined);
  });

  test('speaks for someone else with every request, whatever token it carries', async () => {
    const identity = createIdentity(
      {
        clientCertificates: clientCertificates(() => users.certificate),
        staticTokens: staticTokens([{ token: 't', user: { name: 'token', groups: [] } }]),
        tokens: { issuer: 'i', audiences: ['i'], keys: [createSigningKey()] },
        frontProxy: frontProxy(options),
        caBundle: () => '',
        clock: systemClock,
        newId: () => 'id',
        url: () => '',
        onRejected: () => {},
      },
      { registry: builtinRegistry() } as IdentityContext,
    );
    const peer = peerOf('front');
    const who = async (name: string) =>
      (
        await identity.authenticate(
          requestOf(peer, [
            ['X-Remote-User', name],
            ['Authorization', 'Bearer t'],
          ]),
          'root',
        )
      ).name;

    assert.deepEqual([await who('ada'), await who('eve')], ['ada', 'eve']);
  });
});

function peerOf(user: string, authority = proxies): Peer {
  const { certificate } = issueClientCertificate(authority, { ...validity, user, groups: [] });
  return { address: '127.0.0.1', certificate: derOf(certificate) };
}

function requestOf(peer: Peer, lines: readonly [string, string][]): ApiRequest {
  const headers: Record<string, string> = {};
  for (const [name, value] of lines) headers[name.toLowerCase()] = value;
  return {
    method: 'GET',
    path: '/',
    query: new URLSearchParams(),
    headers,
    rawHeaders: lines.flat(),
    peer,
    signal: new AbortController().signal,
    body: async () => Buffer.alloc(0),
    incoming: () => undefined,
  };
}
