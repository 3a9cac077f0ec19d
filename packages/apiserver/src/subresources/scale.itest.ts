import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startInMemory, type TestServer } from '../testing/start-in-memory.ts';

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const SCALE = `${DEPLOYMENTS}/web/scale`;

test('a patch of scale that does not fit the kind is refused, not our own error', async () => {
  await using server = await startWithDeployment();
  const refused = async (type: string, body: string): Promise<number> =>
    (await server.send(`PATCH ${SCALE}`, { body, headers: { 'content-type': type } })).status;

  for (const type of ['application/merge-patch+json', 'application/strategic-merge-patch+json']) {
    assert.equal(await refused(type, '{"spec":{"replicas":[{}]}}'), 422);
    assert.equal(await refused(type, '{"spec":{"replicas":99999999999}}'), 422);
    assert.equal(await refused(type, '{"spec":'), 400);
  }
  const replace = '[{"op":"replace","path":"/spec/replicas","value":"many"}]';
  assert.equal(await refused('application/json-patch+json', replace), 422);
  assert.equal(await refused('application/json-patch+json', '{}'), 400);
  assert.equal(await refused('text/plain', '{}'), 415);

  assert.equal((await server.send(`GET ${SCALE}`)).json().spec.replicas, 1);
});

test('a quantity that is no quantity is refused, with integers of any size inside', async () => {
  await using server = await startInMemory();
  const body = `{"metadata":{"name":"q"},"spec":{"hard":{"pods":[9007199254740993]}}}`;

  const { status } = await server.send('POST /api/v1/namespaces/default/resourcequotas', { body });

  assert.equal(status, 400);
});

async function startWithDeployment(): Promise<TestServer> {
  const server = await startInMemory();
  const labels = { a: 'b' };
  const spec = { containers: [{ name: 'c', image: 'i' }] };
  const { status } = await server.send(`POST ${DEPLOYMENTS}`, {
    body: {
      metadata: { name: 'web' },
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
    },
  });
  assert.equal(status, 201);
  return server;
}
