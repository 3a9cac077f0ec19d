import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '../authn/manual-clock.ts';
import { ROOT_TENANT } from '../storage/store.ts';
import { startInMemory, type TestServer } from '../testing/start-in-memory.ts';
import { openWatch } from '../testing/watch-events.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const as = (kind: string) => ({ accept: `application/json;as=${kind};v=v1;g=meta.k8s.io` });

describe('a table', () => {
  test('of a list has a row per object, with its metadata and its age by the server’s clock', async () => {
    const clock = new ManualClock('2026-01-01T00:00:00Z');
    await using server = await startInMemory({ clock });
    await create(server, 'a', { labels: { app: 'web' } });
    await create(server, 'b', {});
    clock.advance(300_000);

    const found = (
      await server.send(`GET ${CONFIG_MAPS}?labelSelector=app`, { headers: as('Table') })
    ).json();

    assert.equal(found.kind, 'Table');
    assert.deepEqual(
      found.columnDefinitions.map(({ name }: { name: string }) => name),
      ['Name', 'Data', 'Age'],
    );
    assert.deepEqual(
      found.rows.map(({ cells }: { cells: unknown[] }) => cells),
      [['a', 1, '5m']],
    );
    assert.equal(found.rows[0].object.kind, 'PartialObjectMetadata');
    assert.equal(found.rows[0].object.metadata.name, 'a');
    assert.equal(found.metadata.resourceVersion, String(server.store.revision(ROOT_TENANT)));
  });

  test('carries whole objects or none when asked to', async () => {
    await using server = await startInMemory();
    await create(server, 'a', {});
    const row = async (include: string) =>
      (
        await server.send(`GET ${CONFIG_MAPS}/a?includeObject=${include}`, { headers: as('Table') })
      ).json().rows[0].object;

    assert.equal(await row('None'), null);
    assert.deepEqual((await row('Object')).data, { k: 'v' });
    const refused = await server.send(`GET ${CONFIG_MAPS}/a?includeObject=Half`, {
      headers: as('Table'),
    });
    assert.equal(refused.status, 400);
  });

  test('of a watch names its columns once', async () => {
    await using server = await startInMemory();
    const from = server.store.revision(ROOT_TENANT);
    const watch = await openWatch(server, `${CONFIG_MAPS}?watch=true&resourceVersion=${from}`, {
      headers: as('Table'),
    });
    await create(server, 'a', {});
    await create(server, 'b', {});
    await server.send(`DELETE ${CONFIG_MAPS}/a`);

    const events = await watch.take(3);

    assert.deepEqual(
      events.map(({ type, object }) => `${type} ${object.rows[0].cells[0]}`),
      ['ADDED a', 'ADDED b', 'DELETED a'],
    );
    assert.equal(events[0]?.object.columnDefinitions.length, 3);
    assert.equal(events[1]?.object.columnDefinitions, null);
    assert.equal(events[1]?.object.metadata.resourceVersion, String(from + 2));
    watch.stream.cancel();
  });
});

describe('a table of DaemonSets', () => {
  test('shows neither the generation of the template nor an empty node selector', async () => {
    await using server = await startInMemory();
    const path = '/apis/apps/v1/namespaces/default/daemonsets';
    const template = {
      metadata: { labels: { app: 'a' } },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    };
    const made = await server.send(`POST ${path}`, {
      body: {
        metadata: { name: 'd' },
        spec: { selector: { matchLabels: { app: 'a' } }, template },
      },
    });
    const annotation = 'deprecated.daemonset.template.generation';
    assert.equal(made.json().metadata.annotations[annotation], '1');

    const [row] = (await server.send(`GET ${path}`, { headers: as('Table') })).json().rows;

    assert.equal(row.cells[6], '<none>');
    assert.equal(row.object.metadata.name, 'd');
    assert.equal(row.object.metadata.annotations, undefined);
  });
});

describe('metadata alone', () => {
  test('is what a list can be reduced to, page by page', async () => {
    await using server = await startInMemory();
    for (const name of ['a', 'b', 'c']) await create(server, name, {});

    const first = (
      await server.send(`GET ${CONFIG_MAPS}?limit=2`, { headers: as('PartialObjectMetadataList') })
    ).json();

    assert.equal(first.kind, 'PartialObjectMetadataList');
    assert.deepEqual(first.items.map(reduced), [
      'PartialObjectMetadata a -',
      'PartialObjectMetadata b -',
    ]);
    const second = await server.send(
      `GET ${CONFIG_MAPS}?limit=2&continue=${first.metadata.continue}`,
      { headers: as('PartialObjectMetadataList') },
    );
    assert.equal(second.json().items[0].metadata.name, 'c');
  });

  test('of nothing has null for its items, while other lists have none', async () => {
    await using server = await startInMemory();
    const listed = async (headers: Record<string, string>) =>
      (await server.send(`GET ${CONFIG_MAPS}?labelSelector=no=where`, { headers })).json();

    assert.equal((await listed(as('PartialObjectMetadataList'))).items, null);
    assert.deepEqual((await listed({})).items, []);
    assert.deepEqual((await listed(as('Table'))).rows, []);
  });

  test('is what a get and a watch can be reduced to', async () => {
    await using server = await startInMemory();
    const from = server.store.revision(ROOT_TENANT);
    const watch = await openWatch(server, `${CONFIG_MAPS}?watch=true&resourceVersion=${from}`, {
      headers: as('PartialObjectMetadata'),
    });
    await create(server, 'a', {});

    const [event] = await watch.take(1);
    assert.equal(reduced(event?.object), 'PartialObjectMetadata a -');
    const got = await server.send(`GET ${CONFIG_MAPS}/a`, { headers: as('PartialObjectMetadata') });
    assert.equal(reduced(got.json()), 'PartialObjectMetadata a -');
    watch.stream.cancel();
  });
});

describe('pages of a selection', () => {
  test('bring every match once, however few there are in between', async () => {
    await using server = await startInMemory();
    for (let i = 0; i < 12; i += 1) {
      await create(server, `m${String(i).padStart(2, '0')}`, {
        labels: { odd: String(i % 3 === 0) },
      });
    }
    const names: string[] = [];
    let token = '';
    let pages = 0;
    do {
      const page = (
        await server.send(`GET ${CONFIG_MAPS}?labelSelector=odd%3Dtrue&limit=2&continue=${token}`)
      ).json();
      assert.ok(page.items.length <= 2);
      assert.equal(page.metadata.remainingItemCount, undefined, 'unknown with a selector');
      names.push(
        ...page.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name),
      );
      token = page.metadata.continue ?? '';
      pages += 1;
    } while (token !== '' && pages < 10);

    assert.deepEqual(names, ['m00', 'm03', 'm06', 'm09']);
  });

  test('of one name are that object, whatever the limit', async () => {
    await using server = await startInMemory();
    for (const name of ['a', 'ab', 'b']) await create(server, name, {});

    const found = (
      await server.send(`GET ${CONFIG_MAPS}?fieldSelector=metadata.name%3Dab&limit=1`)
    ).json();

    assert.deepEqual(found.items.length, 1);
    assert.equal(found.items[0].metadata.name, 'ab');
    assert.equal(found.metadata.continue, undefined);
  });
});

interface Reduced {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: object;
}

function reduced({ kind, metadata, data }: Reduced): string {
  return `${kind} ${metadata.name} ${data === undefined ? '-' : 'with data'}`;
}

async function create(
  server: TestServer,
  name: string,
  { labels = {} }: { labels?: Record<string, string> },
): Promise<void> {
  const created = await server.send(`POST ${CONFIG_MAPS}`, {
    body: { metadata: { name, labels }, data: { k: 'v' } },
  });
  assert.equal(created.status, 201);
}
