import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { createAuthority } from './certificates.ts';
import {
  createSigningKey,
  isSignedBy,
  loadSigningKey,
  loadVerifyingKeys,
  readJwt,
  signJwt,
} from './jwt.ts';
import { type TokenAuthority, tokenVerifier } from './tokens.ts';

describe('keys that tokens are checked with', () => {
  test('may be public keys, certificates or private keys, any number in a file', () => {
    const signing = createSigningKey();
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
    const authority = createAuthority('sa', {
      notBefore: new Date(0),
      notAfter: new Date('2049-01-01'),
    });
    const text = [
      signing.publicKey.export({ type: 'spki', format: 'pem' }),
      rsa.export({ type: 'pkcs1', format: 'pem' }),
      authority.certificate,
      signing.pem,
    ].join('\n');

    const keys = loadVerifyingKeys(text);

    const certified = loadSigningKey(authority.key);
    assert.deepEqual(
      keys.map(({ id }) => id === signing.id || id === certified.id),
      [true, false, true, true],
    );
    assert.deepEqual(
      keys.map(({ algorithm }) => algorithm),
      ['ES256', 'RS256', 'ES256', 'ES256'],
    );
    const token = readJwt(signJwt({ iss: 'x' }, certified));
    assert.ok(token !== undefined);
    assert.equal(isSignedBy(token, keys), true);
    assert.equal(isSignedBy(token, keys.slice(0, 2)), false);
  });

  test('are the only ones believed, even when another one signs', async () => {
    const [signer, believed] = [createSigningKey(), createSigningKey()];
    const authority: TokenAuthority = {
      issuer: 'new',
      otherIssuers: ['old'],
      audiences: ['api'],
      keys: [signer],
      verifyingKeys: loadVerifyingKeys(believed.pem),
    };
    const claims = (iss: string) => ({
      iss,
      aud: ['api'],
      exp: 2_000_000_000,
      'kubernetes.io': { namespace: 'n', serviceaccount: { name: 's', uid: 'u' } },
      sub: 'system:serviceaccount:n:s',
    });
    const check = (token: string) =>
      tokenVerifier().verify(token, {
        authority,
        lookup: () => ({ uid: 'u' }),
        now: new Date(1_900_000_000_000),
      });

    await assert.rejects(check(signJwt(claims('new'), signer)), /invalid signature/);
    assert.equal(
      (await check(signJwt(claims('old'), believed)))?.user.name,
      'system:serviceaccount:n:s',
    );
    assert.equal(await check(signJwt(claims('other'), believed)), undefined);
  });
});
