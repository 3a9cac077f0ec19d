import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '../authn/manual-clock.ts';
import { ROOT_TENANT } from '../storage/store.ts';
import { startInMemory, type TestServer } from '../testing/start-in-memory.ts';
import { openWatch } from '../testing/watch-events.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
const MERGE = { 'content-type': 'application/merge-patch+json' };

describe('the life of a watch', () => {
  test('has a bookmark every minute, at a revision that counts changes of other kinds', async () => {
    const clock = new ManualClock('2026-01-01T00:00:00Z');
    await using server = await startInMemory({ clock });
    const from = server.store.revision(ROOT_TENANT);
    const watch = await openWatch(
      server,
      `${CONFIG_MAPS}?watch=true&allowWatchBookmarks=true&resourceVersion=${from}`,
    );
    await server.send('POST /api/v1/namespaces/default/secrets', {
      body: { metadata: { name: 's' } },
    });

    clock.advance(60_000);

    const [bookmark] = await watch.take(1);
    assert.equal(bookmark?.type, 'BOOKMARK');
    assert.equal(bookmark?.object.kind, 'ConfigMap');
    assert.equal(bookmark?.object.metadata.name, undefined);
    assert.equal(bookmark?.object.metadata.resourceVersion, String(from + 1));
    clock.advance(60_000);
    assert.equal((await watch.take(1))[0]?.type, 'BOOKMARK');
    watch.stream.cancel();
  });

  test('has bookmarks as tables, too, of every kind there is', async () => {
    const clock = new ManualClock('2026-01-01T00:00:00Z');
    await using server = await startInMemory({ clock });
    const from = server.store.revision(ROOT_TENANT);
    const paths = await watchablePaths(server);
    assert.ok(paths.length > 50);
    const query = `watch=true&allowWatchBookmarks=true&timeoutSeconds=7&resourceVersion=${from}`;
    const watches = await Promise.all(
      paths.map((path) => openWatch(server, `${path}?${query}`, { headers: TABLE })),
    );

    clock.advance(7_000);

    for (const [index, watch] of watches.entries()) {
      const bookmark = (await watch.take(1_000)).at(-1);
      assert.equal(bookmark?.type, 'BOOKMARK', paths[index]);
      assert.equal(bookmark.object.kind, 'Table', paths[index]);
      assert.equal(bookmark.object.metadata.resourceVersion, String(from), paths[index]);
    }
  });

  test('has no bookmarks unless they were asked for', async () => {
    const clock = new ManualClock('2026-01-01T00:00:00Z');
    await using server = await startInMemory({ clock });
    const from = server.store.revision(ROOT_TENANT);
    const watch = await openWatch(server, `${CONFIG_MAPS}?watch=true&resourceVersion=${from}`);

    clock.advance(120_000);
    await create(server, 'a');

    assert.deepEqual(
      (await watch.take(1)).map(({ type }) => type),
      ['ADDED'],
    );
    watch.stream.cancel();
  });

  test('ends in good order when its time is up, with a last bookmark to resume from', async () => {
    const clock = new ManualClock('2026-01-01T00:00:00Z');
    await using server = await startInMemory({ clock });
    const from = server.store.revision(ROOT_TENANT);
    const query = `watch=true&allowWatchBookmarks=true&timeoutSeconds=7&resourceVersion=${from}`;
    const watch = await openWatch(server, `${CONFIG_MAPS}?${query}`);
    await create(server, 'a');

    clock.advance(6_999);
    assert.deepEqual(
      (await watch.take(1)).map(({ type }) => type),
      ['ADDED'],
    );
    clock.advance(1);

    const rest = await watch.take(5);
    assert.deepEqual(
      rest.map(({ type, object }) => [type, object.metadata.resourceVersion]),
      [['BOOKMARK', String(from + 1)]],
    );
    assert.equal(watch.stream.broken(), false);
  });

  test('ends by itself after half an hour to an hour when nobody set a time', async () => {
    const clock = new ManualClock('2026-01-01T00:00:00Z');
    await using server = await startInMemory({ clock });
    const from = server.store.revision(ROOT_TENANT);
    const watch = await openWatch(server, `${CONFIG_MAPS}?watch=true&resourceVersion=${from}`);

    clock.advance(3_600_000);

    assert.deepEqual(await watch.take(1), []);
    assert.equal(watch.stream.broken(), false);
  });

  test('is cut off when the client lags too far behind, so that it lists again', async () => {
    await using server = await startInMemory();
    await create(server, 'a');
    const from = server.store.revision(ROOT_TENANT);
    const watch = await openWatch(server, `${CONFIG_MAPS}?watch=true&resourceVersion=${from}`);
    const other = await openWatch(server, `${CONFIG_MAPS}?watch=true&resourceVersion=${from}`);

    let seen = 0;
    for (let i = 0; i < 18; i += 1) {
      const body = { data: { k: String.fromCharCode(97 + i).repeat(1_000_000) } };
      const patched = await server.send(`PATCH ${CONFIG_MAPS}/a`, { body, headers: MERGE });
      assert.equal(patched.status, 200);
      seen += (await other.take(1)).length;
    }

    assert.equal(watch.stream.broken(), true);
    assert.equal(other.stream.broken(), false);
    assert.equal(seen, 18, 'who keeps up is not disturbed');
    other.stream.cancel();
  });

  test('ends when the server stops', async () => {
    await using server = await startInMemory();
    const from = server.store.revision(ROOT_TENANT);
    const watch = await openWatch(server, `${CONFIG_MAPS}?watch=true&resourceVersion=${from}`);

    server.api.endWatches();

    assert.deepEqual(await watch.take(1), []);
    assert.equal(watch.stream.broken(), false);
  });

  test('of one object sees nothing of a neighbour whose name begins alike', async () => {
    await using server = await startInMemory();
    const from = server.store.revision(ROOT_TENANT);
    const watch = await openWatch(
      server,
      `${CONFIG_MAPS}?watch=true&fieldSelector=metadata.name%3Da&resourceVersion=${from}`,
    );

    await create(server, 'ab');
    await create(server, 'a');

    const [first] = await watch.take(1);
    assert.equal(first?.object.metadata.name, 'a');
    watch.stream.cancel();
  });
});

async function create(server: TestServer, name: string): Promise<void> {
  const created = await server.send(`POST ${CONFIG_MAPS}`, { body: { metadata: { name } } });
  assert.equal(created.status, 201);
}

/** The collections, over all namespaces, that can be watched. */
async function watchablePaths(server: TestServer): Promise<string[]> {
  const { groups } = (await server.send('GET /apis')).json() as {
    groups: { versions: { groupVersion: string }[] }[];
  };
  const versions = groups.flatMap(({ versions: each }) => each);
  const roots = ['/api/v1', ...versions.map(({ groupVersion }) => `/apis/${groupVersion}`)];
  const paths = await Promise.all(
    roots.map(async (root) => {
      const { resources } = (await server.send(`GET ${root}`)).json() as {
        resources: { name: string; verbs: string[] }[];
      };
      return resources.flatMap(({ name, verbs }) =>
        verbs.includes('watch') ? [`${root}/${name}`] : [],
      );
    }),
  );
  return paths.flat();
}
