import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { StatusError } from '@flotilla/machinery';
import type { ApiRequest, Peer } from '../http/exchange.ts';
import { inject } from '../http/inject.ts';
import { authenticator, type TenantIdentity } from './authenticate.ts';
import { createAuthority, derOf, issueClientCertificate } from './certificates.ts';
import { clientCertificates } from './client-certificates.ts';
import { createSigningKey } from './jwt.ts';
import { ManualClock } from './manual-clock.ts';
import { ensureTokenFile, parseTokenFile, staticTokens } from './static-tokens.ts';
import { issueToken, tokenVerifier } from './tokens.ts';
import type { UserInfo } from './user-info.ts';

const clock = new ManualClock('2026-06-01T12:00:00Z');
const validity = {
  notBefore: new Date('2026-01-01T00:00:00Z'),
  notAfter: new Date('2027-01-01T00:00:00Z'),
};
const ca = createAuthority('ca', validity);
const tokens = { issuer: 'https://root', audiences: ['https://root'], keys: [createSigningKey()] };
const tenant: TenantIdentity = {
  clientCertificates: clientCertificates(() => ca.certificate),
  staticTokens: staticTokens([
    { token: 's3cret', user: { name: 'admin', groups: ['system:masters'] } },
  ]),
  tokens,
  lookup: () => ({ uid: 'u1' }),
};
const saToken = issueToken(
  tokens,
  { namespace: 'ns', serviceAccount: { name: 'sa', uid: 'u1' } },
  { audiences: tokens.audiences, expirationSeconds: 600, now: clock.now(), id: 'j' },
);

describe('authenticate', () => {
  test('a client certificate wins over a token', async () => {
    const { user } = await who({ authorization: 'Bearer s3cret' }, peerOf('jane'));

    assert.equal(user?.name, 'jane');
    assert.deepEqual(user?.groups, ['dev', 'system:authenticated']);
  });

  test('static and service-account tokens are known, and join system:authenticated', async () => {
    const admin = await who({ authorization: 'Bearer s3cret' });
    const account = await who({ authorization: `bearer ${saToken}` });

    assert.deepEqual(admin.user, {
      name: 'admin',
      groups: ['system:masters', 'system:authenticated'],
    });
    assert.equal(account.user?.name, 'system:serviceaccount:ns:sa');
    assert.deepEqual(account.user?.groups, [
      'system:serviceaccounts',
      'system:serviceaccounts:ns',
      'system:authenticated',
    ]);
  });

  test('no credential is anonymous; so are schemes nobody here knows', async () => {
    const anonymous = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

    assert.deepEqual((await who({})).user, anonymous);
    assert.deepEqual((await who({ authorization: 'Basic YTpi' })).user, anonymous);
    assert.deepEqual((await who({ authorization: 'Bearer ' })).user, anonymous);
    assert.deepEqual((await who({ authorization: 'Bearer  x' })).user, anonymous);
  });

  test('a bad credential is 401, never anonymous, and only the log learns why', async () => {
    const stranger = createAuthority('ca', validity);
    const wrong = await who({ authorization: 'Bearer nope' });
    const forged = await who({}, peerOf('jane', stranger));

    for (const { error } of [wrong, forged]) {
      assert.deepEqual(error?.toStatus(), {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'Unauthorized',
        reason: 'Unauthorized',
        code: 401,
      });
    }
    assert.deepEqual(wrong.reasons, ['invalid bearer token']);
    assert.deepEqual(forged.reasons, ['x509: certificate signed by unknown authority']);
  });

  test('a bad certificate beside a good token does no harm', async () => {
    const stranger = createAuthority('ca', validity);
    const { user } = await who({ authorization: 'Bearer s3cret' }, peerOf('jane', stranger));

    assert.equal(user?.name, 'admin');
  });
});

describe('static tokens', () => {
  test("upstream's token file is read", () => {
    const entries = parseTokenFile('t1,admin,1,"system:masters,dev"\n\nt2,bob,\n"t,3",eve,3,ops\n');

    assert.deepEqual(entries, [
      { token: 't1', user: { name: 'admin', uid: '1', groups: ['system:masters', 'dev'] } },
      { token: 't2', user: { name: 'bob', groups: [] } },
      { token: 't,3', user: { name: 'eve', uid: '3', groups: ['ops'] } },
    ]);
    assert.throws(() => parseTokenFile('t1,admin'), /line 1 needs a token, a user name and a uid/);
  });

  test('a token file is made once and stays', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'flotilla-token-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'admin.token');

    const token = ensureTokenFile(path);

    assert.match(token, /^[\w-]{43}$/);
    assert.equal(ensureTokenFile(path), token);
    assert.equal(statSync(path).mode & 0o777, 0o600);
  });
});

async function who(headers: Record<string, string>, peer?: Peer) {
  const reasons: string[] = [];
  const authenticate = authenticator({
    clock,
    verifier: tokenVerifier(),
    onRejected: (reason) => reasons.push(reason.message),
  });
  let user: UserInfo | undefined;
  let error: StatusError | undefined;
  const handle = async (request: ApiRequest) => {
    try {
      user = await authenticate(request, tenant);
    } catch (thrown) {
      assert.ok(thrown instanceof StatusError);
      error = thrown;
    }
    return { status: 200, headers: {}, body: Buffer.alloc(0) };
  };
  await inject(handle, { path: '/api', headers, ...(peer === undefined ? {} : { peer }) });
  return { user, error, reasons };
}

function peerOf(user: string, authority = ca): Peer {
  const { certificate } = issueClientCertificate(authority, { user, groups: ['dev'], ...validity });
  return { address: '', certificate: derOf(certificate) };
}
