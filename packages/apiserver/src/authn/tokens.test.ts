import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { createLocalJWKSet, jwtVerify, SignJWT } from 'jose';
import {
  createSigningKey,
  jwks,
  loadSigningKey,
  readJwt,
  type SigningKey,
  signJwt,
} from './jwt.ts';
import { jwksDocument, openidConfiguration } from './openid.ts';
import {
  type BoundLookup,
  issueToken,
  type TokenAuthority,
  TokenRejected,
  type TokenSubject,
  tokenLifetime,
  tokenVerifier,
} from './tokens.ts';

const ISSUER = 'https://kubernetes.default.svc';
const now = new Date('2026-06-01T12:00:00Z');
const seconds = now.getTime() / 1000;
const key = createSigningKey();
const authority: TokenAuthority = { issuer: ISSUER, audiences: [ISSUER], keys: [key] };
const subject: TokenSubject = {
  namespace: 'ns',
  serviceAccount: { name: 'builder', uid: 'sa-uid' },
};
const everything: BoundLookup = (kind) => ({ uid: `${kind.toLowerCase()}-uid` });
const lookup: BoundLookup = (kind, name) =>
  kind === 'ServiceAccount' ? { uid: 'sa-uid' } : everything(kind, name);

describe('issueToken', () => {
  test("writes upstream's claims", () => {
    const token = issue({
      pod: { name: 'p', uid: 'pod-uid' },
      node: { name: 'n', uid: 'node-uid' },
    });
    const { header, claims } = readJwt(token)!;

    assert.deepEqual(header, { alg: 'ES256', kid: key.id });
    assert.equal(
      JSON.stringify(claims),
      `{"aud":["${ISSUER}"],"exp":${seconds + 3600},"iat":${seconds},"iss":"${ISSUER}","jti":"id-1",` +
        '"kubernetes.io":{"namespace":"ns","node":{"name":"n","uid":"node-uid"},"pod":{"name":"p","uid":"pod-uid"},' +
        `"serviceaccount":{"name":"builder","uid":"sa-uid"}},"nbf":${seconds},"sub":"system:serviceaccount:ns:builder"}`,
    );
  });

  test('tokens of pods live for a year, with a warning after the hour that was asked for', () => {
    const about = { boundToPod: true, audiences: [ISSUER] };

    assert.deepEqual(tokenLifetime(3607, about, authority), {
      expirationSeconds: 31_536_000,
      warnAfterSeconds: 3607,
    });
    assert.deepEqual(tokenLifetime(3600, about, authority), { expirationSeconds: 3600 });
    assert.deepEqual(tokenLifetime(3607, { ...about, boundToPod: false }, authority), {
      expirationSeconds: 3607,
    });
    assert.deepEqual(tokenLifetime(3607, { ...about, audiences: ['vault'] }, authority), {
      expirationSeconds: 3607,
    });
  });
});

describe('tokenVerifier', () => {
  test('a good token gives the service account, its groups and what it is bound to', async () => {
    const verified = await verify(
      issue({ pod: { name: 'p', uid: 'pod-uid' }, node: { name: 'n' } }),
    );

    assert.deepEqual(verified, {
      user: {
        name: 'system:serviceaccount:ns:builder',
        uid: 'sa-uid',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:ns'],
        extra: {
          'authentication.kubernetes.io/pod-name': ['p'],
          'authentication.kubernetes.io/pod-uid': ['pod-uid'],
          'authentication.kubernetes.io/credential-id': ['JTI=id-1'],
          'authentication.kubernetes.io/node-name': ['n'],
        },
      },
      audiences: [ISSUER],
    });
  });

  test('what is not a token of this issuer is left to others', async () => {
    assert.equal(await verify('opaque'), undefined);
    assert.equal(await verify('a.b.c'), undefined);
    const foreign = issueToken({ ...authority, issuer: 'https://other' }, subject, terms());
    assert.equal(await verify(foreign), undefined);
  });

  test('a token of one control plane is refused by another with the same issuer name', async () => {
    const other: TokenAuthority = { ...authority, keys: [createSigningKey()] };
    const verifier = tokenVerifier();
    const token = issue();

    assert.ok(await verifier.verify(token, { authority, lookup, now }));
    await assert.rejects(
      verifier.verify(token, { authority: other, lookup, now }),
      rejected(/signature/),
    );
    assert.ok(await verifier.verify(token, { authority, lookup, now }));
  });

  test('times are checked with a minute of leeway, also for a token seen before', async () => {
    const verifier = tokenVerifier();
    const token = issue();
    const at = (offset: number) =>
      verifier.verify(token, { authority, lookup, now: new Date(now.getTime() + offset * 1000) });

    assert.ok(await at(0));
    assert.ok(await at(3660));
    await assert.rejects(at(3662), rejected(/has expired/));
    assert.ok(await at(-60));
    await assert.rejects(at(-62), rejected(/not valid yet/));
  });

  test('audiences must meet', async () => {
    const token = issueToken(authority, subject, { ...terms(), audiences: ['vault', 'db'] });

    await assert.rejects(verify(token), rejected(/audiences/));
    const verified = await tokenVerifier().verify(token, {
      authority,
      lookup,
      now,
      audiences: ['db', 'x'],
    });
    assert.deepEqual(verified?.audiences, ['db']);
  });

  test('deleting or replacing a bound object ends the token at once', async () => {
    const verifier = tokenVerifier();
    const bindings = {
      ServiceAccount: {},
      Pod: { pod: { name: 'p', uid: 'pod-uid' } },
      Secret: { secret: { name: 's', uid: 'secret-uid' } },
      Node: { node: { name: 'n', uid: 'node-uid' } },
    } as const;
    for (const [kind, binding] of Object.entries(bindings)) {
      const token = issue(binding);
      const withObject =
        (object: ReturnType<BoundLookup>): BoundLookup =>
        (asked, name) =>
          asked === kind ? object : lookup(asked, name);
      const check = (object: ReturnType<BoundLookup>) =>
        verifier.verify(token, { authority, lookup: withObject(object), now });
      const uid = kind === 'ServiceAccount' ? 'sa-uid' : `${kind.toLowerCase()}-uid`;

      assert.ok(await check({ uid }), kind);
      await assert.rejects(check(undefined), rejected(/invalidated/), kind);
      await assert.rejects(
        check(Promise.resolve({ uid: 'another' })),
        rejected(/invalidated/),
        kind,
      );
      const justNow = new Date(now.getTime() - 30_000).toISOString();
      assert.ok(await check({ uid, deletionTimestamp: justNow }), kind);
      const earlier = new Date(now.getTime() - 61_000).toISOString();
      await assert.rejects(
        check({ uid, deletionTimestamp: earlier }),
        rejected(/invalidated/),
        kind,
      );
    }
  });

  test('a new key signs while tokens of the old one still hold', async () => {
    const old = issue();
    const rotated: TokenAuthority = { ...authority, keys: [createSigningKey(), key] };
    const check = { authority: rotated, lookup, now };
    const fresh = issueToken(rotated, subject, terms());

    assert.ok(await tokenVerifier().verify(old, check));
    assert.ok(await tokenVerifier().verify(fresh, check));
    assert.notEqual(readJwt(fresh)?.header['kid'], key.id);
  });

  test('forged tokens are refused: other algorithm, none, changed claims, HMAC with the public key', async () => {
    const [head = '', body = '', signature = ''] = issue().split('.');
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = readJwt(issue())!.claims;
    const publicPem = key.publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const hmac = await new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'HS256', kid: key.id })
      .sign(new TextEncoder().encode(publicPem));

    for (const forged of [
      `${encode({ alg: 'none', kid: key.id })}.${body}.x`,
      `${encode({ alg: 'RS256', kid: key.id })}.${body}.${signature}`,
      `${encode({ alg: 'ES256', kid: key.id, crit: ['x'] })}.${body}.${signature}`,
      `${head}.${encode({ ...claims, sub: 'system:serviceaccount:kube-system:admin' })}.${signature}`,
      `${head}.${body}.${Buffer.alloc(64).toString('base64url')}`,
      `${head}.${body}.AA`,
      hmac,
    ]) {
      await assert.rejects(verify(forged), rejected(/signature/), forged);
    }
    assert.equal(await verify(`${head}.${body}.`), undefined);
  });
});

describe('keys', () => {
  const rsa = loadSigningKey(
    generateKeyPairSync('rsa', { modulusLength: 2048 })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString(),
  );

  for (const [name, one] of [
    ['ES256', key],
    ['RS256', rsa],
  ] as [string, SigningKey][]) {
    test(`another implementation verifies our ${name} tokens from the published keys`, async () => {
      const token = signJwt({ iss: ISSUER, sub: 'x', exp: seconds + 60 }, one);
      const keys = createLocalJWKSet(jwks([key, rsa]) as Parameters<typeof createLocalJWKSet>[0]);

      const { payload, protectedHeader } = await jwtVerify(token, keys, { currentDate: now });

      assert.equal(payload.sub, 'x');
      assert.equal(protectedHeader.alg, name);
    });
  }

  test('are recognised after a restart', () => {
    assert.equal(loadSigningKey(key.pem).id, key.id);
  });

  test('other curves are refused', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

    assert.throws(() => loadSigningKey(pem), /Cannot sign tokens with a key of type "secp384r1"/);
  });

  test('published documents hold public keys only', () => {
    const { keys } = JSON.parse(jwksDocument(authority).body);

    assert.deepEqual(Object.keys(keys[0]), ['use', 'kty', 'kid', 'crv', 'alg', 'x', 'y']);
    assert.ok(createPublicKey({ key: keys[0], format: 'jwk' }).equals(key.publicKey));
    assert.deepEqual(JSON.parse(openidConfiguration(authority, 'https://h/openid/v1/jwks').body), {
      issuer: ISSUER,
      jwks_uri: 'https://h/openid/v1/jwks',
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
    });
  });
});

function terms() {
  return { audiences: [ISSUER], expirationSeconds: 3600, now, id: 'id-1' };
}

function issue(binding: Partial<TokenSubject> = {}): string {
  return issueToken(authority, { ...subject, ...binding }, terms());
}

function verify(token: string) {
  return tokenVerifier().verify(token, { authority, lookup, now });
}

function rejected(message: RegExp) {
  return (error: unknown): boolean => error instanceof TokenRejected && message.test(error.message);
}
