import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '../authn/manual-clock.ts';
import type { Handle } from '../http/exchange.ts';
import { type InjectedStream, inject } from '../http/inject.ts';
import { DamagedRecord, ROOT_TENANT } from '../storage/store.ts';
import { startInMemory, type TestServer } from '../testing/start-in-memory.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

interface Event {
  readonly type: string;
  readonly object: {
    readonly code?: number;
    readonly reason?: string;
    readonly metadata: {
      readonly name?: string;
      readonly resourceVersion?: string;
      readonly annotations?: Record<string, string>;
    };
  };
}

describe('watch', () => {
  test('tells of every change after the revision it starts at, in order', async () => {
    await using server = await startInMemory();
    const from = await listRevision(server);
    const events = await watch(server, `resourceVersion=${from}`);

    await create(server, 'a');
    await patch(server, 'a', { data: { k: 'v' } });
    await server.send(`DELETE ${CONFIG_MAPS}/a`);

    const seen = await events.take(3);
    assert.deepEqual(
      seen.map(({ type, object }) => [type, object.metadata.name]),
      [
        ['ADDED', 'a'],
        ['MODIFIED', 'a'],
        ['DELETED', 'a'],
      ],
    );
    const revisions = seen.map(({ object }) => Number(object.metadata.resourceVersion));
    assert.deepEqual(revisions, [from + 1, from + 2, from + 3]);
  });

  test('shows objects coming into and going out of a selector as added and deleted', async () => {
    await using server = await startInMemory();
    const from = await listRevision(server);
    const events = await watch(server, `resourceVersion=${from}&labelSelector=app%3Dweb`);

    await create(server, 'a');
    await patch(server, 'a', { metadata: { labels: { app: 'web' } } });
    await patch(server, 'a', { data: { k: 'v' } });
    await patch(server, 'a', { metadata: { labels: { app: 'db' } } });

    const types = (await events.take(3)).map(({ type }) => type);
    assert.deepEqual(types, ['ADDED', 'MODIFIED', 'DELETED']);
  });

  test('ends with a bookmark no further than what it has told, however far behind', async () => {
    await using server = await startInMemory();
    const from = await listRevision(server);
    const names = Array.from({ length: 1200 }, (_, index) => `c${index}`);
    await Promise.all(names.map((name) => put(server, name)));
    server.api.endWatches();

    const query = 'watch=true&allowWatchBookmarks=true&resourceVersion=';
    const told: Event[] = [];
    let revision = String(from);
    for (let tries = 0; tries < 10 && told.length < names.length; tries += 1) {
      const answer = await server.send(`GET ${CONFIG_MAPS}?${query}${revision}`);
      const lines = (await answer.whole()).toString().trimEnd().split('\n');
      const events = lines.map((line) => JSON.parse(line) as Event);
      told.push(...events.filter(({ type }) => type === 'ADDED'));
      const last = events.at(-1);
      assert.equal(last?.type, 'BOOKMARK');
      revision = last?.object.metadata.resourceVersion ?? '';
    }

    assert.deepEqual(
      told.map(({ object }) => object.metadata.name),
      names,
    );
  });

  test('is cut off when the client does not take the objects it begins with', async () => {
    const clock = new ManualClock('2026-01-01T00:00:00Z');
    await using server = await startInMemory({ clock });
    const names = Array.from({ length: 300 }, (_, index) => `c${index}`);
    await Promise.all(names.map((name) => put(server, name)));
    const open = async () =>
      (await server.send(`GET ${CONFIG_MAPS}?watch=true`)).stream as InjectedStream;

    const idle = await open();
    clock.advance(59_999);
    assert.equal(idle.broken(), false);
    clock.advance(1);
    assert.equal(idle.broken(), true);

    const behind = await open();
    for (let i = 0; i < 16; i += 1) await put(server, `large${i}`, 1 << 20);
    assert.equal(behind.broken(), true);

    const reader = await open();
    const taken = drain(reader);
    await put(server, 'last');
    server.api.endWatches();
    await taken;
  });

  test('breaks off, and nothing else, at an object that cannot be read', async () => {
    await using server = await startInMemory();
    const names = Array.from({ length: 300 }, (_, index) => `c${1000 + index}`);
    await Promise.all(names.map((name) => put(server, name)));
    const healthy = server.store.snapshot.bind(server.store);
    Object.assign(server.store, {
      snapshot: (tenant: string) => {
        const snapshot = healthy(tenant);
        const range: typeof snapshot.range = (prefix, options) => {
          if (options.after !== undefined) throw new DamagedRecord(`${prefix}c1250`);
          return snapshot.range(prefix, options);
        };
        return { ...snapshot, range };
      },
    });

    for (const query of ['watch=true', '']) {
      const answer = await server.send(`GET ${CONFIG_MAPS}?${query}`);
      await assert.rejects(drain(answer.stream as InjectedStream), /broken/, query);
    }

    assert.equal(server.failures.splice(0).length, 2);
  });

  test('CP-64 begins with what exists and marks the end of it, when asked for initial events', async () => {
    await using server = await startInMemory();
    await create(server, 'a');
    await create(server, 'b');

    const events = await watch(
      server,
      'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
    );

    // kube-root-ca.crt is in every namespace.
    const seen = await events.take(4);
    assert.deepEqual(
      seen.map(({ type, object }) => `${type} ${object.metadata.name ?? ''}`),
      ['ADDED a', 'ADDED b', 'ADDED kube-root-ca.crt', 'BOOKMARK '],
    );
    assert.equal(seen[3]?.object.metadata.annotations?.['k8s.io/initial-events-end'], 'true');
  });

  test('CP-63 says 410 to a watch from before history, and gives a list a token to go on with', async () => {
    await using server = await startInMemory();
    await create(server, 'a');
    await create(server, 'b');
    const page = (await server.send(`GET ${CONFIG_MAPS}?limit=1`)).json();
    await create(server, 'c');
    await create(server, 'd');
    await server.store.compact(ROOT_TENANT, server.store.revision(ROOT_TENANT) - 1);

    const [expired] = await (await watch(server, 'resourceVersion=1')).take(1);
    assert.equal(expired?.type, 'ERROR');
    assert.equal(expired?.object.code, 410);
    assert.equal(expired?.object.reason, 'Expired');

    const refused = await server.send(
      `GET ${CONFIG_MAPS}?limit=1&continue=${page.metadata.continue}`,
    );
    assert.equal(refused.status, 410);
    const token = refused.json().metadata.continue;
    const rest = await server.send(`GET ${CONFIG_MAPS}?limit=5&continue=${token}`);
    assert.deepEqual(
      rest.json().items.map(({ metadata }: Event['object']) => metadata.name),
      ['b', 'c', 'd', 'kube-root-ca.crt'],
    );
  });
});

describe('list', () => {
  test('reads later pages as they were when the first was read', async () => {
    await using server = await startInMemory();
    for (const name of ['a', 'b', 'c']) await create(server, name);
    const first = (await server.send(`GET ${CONFIG_MAPS}?limit=2`)).json();
    assert.equal(first.metadata.remainingItemCount, 2);

    await server.send(`DELETE ${CONFIG_MAPS}/c`);
    await create(server, 'd');

    const second = await server.send(
      `GET ${CONFIG_MAPS}?limit=2&continue=${first.metadata.continue}`,
    );
    assert.deepEqual(
      second.json().items.map(({ metadata }: Event['object']) => metadata.name),
      ['c', 'kube-root-ca.crt'],
    );
    assert.equal(second.json().metadata.resourceVersion, first.metadata.resourceVersion);
  });

  test('stops without complaint when its client leaves', async () => {
    await using server = await startInMemory();
    const names = Array.from({ length: 600 }, (_, index) => `c${index}`);
    await Promise.all(names.map((name) => put(server, name)));
    const client = new AbortController();
    let isOver = false;
    const handle: Handle = (request) =>
      server.api.handle(request).finally(() => {
        isOver = true;
      });

    const path = `${CONFIG_MAPS}?limit=1000`;
    const headers = { authorization: 'Bearer admin' };
    void inject(handle, { method: 'GET', path, headers, signal: client.signal });
    client.abort();

    while (!isOver) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(server.failures, []);
  });

  test('reads exactly the revision asked for while history reaches it', async () => {
    await using server = await startInMemory();
    await create(server, 'a');
    const before = await listRevision(server);
    await server.send(`DELETE ${CONFIG_MAPS}/a`);

    const then = await server.send(
      `GET ${CONFIG_MAPS}?resourceVersion=${before}&resourceVersionMatch=Exact&limit=10`,
    );

    assert.ok(then.json().items.some(({ metadata }: Event['object']) => metadata.name === 'a'));
  });

  test('refuses a token that points outside the listing', async () => {
    await using server = await startInMemory();
    for (const start of ['../secrets/kube-system/x', '', '//etc']) {
      const token = Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: 1, start })).toString(
        'base64url',
      );
      const refused = await server.send(`GET ${CONFIG_MAPS}?limit=1&continue=${token}`);
      assert.equal(refused.status, 400, start);
    }
  });
});

async function listRevision(server: TestServer): Promise<number> {
  return Number((await server.send(`GET ${CONFIG_MAPS}?limit=1`)).json().metadata.resourceVersion);
}

async function create(server: TestServer, name: string): Promise<void> {
  const created = await server.send(`POST ${CONFIG_MAPS}`, { body: { metadata: { name } } });
  assert.equal(created.status, 201);
}

async function drain(stream: InjectedStream): Promise<void> {
  while ((await stream.next()) !== undefined);
  if (stream.broken()) throw new Error('broken off');
}

/** Writes past the handlers: a thousand of them take no time. */
async function put(server: TestServer, name: string, size = 0): Promise<void> {
  const value = (revision: number) =>
    Buffer.from(
      `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"${name}","namespace":"default","resourceVersion":"${revision}"},"data":{"k":"${'x'.repeat(size)}"}}`,
    );
  await server.store.write(ROOT_TENANT, {
    key: `core/configmaps/default/${name}`,
    expect: 0,
    value,
  });
}

async function patch(server: TestServer, name: string, changes: object): Promise<void> {
  const patched = await server.send(`PATCH ${CONFIG_MAPS}/${name}`, {
    body: changes,
    headers: { 'content-type': 'application/merge-patch+json' },
  });
  assert.equal(patched.status, 200);
}

async function watch(
  server: TestServer,
  query: string,
): Promise<{ take: (count: number) => Promise<Event[]> }> {
  const answer = await server.send(`GET ${CONFIG_MAPS}?watch=true&${query}`);
  assert.equal(answer.status, 200);
  const stream = answer.stream as InjectedStream;
  const waiting: Event[] = [];
  return {
    take: async (count) => {
      while (waiting.length < count) {
        const chunk = await stream.next();
        if (chunk === undefined) break;
        for (const line of chunk.toString().split('\n')) {
          if (line !== '') waiting.push(JSON.parse(line) as Event);
        }
      }
      stream.cancel();
      return waiting.splice(0, count);
    },
  };
}
