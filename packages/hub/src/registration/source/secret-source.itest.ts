import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { testPair } from '../../cluster-secret/testing/certificate.ts';
import { jwt, kubeconfig, NOW, type SourceHub, startSourceHub } from './testing/source-hub.ts';
import { base64, written } from './testing/written.ts';

const { certificate, key } = testPair();

let hub: SourceHub;
before(async () => {
  hub = await startSourceHub();
});
after(() => hub[Symbol.asyncDispose]());

let count = 0;

/** A kubeconfig in a Secret of its own. */
async function inSecret(text: string): Promise<{ secretRef: { name: string } }> {
  const name = `source-${++count}`;
  await hub.createSecret(`vela-system/${name}`, { kubeconfig: text });
  return { secretRef: { name } };
}

describe('a kubeconfig in a Secret', () => {
  test('gives the member, where it came from, and what to watch', async () => {
    const secret = await hub.createSecret('vela-system/plain', {
      kubeconfig: kubeconfig({
        cluster: `server: "https://api.example.com:6443", certificate-authority-data: ${base64(certificate)}`,
      }),
    });
    const found = await hub.resolve({ secretRef: { name: 'plain' } });

    assert.deepEqual(written(found), {
      endpoint: 'https://api.example.com:6443',
      'ca.crt': certificate,
      token: 's3cret-token',
    });
    const { member: _, ...rest } = found;
    assert.deepEqual(rest, {
      reason: 'SecretResolved',
      description: 'Secret vela-system/plain, key kubeconfig',
      resourceVersion: secret.metadata.resourceVersion,
      issuedAt: undefined,
      expiresAt: undefined,
      refreshAt: undefined,
      warnings: [],
      reads: [{ kind: 'Secret', namespace: 'vela-system', name: 'plain' }],
    });
  });

  test('gives a client certificate, and when it ends', async () => {
    const source = await inSecret(
      kubeconfig({
        user: `client-certificate-data: ${base64(certificate)}, client-key-data: ${base64(key)}`,
      }),
    );
    const found = await hub.resolve(source);

    assert.deepEqual(Object.keys(written(found)), ['endpoint', 'ca.crt', 'tls.crt', 'tls.key']);
    assert.deepEqual([written(found)['tls.crt'], written(found)['tls.key']], [certificate, key]);
    assert.deepEqual(found.expiresAt, new Date('2126-01-01T00:00:00Z'));
  });

  test('REG-3 with a proxy-url has it in the data, and without it has not', async () => {
    const withProxy = await inSecret(
      kubeconfig({ cluster: 'server: "https://api:6443", proxy-url: "http://proxy:3128"' }),
    );

    assert.equal(written(await hub.resolve(withProxy))['proxy-url'], 'http://proxy:3128');
    assert.ok(!('proxy-url' in written(await hub.resolve(await inSecret(kubeconfig())))));
  });

  test('REG-13 is read in the context that is named', async () => {
    const text = `${kubeconfig()}`
      .replace(
        'clusters: [',
        `- {name: next, context: {cluster: d, user: v}}\nclusters: [{name: d, cluster: {server: "https://next:6443"}}, `,
      )
      .replace('users: [', 'users: [{name: v, user: {token: next-token}}, ');
    const { secretRef } = await inSecret(text);

    const named = written(await hub.resolve({ secretRef: { ...secretRef, context: 'next' } }));
    assert.deepEqual([named['endpoint'], named['token']], ['https://next:6443', 'next-token']);
    assert.equal(written(await hub.resolve({ secretRef }))['token'], 's3cret-token');
    const { reason } = await hub.refuse({ secretRef: { ...secretRef, context: 'missing' } });
    assert.equal(reason, 'ContextNotFound');
  });

  for (const [title, server, endpoint] of [
    [
      'REG-14 with a path keeps it',
      'https://r.example/k8s/clusters/c-1',
      'https://r.example:443/k8s/clusters/c-1',
    ],
    [
      'REG-15 at an IPv6 address without a port gets one',
      'https://[2001:db8::1]',
      'https://[2001:db8::1]:443',
    ],
  ] as const) {
    test(title, async () => {
      const found = await hub.resolve(
        await inSecret(kubeconfig({ cluster: `server: "${server}"` })),
      );
      assert.equal(written(found)['endpoint'], endpoint);
    });
  }

  test('REG-16 without an authority has an empty one, never none', async () => {
    const data = written(await hub.resolve(await inSecret(kubeconfig())));
    assert.equal(data['ca.crt'], '');
  });

  test('REG-39 has its token without a line end', async () => {
    const source = await inSecret(kubeconfig({ user: 'token: "  s3cret-token\\n"' }));
    assert.equal(written(await hub.resolve(source))['token'], 's3cret-token');
  });

  test('is looked for under the key of Cluster API where its own is missing', async () => {
    await hub.createSecret('vela-system/capi', { value: kubeconfig() });
    await hub.createSecret('vela-system/keyless', { other: 's3cret' });
    const found = await hub.resolve({ secretRef: { name: 'capi' } });

    assert.equal(found.description, 'Secret vela-system/capi, key value');
    const problem = await hub.refuse({ secretRef: { name: 'keyless' } });
    assert.deepEqual([problem.reason, problem.isWaiting], ['KeyNotFound', false]);
  });

  test('that is not there is waited for, and watched', async () => {
    const problem = await hub.refuse({ secretRef: { name: 'missing' } });

    assert.deepEqual(
      { ...problem, name: undefined },
      {
        name: undefined,
        reason: 'SecretNotFound',
        isWaiting: true,
        retryAfterMs: 60_000,
        reads: [{ kind: 'Secret', namespace: 'vela-system', name: 'missing' }],
      },
    );
    assert.equal(problem.message, 'Cannot find Secret "vela-system/missing": it does not exist');
  });

  test('that the hub may not read is waited for, with what to grant', async () => {
    const problem = await hub.refuse(
      { secretRef: { name: 'plain' } },
      { client: hub.clientAs('nobody') },
    );

    assert.deepEqual([problem.reason, problem.isWaiting], ['SecretNotFound', true]);
    assert.match(problem.message, /no right to; give its service account get on Secrets/);
  });

  test('with a token and a certificate gives the token, and says so', async () => {
    const user = `token: t, client-certificate-data: ${base64(certificate)}, client-key-data: ${base64(key)}`;
    const found = await hub.resolve(await inSecret(kubeconfig({ user })));

    assert.equal(found.member.credential.type, 'ServiceAccountToken');
    assert.deepEqual(
      found.warnings.map(({ reason }) => reason),
      ['CertificateIgnored'],
    );
  });

  test('with an authority that is over says so', async () => {
    const old = testPair('old', {
      notBefore: new Date('2020-01-01'),
      notAfter: new Date('2021-01-01'),
    });
    const cluster = `server: "https://api", certificate-authority-data: ${base64(certificate + old.certificate)}`;
    const found = await hub.resolve(await inSecret(kubeconfig({ cluster })));

    assert.equal(written(found)['ca.crt'], certificate + old.certificate);
    assert.match(found.warnings[0]?.message ?? '', /Of the 2 certificates .*, 1 are over/);
  });

  test('REG-51 tells when its token ends, and when to read it again', async () => {
    const seconds = NOW.getTime() / 1000;
    const user = `token: ${jwt({ iat: seconds - 3000, exp: seconds + 600 })}`;
    const found = await hub.resolve(await inSecret(kubeconfig({ user })));

    assert.deepEqual(found.expiresAt, new Date('2026-06-01T12:10:00Z'));
    assert.deepEqual(found.refreshAt, new Date('2026-06-01T12:08:00Z'));
  });
});
