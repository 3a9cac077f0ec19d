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
    assert.equal(await refused(type, '{"spec":{"replicas":2147483648}}'), 422);
    assert.equal(await refused(type, '{"spec":'), 400);
  }
  const replace = '[{"op":"replace","path":"/spec/replicas","value":"many"}]';
  assert.equal(await refused('application/json-patch+json', replace), 422);
  assert.equal(await refused('application/json-patch+json', '{}'), 400);
  assert.equal(await refused('text/plain', '{}'), 415);

  assert.equal((await server.send(`GET ${SCALE}`)).json().spec.replicas, 1);
});

test('scale is refused to those who saw an older version, and given to those who name none', async () => {
  await using server = await startWithDeployment();
  const seen = (await server.send(`GET ${SCALE}`)).json();
  const put = async (metadata: object, replicas: number): Promise<number> =>
    (await server.send(`PUT ${SCALE}`, { body: { ...seen, metadata, spec: { replicas } } })).status;

  assert.equal(await put(seen.metadata, 3), 200);
  assert.equal(await put(seen.metadata, 4), 409);
  assert.equal((await server.send(`GET ${SCALE}`)).json().spec.replicas, 3);
  assert.equal(await put({ name: 'web', namespace: 'default' }, 5), 200);
  assert.equal(await put({ name: 'api', namespace: 'default' }, 5), 400);
  assert.equal(await put({ name: 'web', namespace: 'default' }, -1), 422);
  assert.equal((await server.send(`GET ${DEPLOYMENTS}/web`)).json().spec.replicas, 5);
});

test('scale shows zero by leaving it out, and the selector as text', async () => {
  await using server = await startWithDeployment();
  await server.send(`PATCH ${SCALE}`, {
    body: '{"spec":{"replicas":0}}',
    headers: { 'content-type': 'application/merge-patch+json' },
  });

  const { spec, status } = (await server.send(`GET ${SCALE}`)).json();

  assert.deepEqual(spec, {});
  assert.deepEqual(status, { replicas: 0, selector: 'a=b' });
});

test('scale of what does not exist, or cannot be scaled, is not found', async () => {
  await using server = await startWithDeployment();

  assert.equal((await server.send(`GET ${DEPLOYMENTS}/none/scale`)).status, 404);
  assert.equal(
    (await server.send('GET /apis/apps/v1/namespaces/default/daemonsets/x/scale')).status,
    404,
  );
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
