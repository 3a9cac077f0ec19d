import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ROOT_TENANT } from '../storage/store.ts';
import { startInMemory } from '../testing/start-in-memory.ts';
import { openWatch } from '../testing/watch-events.ts';

const DEFAULT = '/api/v1/namespaces/default';
const CONFIG_MAPS = `${DEFAULT}/configmaps`;
const RBAC = '/apis/rbac.authorization.k8s.io/v1';

describe('a route', () => {
  test('leads nowhere for what is not served, with a Status below a served group', async () => {
    await using server = await startInMemory();
    const status = async (request: string): Promise<string> => {
      const { status: code, headers } = await server.send(request);
      return `${code} ${String(headers['content-type'])}`;
    };

    assert.equal(await status('GET /api/v1/boats'), '404 application/json');
    assert.equal(await status(`GET ${CONFIG_MAPS}/a/status`), '404 application/json');
    assert.equal(await status(`GET ${CONFIG_MAPS}/a/b/c/d`), '404 application/json');
    assert.equal(await status('GET /api/v1/configmaps/a'), '404 application/json');
    assert.equal(await status(`GET ${DEFAULT}/nodes`), '404 application/json');
    assert.match(await status('GET /apis/example.com/v1/boats'), /^404 text\/plain/);
  });

  test('takes objects in their collection and changes at their own path', async () => {
    await using server = await startInMemory();
    const code = async (request: string): Promise<number> =>
      (await server.send(request, { body: { metadata: { name: 'a' } } })).status;

    assert.equal(await code(`POST ${CONFIG_MAPS}/a`), 405);
    assert.equal(await code(`PUT ${CONFIG_MAPS}`), 405);
    assert.equal(await code(`PATCH ${CONFIG_MAPS}`), 405);
    assert.equal(await code('POST /api/v1/configmaps'), 405);
    assert.equal(await code('DELETE /api/v1/configmaps'), 405);
    assert.equal(await code(`HEAD ${CONFIG_MAPS}/a`), 405);
    assert.equal(await code(`POST ${DEFAULT}/pods/a/status`), 405);
  });

  test('through the abandoned proxy prefix leads nowhere, whatever one may read', async () => {
    await using server = await startInMemory();
    await server.send(`POST ${CONFIG_MAPS}`, { body: { metadata: { name: 'a' } } });

    const found = await server.send('GET /api/v1/proxy/namespaces/default/configmaps/a');

    assert.equal(found.status, 404);
    assert.equal(found.json().kind, 'Status');
  });

  test('to one object is a get, even when a watch is asked for', async () => {
    await using server = await startInMemory();
    await server.send(`POST ${CONFIG_MAPS}`, { body: { metadata: { name: 'a' } } });

    const got = await server.send(`GET ${CONFIG_MAPS}/a?watch=true`);

    assert.equal(got.stream, undefined);
    assert.equal(got.json().metadata.name, 'a');
  });

  test('by the old watch prefix is a watch, of a collection or of one object', async () => {
    await using server = await startInMemory();
    const from = server.store.revision(ROOT_TENANT);
    const all = await openWatch(
      server,
      `/api/v1/watch/namespaces/default/configmaps?resourceVersion=${from}`,
    );
    const one = await openWatch(
      server,
      `/api/v1/watch/namespaces/default/configmaps/b?resourceVersion=${from}`,
    );

    for (const name of ['a', 'b']) {
      await server.send(`POST ${CONFIG_MAPS}`, { body: { metadata: { name } } });
    }

    assert.deepEqual(
      (await all.take(2)).map(({ object }) => object.metadata.name),
      ['a', 'b'],
    );
    assert.equal((await one.take(1))[0]?.object.metadata.name, 'b');
    for (const { stream } of [all, one]) stream.cancel();
  });

  test('of a role for one name covers a list and a watch of that name only', async () => {
    await using server = await startInMemory();
    await server.send(`POST ${RBAC}/namespaces/default/roles`, {
      body: {
        metadata: { name: 'one' },
        rules: [
          {
            apiGroups: [''],
            resources: ['configmaps'],
            resourceNames: ['a'],
            verbs: ['list', 'deletecollection'],
          },
        ],
      },
    });
    await server.send(`POST ${RBAC}/namespaces/default/rolebindings`, {
      body: {
        metadata: { name: 'one' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'one' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'ann' }],
      },
    });
    const code = async (request: string): Promise<number> =>
      (await server.send(request, { as: 'ann' })).status;

    assert.equal(await code(`GET ${CONFIG_MAPS}?fieldSelector=metadata.name%3Da`), 200);
    assert.equal(await code(`GET ${CONFIG_MAPS}?fieldSelector=metadata.name%3Db`), 403);
    assert.equal(await code(`GET ${CONFIG_MAPS}`), 403);
    const collection = `DELETE ${CONFIG_MAPS}?fieldSelector=metadata.name%3Da`;
    assert.equal(await code(collection), 403, 'a collection has no name');
  });

  test('of a role for one name is not widened by naming it twice', async () => {
    await using server = await startInMemory();
    for (const name of ['a', 'b']) {
      await server.send(`POST ${CONFIG_MAPS}`, { body: { metadata: { name } } });
    }
    const list = async (selector: string): Promise<unknown[]> =>
      (await server.send(`GET ${CONFIG_MAPS}?fieldSelector=${encodeURIComponent(selector)}`)).json()
        .items ?? [];

    assert.equal((await list('metadata.name=a,metadata.name=b')).length, 0);
    assert.equal((await list('metadata.name=a,metadata.name!=a')).length, 0);
    assert.equal((await list('metadata.name=a')).length, 1);
  });
});
