import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ROOT_TENANT, type Write } from '../storage/store.ts';
import { startInMemory } from '../testing/start-in-memory.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const MERGE = { 'content-type': 'application/merge-patch+json' };

describe('create', () => {
  test('gives the object what only the server may say, whatever the caller sent', async () => {
    await using server = await startInMemory();

    const created = await server.send(`POST ${CONFIG_MAPS}`, {
      body: { metadata: { name: 'a', uid: 'mine' }, data: { k: 'v' } },
    });

    assert.equal(created.status, 201);
    const { metadata } = created.json();
    assert.notEqual(metadata.uid, 'mine');
    assert.equal(metadata.namespace, 'default');
    assert.match(metadata.creationTimestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    assert.match(metadata.resourceVersion, /^[1-9]\d*$/);
  });

  test('tells that a name is taken', async () => {
    await using server = await startInMemory();
    const body = { metadata: { name: 'a' } };
    await server.send(`POST ${CONFIG_MAPS}`, { body });

    const again = await server.send(`POST ${CONFIG_MAPS}`, { body });

    assert.equal(again.status, 409);
    assert.equal(again.json().message, 'configmaps "a" already exists');
  });

  test('makes a name from generateName', async () => {
    await using server = await startInMemory();

    const created = await server.send(`POST ${CONFIG_MAPS}`, {
      body: { metadata: { generateName: 'web-' } },
    });

    assert.match(created.json().metadata.name, /^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });

  test('refuses a namespace that does not exist, before it looks at the object', async () => {
    await using server = await startInMemory();

    const refused = await server.send('POST /api/v1/namespaces/nowhere/configmaps', {
      body: { metadata: { name: 'NOT VALID' } },
    });

    assert.equal(refused.status, 404);
    assert.equal(refused.json().message, 'namespaces "nowhere" not found');
  });

  test('writes nothing on dry run and still says what would have been written', async () => {
    await using server = await startInMemory();

    const dry = await server.send(`POST ${CONFIG_MAPS}?dryRun=All`, {
      body: { metadata: { name: 'a' } },
    });

    assert.equal(dry.status, 201);
    assert.equal(dry.json().metadata.resourceVersion, undefined);
    assert.equal((await server.send(`GET ${CONFIG_MAPS}/a`)).status, 404);
  });
});

describe('update', () => {
  test('refuses an object that changed since it was read', async () => {
    await using server = await startInMemory();
    const first = (
      await server.send(`POST ${CONFIG_MAPS}`, { body: { metadata: { name: 'a' } } })
    ).json();
    await server.send(`PATCH ${CONFIG_MAPS}/a`, { body: '{"data":{"k":"1"}}', headers: MERGE });

    const stale = await server.send(`PUT ${CONFIG_MAPS}/a`, {
      body: { ...first, data: { k: '2' } },
    });

    assert.equal(stale.status, 409);
    assert.equal(
      stale.json().message,
      'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    );
  });

  test('keeps the revision when nothing changes', async () => {
    await using server = await startInMemory();
    const first = (
      await server.send(`POST ${CONFIG_MAPS}`, {
        body: { metadata: { name: 'a' }, data: { k: 'v' } },
      })
    ).json();

    const same = await server.send(`PATCH ${CONFIG_MAPS}/a`, {
      body: '{"data":{"k":"v"}}',
      headers: MERGE,
    });

    assert.equal(same.json().metadata.resourceVersion, first.metadata.resourceVersion);
  });

  test('lets 32 writers add their own key to one object, losing none', async () => {
    await using server = await startInMemory();
    await server.send(`POST ${CONFIG_MAPS}`, { body: { metadata: { name: 'a' } } });

    const answers = await Promise.all(
      Array.from({ length: 32 }, (_, i) =>
        server.send(`PATCH ${CONFIG_MAPS}/a`, { body: `{"data":{"k${i}":"v"}}`, headers: MERGE }),
      ),
    );

    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    const { data } = (await server.send(`GET ${CONFIG_MAPS}/a`)).json();
    assert.equal(Object.keys(data).length, 32);
  });
});

describe('delete', () => {
  test('leaves an object with finalizers marked until the last one goes', async () => {
    await using server = await startInMemory();
    await server.send(`POST ${CONFIG_MAPS}`, {
      body: { metadata: { name: 'a', finalizers: ['example.com/wait'] } },
    });

    const marked = await server.send(`DELETE ${CONFIG_MAPS}/a`);
    assert.equal(marked.status, 200);
    assert.equal(marked.json().metadata.deletionGracePeriodSeconds, 0);
    assert.equal((await server.send(`GET ${CONFIG_MAPS}/a`)).status, 200);

    await server.send(`PATCH ${CONFIG_MAPS}/a`, {
      body: '{"metadata":{"finalizers":null}}',
      headers: MERGE,
    });
    assert.equal((await server.send(`GET ${CONFIG_MAPS}/a`)).status, 404);
  });

  test('refuses when the uid is not the one the caller meant', async () => {
    await using server = await startInMemory();
    await server.send(`POST ${CONFIG_MAPS}`, { body: { metadata: { name: 'a' } } });

    const refused = await server.send(`DELETE ${CONFIG_MAPS}/a`, {
      body: { preconditions: { uid: 'another' } },
    });

    assert.equal(refused.status, 409);
    assert.equal((await server.send(`GET ${CONFIG_MAPS}/a`)).status, 200);
  });

  test('empties a namespace before it lets it go', async () => {
    await using server = await startInMemory();
    await server.send('POST /api/v1/namespaces', { body: { metadata: { name: 'team' } } });
    await server.send('POST /api/v1/namespaces/team/configmaps', {
      body: { metadata: { name: 'a', finalizers: ['example.com/wait'] } },
    });

    await server.send('DELETE /api/v1/namespaces/team');
    await server.api.settled();

    const waiting = (await server.send('GET /api/v1/namespaces/team')).json();
    assert.equal(waiting.status.phase, 'Terminating');
    const remaining = waiting.status.conditions.find(
      ({ type }: { type: string }) => type === 'NamespaceFinalizersRemaining',
    );
    assert.equal(
      remaining.message,
      'Some content in the namespace has finalizers remaining: example.com/wait in 1 resource instances',
    );
    const refused = await server.send('POST /api/v1/namespaces/team/configmaps', {
      body: { metadata: { name: 'late' } },
    });
    assert.equal(refused.status, 403);
    assert.equal(refused.json().details.causes[0].reason, 'NamespaceTerminating');

    await server.send('PATCH /api/v1/namespaces/team/configmaps/a', {
      body: '{"metadata":{"finalizers":null}}',
      headers: MERGE,
    });
    await server.api.settled();
    assert.equal((await server.send('GET /api/v1/namespaces/team')).status, 404);
  });

  test('takes along what was stored in a namespace while it emptied it', async () => {
    await using server = await startInMemory();
    await server.send('POST /api/v1/namespaces', { body: { metadata: { name: 'brief' } } });
    await server.api.settled();
    const key = 'core/configmaps/brief/late';
    const value = () =>
      Buffer.from(
        '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"late","namespace":"brief","resourceVersion":"1"}}',
      );
    const write = server.store.write.bind(server.store);
    let writes = 0;
    Object.assign(server.store, {
      write: async (tenant: string, asked: Write) => {
        // The first is the mark, the second says that nothing is left.
        if (asked.key === 'core/namespaces/brief' && ++writes === 2) {
          await write(tenant, { key, expect: 0, value });
        }
        return write(tenant, asked);
      },
    });

    await server.send('DELETE /api/v1/namespaces/brief');
    await server.api.settled();

    assert.equal((await server.send('GET /api/v1/namespaces/brief')).status, 404);
    assert.equal(server.store.read(ROOT_TENANT, key), undefined);
  });

  test('keeps the three namespaces everything stands on', async () => {
    await using server = await startInMemory();

    const refused = await server.send('DELETE /api/v1/namespaces/kube-system');

    assert.equal(refused.status, 403);
    assert.equal(
      refused.json().message,
      'namespaces "kube-system" is forbidden: this namespace may not be deleted',
    );
  });
});
