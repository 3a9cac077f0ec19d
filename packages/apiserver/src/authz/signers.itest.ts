import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startInMemory, type TestServer } from '../testing/start-in-memory.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const MERGE = { 'content-type': 'application/merge-patch+json' };
const request = Buffer.from(
  '-----BEGIN CERTIFICATE REQUEST-----\nMAA=\n-----END CERTIFICATE REQUEST-----\n',
).toString('base64');

describe('signers', () => {
  test('are approved and signed for by those with a right to that signer only', async () => {
    await using server = await startInMemory();
    const group = { apiGroups: ['certificates.k8s.io'] };
    const resources = ['certificatesigningrequests/approval', 'certificatesigningrequests/status'];
    await grant(server, 'ann', [
      { ...group, resources, verbs: ['patch'] },
      {
        ...group,
        resources: ['signers'],
        resourceNames: ['example.com/*', 'other.com/one'],
        verbs: ['approve'],
      },
    ]);
    const names = { a: 'example.com/any', b: 'other.com/one', c: 'other.com/two' };
    for (const [name, signerName] of Object.entries(names)) {
      const spec = { request, signerName, usages: ['client auth'] };
      const created = await server.send(`POST ${REQUESTS}`, { body: { metadata: { name }, spec } });
      assert.equal(created.status, 201);
    }
    const write = (path: string, type: string) =>
      server.send(`PATCH ${REQUESTS}/${path}`, {
        as: 'ann',
        headers: MERGE,
        body: { status: { conditions: [{ type, status: 'True', reason: 'r' }] } },
      });

    assert.equal((await write('a/approval', 'Approved')).status, 200);
    assert.equal((await write('b/approval', 'Approved')).status, 200);
    const refused = await write('c/approval', 'Approved');
    assert.equal(refused.status, 403);
    assert.equal(
      refused.json().message,
      'certificatesigningrequests.certificates.k8s.io "c" is forbidden: user not permitted to approve requests with signerName "other.com/two"',
    );
    const failed = await write('c/status', 'Failed');
    assert.equal(failed.status, 403);
    assert.match(failed.json().message, /user not permitted to sign requests/);
  });
});

async function grant(server: TestServer, user: string, rules: object[]): Promise<void> {
  const metadata = { name: user };
  await server.send(`POST ${RBAC}/clusterroles`, { body: { metadata, rules } });
  const bound = await server.send(`POST ${RBAC}/clusterrolebindings`, {
    body: {
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: user },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
    },
  });
  assert.equal(bound.status, 201);
}
