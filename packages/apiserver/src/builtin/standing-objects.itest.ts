import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startInMemory } from '../testing/start-in-memory.ts';

const SERVICE = '/api/v1/namespaces/default/services/kubernetes';

test('the Service that leads to the server comes back at its address when it is deleted', async () => {
  await using server = await startInMemory();
  const before = (await server.send(`GET ${SERVICE}`)).json();

  assert.equal((await server.send(`DELETE ${SERVICE}`)).status, 200);
  await server.api.settled();

  const after = (await server.send(`GET ${SERVICE}`)).json();
  assert.notEqual(after.metadata.uid, before.metadata.uid);
  assert.equal(after.spec.clusterIP, before.spec.clusterIP);
});

test('a system namespace that may be deleted is made anew once it is gone', async () => {
  await using server = await startInMemory();
  const path = '/api/v1/namespaces/kube-node-lease';
  const before = (await server.send(`GET ${path}`)).json();

  assert.equal((await server.send(`DELETE ${path}`)).status, 200);
  await server.api.settled();

  const after = (await server.send(`GET ${path}`)).json();
  assert.equal(after.status.phase, 'Active');
  assert.notEqual(after.metadata.uid, before.metadata.uid);
});

test('a controller that is turned off leaves things as they are', async () => {
  await using server = await startInMemory({ disabledControllers: ['standing-objects'] });

  await server.send(`DELETE ${SERVICE}`);
  await server.api.settled();

  assert.equal((await server.send(`GET ${SERVICE}`)).status, 404);
});

test('a name that fits into no key is refused, and reading it finds nothing', async () => {
  await using server = await startInMemory();
  const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
  const name = 'r'.repeat(3_000);

  const refused = await server.send(`POST ${roles}`, { body: { metadata: { name }, rules: [] } });

  assert.equal(refused.status, 422);
  assert.match(refused.json().message, /metadata\.name: Too long/);
  assert.equal((await server.send(`GET ${roles}/${name}`)).status, 404);
});

test('an object too large to store is refused in the words clients know', async () => {
  await using server = await startInMemory();

  const refused = await server.send('POST /api/v1/namespaces/default/pods', {
    body: {
      metadata: { name: 'huge' },
      spec: {
        containers: [{ name: 'c', image: 'i', env: [{ name: 'A', value: 'x'.repeat(1_600_000) }] }],
      },
    },
  });

  assert.equal(refused.status, 500);
  assert.equal(refused.json().message, 'etcdserver: request is too large');
});
