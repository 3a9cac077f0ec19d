import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ROOT_TENANT } from '../storage/store.ts';
import { startInMemory, type TestServer } from '../testing/start-in-memory.ts';

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const WEB = `${DEPLOYMENTS}/web`;
const MERGE = { 'content-type': 'application/merge-patch+json' };

describe('the generation', () => {
  test('begins at 1 and counts changes of spec, not of metadata or status', async () => {
    await using server = await startWithDeployment();
    assert.equal(await generation(server), 1);

    await patch(server, WEB, { metadata: { labels: { k: 'v' } } });
    assert.equal(await generation(server), 1);
    await patch(server, `${WEB}/status`, { status: { replicas: 3 } });
    assert.equal(await generation(server), 1);
    await patch(server, WEB, { spec: { replicas: 2 } });
    assert.equal(await generation(server), 2);
    await patch(server, WEB, { spec: { replicas: 2 } });
    assert.equal(await generation(server), 2, 'nothing changed');
    await patch(server, `${WEB}/scale`, { spec: { replicas: 5 } });
    assert.equal(await generation(server), 3);
  });

  test('is not for callers to set', async () => {
    await using server = await startWithDeployment();

    await patch(server, WEB, { metadata: { generation: 40 } });

    assert.equal(await generation(server), 1);
  });

  test('counts the beginning of a delete', async () => {
    await using server = await startWithDeployment();

    const marked = await server.send(`DELETE ${WEB}?propagationPolicy=Foreground`);

    assert.equal(marked.json().metadata.generation, 2);
  });
});

describe('status', () => {
  test('cannot be changed through the object, nor spec through status', async () => {
    await using server = await startWithDeployment();

    await patch(server, WEB, { status: { replicas: 9 }, metadata: { labels: { k: 'v' } } });
    let web = (await server.send(`GET ${WEB}`)).json();
    assert.equal(web.status.replicas, undefined);

    await patch(server, `${WEB}/status`, { status: { replicas: 1 }, spec: { replicas: 9 } });
    web = (await server.send(`GET ${WEB}`)).json();
    assert.equal(web.spec.replicas, 1);
    assert.equal(web.status.replicas, 1);
    assert.deepEqual(web.metadata.labels, { k: 'v' });
  });

  test('survives a PUT of the object without it', async () => {
    await using server = await startWithDeployment();
    await patch(server, `${WEB}/status`, { status: { replicas: 1 } });
    const { status: _status, ...rest } = (await server.send(`GET ${WEB}`)).json();
    delete rest.metadata.resourceVersion;

    await server.send(`PUT ${WEB}`, { body: { ...rest, spec: { ...rest.spec, replicas: 4 } } });

    const web = (await server.send(`GET ${WEB}`)).json();
    assert.equal(web.status.replicas, 1);
    assert.equal(web.spec.replicas, 4);
  });

  test('cannot be set at creation', async () => {
    await using server = await startWithDeployment({ status: { replicas: 9 } });

    assert.equal((await server.send(`GET ${WEB}`)).json().status.replicas, undefined);
  });
});

describe('an update', () => {
  test('keeps what identifies the object, whatever is sent', async () => {
    await using server = await startWithDeployment();
    const before = (await server.send(`GET ${WEB}`)).json().metadata;

    await patch(server, WEB, {
      metadata: { creationTimestamp: '1999-01-01T00:00:00Z', labels: { k: 'v' } },
    });

    const after = (await server.send(`GET ${WEB}`)).json().metadata;
    assert.equal(after.creationTimestamp, before.creationTimestamp);
    assert.equal(after.uid, before.uid);
  });

  test('refuses another uid or name, and an old version', async () => {
    await using server = await startWithDeployment();
    const web = (await server.send(`GET ${WEB}`)).json();
    await patch(server, WEB, { metadata: { labels: { k: 'v' } } });
    const put = async (metadata: object): Promise<number> =>
      (await server.send(`PUT ${WEB}`, { body: { ...web, metadata } })).status;

    assert.equal(await put(web.metadata), 409);
    assert.equal(await put({ ...web.metadata, resourceVersion: '', uid: 'other' }), 409);
    assert.equal(await put({ ...web.metadata, resourceVersion: '', name: 'api' }), 400);
    assert.equal(await put({ ...web.metadata, resourceVersion: '', namespace: 'other' }), 400);
    assert.equal(await put({ ...web.metadata, resourceVersion: '' }), 200);
  });

  test('of what does not exist is told so, and writes nothing when it is invalid', async () => {
    await using server = await startWithDeployment();
    const before = server.store.revision(ROOT_TENANT);

    const missing = await server.send(`PATCH ${DEPLOYMENTS}/none`, { body: '{}', headers: MERGE });
    assert.equal(missing.status, 404);
    const invalid = await server.send(`PATCH ${WEB}`, {
      body: '{"spec":{"replicas":-1}}',
      headers: MERGE,
    });
    assert.equal(invalid.status, 422);

    assert.equal(server.store.revision(ROOT_TENANT), before);
  });

  test('that does not name a version goes through while others write', async () => {
    await using server = await startWithDeployment();
    const { metadata, ...rest } = (await server.send(`GET ${WEB}`)).json();

    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        server.send(`PUT ${WEB}`, {
          body: { ...rest, metadata: { name: metadata.name, labels: { n: String(i) } } },
        }),
      ),
    );

    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  });
});

async function generation(server: TestServer): Promise<number> {
  return (await server.send(`GET ${WEB}`)).json().metadata.generation;
}

async function patch(server: TestServer, path: string, body: object): Promise<void> {
  const patched = await server.send(`PATCH ${path}`, { body, headers: MERGE });
  assert.equal(patched.status, 200, patched.text());
}

async function startWithDeployment(extra: object = {}): Promise<TestServer> {
  const server = await startInMemory();
  const labels = { a: 'b' };
  const created = await server.send(`POST ${DEPLOYMENTS}`, {
    body: {
      metadata: { name: 'web' },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
      ...extra,
    },
  });
  assert.equal(created.status, 201, created.text());
  return server;
}
