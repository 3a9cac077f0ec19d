import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { describe, test } from 'node:test';
import { clientCertificates } from '../../authn/client-certificates.ts';
import { ManualClock } from '../../authn/manual-clock.ts';
import { type Asked, certificateRequest } from '../../testing/certificate-request.ts';
import { realIdentity } from '../../testing/real-identity.ts';
import { startInMemory, type TestServer } from '../../testing/start-in-memory.ts';

const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const CLIENT = 'kubernetes.io/kube-apiserver-client';
const KUBELET = 'kubernetes.io/kube-apiserver-client-kubelet';
const SERVING = 'kubernetes.io/kubelet-serving';
const HOUR_MS = 3_600_000;

describe('an approved request', () => {
  test('is answered with a certificate that proves who its owner is', async () => {
    const { server, certificates, clock } = await started();
    await using _ = server;
    const { key } = await ask(server, { user: 'jane', groups: ['dev', 'ops'] });
    await approve(server);
    await server.api.settled();

    const pem = await issued(server);
    const certificate = new X509Certificate(pem);
    assert.equal(certificate.checkPrivateKey(key), true);
    assert.equal(certificate.validTo, 'Dec 31 23:55:00 2026 GMT');
    const verified = clientCertificates(certificates.bundle).verify(
      { certificate: certificate.raw } as never,
      clock.now(),
    );
    assert.equal(verified?.name, 'jane');
    assert.deepEqual(verified?.groups, ['dev', 'ops']);
  });

  test('lives as long as it asked for, and no longer than a year', async () => {
    const { server } = await started();
    await using _ = server;
    await ask(server, { user: 'jane' }, { expirationSeconds: 3600 });
    await approve(server);
    await server.api.settled();

    const certificate = new X509Certificate(await issued(server));
    assert.equal(certificate.validFrom, 'Dec 31 23:55:00 2025 GMT');
    assert.equal(certificate.validTo, 'Jan  1 01:00:00 2026 GMT');
  });

  test('that breaks the rules of its signer fails with the reason', async () => {
    const { server } = await started();
    await using _ = server;
    const cases: [string, Asked, object, string][] = [
      [
        'usage',
        { user: 'a' },
        { usages: ['client auth', 'server auth'] },
        'invalid usage for client certificate: server auth',
      ],
      [
        'no-auth',
        { user: 'a' },
        { usages: ['digital signature'] },
        'missing required usage for client certificate: client auth',
      ],
      [
        'group',
        { user: 'system:node:a' },
        { signerName: KUBELET },
        'subject organization is not system:nodes',
      ],
      [
        'name',
        { user: 'a', groups: ['system:nodes'] },
        { signerName: KUBELET },
        'subject common name does not begin with system:node:',
      ],
      [
        'dns',
        { user: 'system:node:a', groups: ['system:nodes'], dnsNames: ['a'] },
        { signerName: KUBELET },
        'DNS subjectAltNames are not allowed',
      ],
      [
        'usages',
        { user: 'system:node:a', groups: ['system:nodes'] },
        { signerName: KUBELET, usages: ['client auth'] },
        'usages did not match [client auth digital signature key encipherment]',
      ],
      [
        'hosts',
        { user: 'system:node:a', groups: ['system:nodes'] },
        { signerName: SERVING, usages: ['server auth', 'digital signature'] },
        'DNS or IP subjectAltName is required',
      ],
    ];
    for (const [name, asked, spec, message] of cases) {
      await ask(server, asked, spec, name);
      await approve(server, name);
      await server.api.settled();
      const { status } = await read(server, name);
      assert.equal(status.certificate, undefined, name);
      const failed = status.conditions.find(({ type }: { type: string }) => type === 'Failed');
      assert.equal(failed?.reason, 'SignerValidationFailure', name);
      assert.equal(failed.message, message);
    }
  });

  test('for what a kubelet serves carries its names', async () => {
    const { server } = await started();
    await using _ = server;
    const usages = ['server auth', 'digital signature'];
    const asked = { user: 'system:node:a', groups: ['system:nodes'], dnsNames: ['node-a'] };
    await ask(server, asked, { signerName: SERVING, usages });
    await approve(server);
    await server.api.settled();

    const certificate = new X509Certificate(await issued(server));
    assert.equal(certificate.subjectAltName, 'DNS:node-a');
    assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.1']);
  });

  test('stays unanswered when it is denied, of another signer, or not signed by its own key', async () => {
    const { server } = await started();
    await using _ = server;
    await ask(server, { user: 'a' }, {}, 'denied');
    await decide(server, { name: 'denied', type: 'Denied' });
    await ask(server, { user: 'a' }, { signerName: 'example.com/signer' }, 'other');
    await approve(server, 'other');
    await ask(server, { user: 'a', forged: true }, {}, 'forged');
    await approve(server, 'forged');
    await server.api.settled();

    for (const name of ['denied', 'other', 'forged']) {
      assert.equal((await read(server, name)).status.certificate, undefined, name);
    }
  });
});

describe('requests of kubelets', () => {
  const node = { user: 'system:node:a', groups: ['system:nodes'] };

  test('are approved for those who may join a node', async () => {
    const { server } = await started();
    await using _ = server;
    await ask(server, node, { signerName: KUBELET });
    await server.api.settled();

    const { status } = await read(server, 'csr');
    assert.equal(status.conditions[0].reason, 'AutoApproved');
    assert.equal(
      status.conditions[0].message,
      'Auto approving kubelet client certificate after SubjectAccessReview.',
    );
    assert.notEqual(status.certificate, undefined);
  });

  test('wait for people when nobody granted that, or they are not of kubelets', async () => {
    await using server = await startInMemory();
    await ask(server, node, { signerName: KUBELET }, 'stranger', 'stranger');
    await ask(server, { user: 'a' }, { signerName: KUBELET }, 'person');
    await server.api.settled();

    assert.deepEqual((await read(server, 'person')).status, {});
    assert.equal((await server.send(`GET ${REQUESTS}/stranger`)).status, 404, 'it may not ask');
  });
});

describe('nobody', () => {
  test('may ask to be a superuser', async () => {
    const { server } = await started();
    await using _ = server;
    const { pem } = certificateRequest({ user: 'a', groups: ['system:masters'] });
    const refused = await server.send(`POST ${REQUESTS}`, { body: body('evil', pem, {}) });

    assert.equal(refused.status, 403);
    assert.match(
      refused.json().message,
      /use of kubernetes.io\/kube-apiserver-client signer with system:masters group is not allowed/,
    );
  });
});

describe('old requests', () => {
  test('go an hour after they were answered, and a day after they were not', async () => {
    const { server, clock } = await started();
    await using _ = server;
    await ask(server, { user: 'a' }, {}, 'pending');
    await ask(server, { user: 'a' }, {}, 'issued');
    await approve(server, 'issued');
    await ask(server, { user: 'a' }, {}, 'denied');
    await decide(server, { name: 'denied', type: 'Denied' });
    await server.api.settled();
    const there = async () => {
      await server.api.settled();
      const codes = [];
      for (const name of ['pending', 'issued', 'denied']) {
        codes.push((await server.send(`GET ${REQUESTS}/${name}`)).status);
      }
      return codes;
    };

    clock.advance(HOUR_MS);
    assert.deepEqual(await there(), [200, 200, 200]);
    clock.advance(1);
    assert.deepEqual(await there(), [200, 404, 404]);
    clock.advance(23 * HOUR_MS);
    assert.deepEqual(await there(), [404, 404, 404]);
  });

  test('go with their certificate when that ends earlier', async () => {
    const { server, clock } = await started();
    await using _ = server;
    await ask(server, { user: 'a' }, { expirationSeconds: 600 });
    await approve(server);
    await server.api.settled();

    clock.advance(600_001);
    await server.api.settled();

    assert.equal((await server.send(`GET ${REQUESTS}/csr`)).status, 404);
  });
});

async function started() {
  const clock = new ManualClock('2026-01-01T00:00:00Z');
  const { identity, certificates } = realIdentity(clock);
  return { server: await startInMemory({ clock, identity }), certificates, clock };
}

function body(name: string, pem: string, spec: object): object {
  return {
    metadata: { name },
    spec: {
      request: Buffer.from(pem).toString('base64'),
      signerName: CLIENT,
      usages: ['client auth', 'digital signature'],
      ...spec,
    },
  };
}

async function ask(
  server: TestServer,
  asked: Asked,
  spec: object = {},
  name = 'csr',
  as = 'admin',
) {
  const request = certificateRequest(asked);
  const answer = await server.send(`POST ${REQUESTS}`, { body: body(name, request.pem, spec), as });
  if (as === 'admin') assert.equal(answer.status, 201, answer.text());
  return request;
}

async function approve(server: TestServer, name = 'csr'): Promise<void> {
  await decide(server, { name, type: 'Approved' });
}

async function decide(
  server: TestServer,
  { name, type }: { name: string; type: string },
): Promise<void> {
  const request = await read(server, name);
  request.status = { conditions: [{ type, status: 'True', reason: 'Test', message: 'by hand' }] };
  const answer = await server.send(`PUT ${REQUESTS}/${name}/approval`, { body: request });
  assert.equal(answer.status, 200, answer.text());
}

async function read(server: TestServer, name: string) {
  return (await server.send(`GET ${REQUESTS}/${name}`)).json();
}

async function issued(server: TestServer): Promise<Buffer> {
  const { status } = await read(server, 'csr');
  assert.notEqual(status.certificate, undefined, JSON.stringify(status));
  return Buffer.from(status.certificate, 'base64');
}
