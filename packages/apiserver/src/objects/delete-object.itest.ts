import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '../authn/manual-clock.ts';
import { ROOT_TENANT } from '../storage/store.ts';
import { startInMemory, type TestServer } from '../testing/start-in-memory.ts';
import { openWatch } from '../testing/watch-events.ts';

const PODS = '/api/v1/namespaces/default/pods';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const START = '2026-01-01T00:00:00Z';

describe('deleting a pod', () => {
  test('that runs somewhere waits for its grace period', async () => {
    await using server = await startInMemory({ clock: new ManualClock(START) });
    await pod(server, 'p', 'node-1');

    const marked = await server.send(`DELETE ${PODS}/p`);

    assert.equal(marked.status, 200);
    assert.equal(marked.json().kind, 'Pod');
    assert.equal(marked.json().metadata.deletionTimestamp, '2026-01-01T00:00:30Z');
    assert.equal(marked.json().metadata.deletionGracePeriodSeconds, 30);
    assert.equal((await server.send(`GET ${PODS}/p`)).status, 200);
  });

  test('again can make the wait shorter, counted from its beginning, but never longer', async () => {
    const clock = new ManualClock(START);
    await using server = await startInMemory({ clock });
    await pod(server, 'p', 'node-1');
    await server.send(`DELETE ${PODS}/p`);
    const before = server.store.revision(ROOT_TENANT);

    const longer = (await server.send(`DELETE ${PODS}/p?gracePeriodSeconds=60`)).json();
    assert.equal(longer.metadata.deletionTimestamp, '2026-01-01T00:00:30Z');
    assert.equal(server.store.revision(ROOT_TENANT), before, 'nothing was written');

    const shorter = (await server.send(`DELETE ${PODS}/p?gracePeriodSeconds=10`)).json();
    assert.equal(shorter.metadata.deletionTimestamp, '2026-01-01T00:00:10Z');
    assert.equal(shorter.metadata.deletionGracePeriodSeconds, 10);

    clock.advance(8_000);
    const late = (await server.send(`DELETE ${PODS}/p?gracePeriodSeconds=2`)).json();
    assert.equal(late.metadata.deletionTimestamp, '2026-01-01T00:00:08Z', 'never in the past');
    assert.equal(late.metadata.deletionGracePeriodSeconds, 1);
  });

  test('without grace removes it at once, as does a pod that runs nowhere', async () => {
    await using server = await startInMemory();
    await pod(server, 'p', 'node-1');
    await pod(server, 'q');

    await server.send(`DELETE ${PODS}/p`);
    await server.send(`DELETE ${PODS}/p?gracePeriodSeconds=0`);
    await server.send(`DELETE ${PODS}/q`);

    assert.equal((await server.send(`GET ${PODS}/p`)).status, 404);
    assert.equal((await server.send(`GET ${PODS}/q`)).status, 404);
  });

  test('holds it by its finalizers even without grace', async () => {
    await using server = await startInMemory();
    await pod(server, 'p', 'node-1', ['example.com/wait']);

    await server.send(`DELETE ${PODS}/p?gracePeriodSeconds=0`);

    const held = (await server.send(`GET ${PODS}/p`)).json();
    assert.equal(held.metadata.deletionGracePeriodSeconds, 0);
    const freed = await server.send(`PATCH ${PODS}/p`, {
      body: '{"metadata":{"finalizers":null}}',
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    assert.equal(freed.status, 200);
    assert.equal((await server.send(`GET ${PODS}/p`)).status, 404);
  });
});

describe('preconditions of a delete', () => {
  test('name the object and the version the caller means', async () => {
    await using server = await startInMemory();
    const { uid, resourceVersion } = await configMap(server, 'a');

    const another = await server.send(`DELETE ${CONFIG_MAPS}/a`, {
      body: { preconditions: { uid: 'other' } },
    });
    assert.equal(another.status, 409);
    assert.equal(
      another.json().message,
      `Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition (other) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    );
    const stale = await server.send(`DELETE ${CONFIG_MAPS}/a`, {
      body: { preconditions: { uid, resourceVersion: '1' } },
    });
    assert.equal(stale.status, 409);
    assert.match(stale.json().message, /The object might have been modified$/);

    const meant = await server.send(`DELETE ${CONFIG_MAPS}/a`, {
      body: { preconditions: { uid, resourceVersion } },
    });
    assert.equal(meant.status, 200);
  });

  test('are not the only thing refused before anything is touched', async () => {
    await using server = await startInMemory();
    await configMap(server, 'a');

    for (const body of [
      { propagationPolicy: 'Sideways' },
      { propagationPolicy: 'Orphan', orphanDependents: true },
      { dryRun: ['Some'] },
    ]) {
      const refused = await server.send(`DELETE ${CONFIG_MAPS}/a`, { body });
      assert.equal(refused.status, 422, JSON.stringify(body));
    }
    assert.equal((await server.send(`GET ${CONFIG_MAPS}/a`)).status, 200);
  });
});

describe('propagation', () => {
  test('in the foreground or orphaning leaves the object to the collector, by its finalizer', async () => {
    await using server = await startInMemory({ disabledControllers: ['garbage-collector'] });
    await configMap(server, 'f');
    await configMap(server, 'o');

    const foreground = await server.send(`DELETE ${CONFIG_MAPS}/f?propagationPolicy=Foreground`);
    const orphan = await server.send(`DELETE ${CONFIG_MAPS}/o?propagationPolicy=Orphan`);

    assert.deepEqual(foreground.json().metadata.finalizers, ['foregroundDeletion']);
    assert.ok(foreground.json().metadata.deletionTimestamp);
    assert.deepEqual(orphan.json().metadata.finalizers, ['orphan']);
    assert.equal((await server.send(`GET ${CONFIG_MAPS}/f`)).status, 200);
  });

  test('can be changed by deleting again', async () => {
    await using server = await startInMemory({ disabledControllers: ['garbage-collector'] });
    await configMap(server, 'a');
    await server.send(`DELETE ${CONFIG_MAPS}/a?propagationPolicy=Foreground`);

    const orphan = await server.send(`DELETE ${CONFIG_MAPS}/a?propagationPolicy=Orphan`);
    assert.deepEqual(orphan.json().metadata.finalizers, ['orphan']);

    await server.send(`DELETE ${CONFIG_MAPS}/a?propagationPolicy=Background`);
    assert.equal((await server.send(`GET ${CONFIG_MAPS}/a`)).status, 404);
  });

  test('orphans by default what always did, with a word about it', async () => {
    await using server = await startInMemory({ disabledControllers: ['garbage-collector'] });
    const controllers = '/api/v1/namespaces/default/replicationcontrollers';
    const made = await server.send(`POST ${controllers}`, {
      body: {
        metadata: { name: 'rc' },
        spec: {
          selector: { a: 'b' },
          template: {
            metadata: { labels: { a: 'b' } },
            spec: { containers: [{ name: 'c', image: 'i' }] },
          },
        },
      },
    });
    assert.equal(made.status, 201);

    const deleted = await server.send(`DELETE ${controllers}/rc`);

    assert.deepEqual(deleted.json().metadata.finalizers, ['orphan']);
  });
});

describe('deleting a collection', () => {
  test('takes what the selectors match and nothing else', async () => {
    await using server = await startInMemory();
    await configMap(server, 'a', { app: 'web' });
    await configMap(server, 'b', { app: 'web' });
    await configMap(server, 'c', { app: 'db' });
    await configMap(server, 'd');

    const deleted = await server.send(
      `DELETE ${CONFIG_MAPS}?labelSelector=app%3Dweb&fieldSelector=metadata.name!%3Db`,
    );

    assert.equal(deleted.status, 200);
    assert.equal(deleted.json().kind, 'ConfigMapList');
    assert.deepEqual(await names(server), ['b', 'c', 'd', 'kube-root-ca.crt']);
  });

  test('deletes nothing when a selector cannot be read', async () => {
    await using server = await startInMemory();
    await configMap(server, 'a');

    const refused = await server.send(`DELETE ${CONFIG_MAPS}?labelSelector=app%20in%20(`);

    assert.equal(refused.status, 400);
    assert.deepEqual(await names(server), ['a', 'kube-root-ca.crt']);
  });

  test('marks what has finalizers and tells watchers of both', async () => {
    await using server = await startInMemory();
    await configMap(server, 'a');
    await server.send(`POST ${CONFIG_MAPS}`, {
      body: { metadata: { name: 'b', finalizers: ['example.com/wait'], labels: { t: 'x' } } },
    });
    const from = server.store.revision(ROOT_TENANT);
    const watch = await openWatch(server, `${CONFIG_MAPS}?watch=true&resourceVersion=${from}`);

    await server.send(`DELETE ${CONFIG_MAPS}?fieldSelector=metadata.name!%3Dkube-root-ca.crt`);

    const seen = (await watch.take(2)).map(({ type, object }) => `${type} ${object.metadata.name}`);
    assert.deepEqual(seen.sort(), ['DELETED a', 'MODIFIED b']);
    watch.stream.cancel();
  });
});

async function names(server: TestServer): Promise<string[]> {
  const { items } = (await server.send(`GET ${CONFIG_MAPS}?limit=100`)).json();
  return items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
}

async function configMap(
  server: TestServer,
  name: string,
  labels: Record<string, string> = {},
): Promise<{ uid: string; resourceVersion: string }> {
  const created = await server.send(`POST ${CONFIG_MAPS}`, {
    body: { metadata: { name, labels } },
  });
  assert.equal(created.status, 201);
  return created.json().metadata;
}

async function pod(
  server: TestServer,
  name: string,
  ...[nodeName, finalizers = []]: [nodeName?: string, finalizers?: string[]]
): Promise<void> {
  const created = await server.send(`POST ${PODS}`, {
    body: {
      metadata: { name, finalizers },
      spec: {
        containers: [{ name: 'c', image: 'i' }],
        ...(nodeName === undefined ? {} : { nodeName }),
      },
    },
  });
  assert.equal(created.status, 201, created.text());
}
