import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Client, createClient, createTransport, Secrets } from '@flotilla/client';
import { systemClock as clock, formatKey } from '@flotilla/machinery';
import { eventually, startServer } from '@flotilla/testkit';
import type { SourceRead } from './source/resolved-source.ts';
import { createSourceWatch } from './source-watch.ts';
import { base64, sourceSecret } from './testing/builders.ts';

const read = (name: string): SourceRead => ({ kind: 'Secret', namespace: 'default', name });
const key = (name: string) => ({ namespace: 'default', name });

/** A server with a watch of sources, and who was called for. */
async function watching() {
  const server = await startServer();
  const client = createClient(createTransport({ access: server.access, clock, random: () => 0.5 }));
  const called: string[] = [];
  const watch = createSourceWatch({
    client,
    clock,
    random: () => 0.5,
    enqueue: (each) => void called.push(formatKey(each)),
  });
  const stop = new AbortController();
  const running = watch.run(stop.signal);
  return {
    client,
    called,
    watch,
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await running;
      await client[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function touch(client: Client, name: string): Promise<void> {
  const body = { data: { kubeconfig: base64(`touched ${name}`) } };
  await client.patch(Secrets, key(name), { type: 'merge', body });
}

describe('a watch of sources', () => {
  test('calls for those who read what changed, and not for what they have read already', async () => {
    await using world = await watching();
    const { client, called, watch } = world;
    const made = await client.create(Secrets, sourceSecret('a', 'x'));
    await client.create(Secrets, sourceSecret('b', 'x'));
    const version = made.metadata.resourceVersion;
    const isWatched = () => watch.follow(key('one'), [read('a')], version);
    await eventually(isWatched);
    assert.deepEqual(called, []);

    await touch(client, 'b');
    await touch(client, 'a');
    await eventually(() => called.length > 0);
    assert.deepEqual([...new Set(called)], ['default/one']);
  });

  test('calls for those whose source was missing when it comes, and when it goes again', async () => {
    await using world = await watching();
    const { client, called, watch } = world;
    await eventually(() => watch.follow(key('one'), [read('a')], undefined));
    await client.create(Secrets, sourceSecret('a', 'x'));
    await eventually(() => called.length === 1);
    await client.delete(Secrets, key('a'));
    await eventually(() => called.length === 2);
  });

  test('forgets whom it has nothing to tell any more', async () => {
    await using world = await watching();
    const { client, called, watch } = world;
    await client.create(Secrets, sourceSecret('a', 'x'));
    await client.create(Secrets, sourceSecret('b', 'x'));
    await eventually(() => watch.follow(key('one'), [read('a')], undefined));
    await eventually(() => watch.follow(key('two'), [read('b')], undefined));
    watch.follow(key('one'), [], undefined);
    called.length = 0;
    await touch(client, 'a');
    await touch(client, 'b');
    await eventually(() => called.includes('default/two'));
    assert.deepEqual([...new Set(called)], ['default/two']);
  });

  test('goes over to the whole namespace when there are many, and loses nobody', async () => {
    await using world = await watching();
    const { client, called, watch } = world;
    const names = Array.from({ length: 20 }, (_, at) => `s-${at}`);
    for (const name of names) {
      const { metadata } = await client.create(Secrets, sourceSecret(name, 'x'));
      watch.follow(key(name), [read(name)], metadata.resourceVersion);
    }
    const { items } = await client.list(Secrets, { namespace: 'default' });
    const versions = new Map(
      items.map(({ metadata }) => [metadata.name, metadata.resourceVersion]),
    );
    await eventually(() =>
      names.every((name) => watch.follow(key(name), [read(name)], versions.get(name))),
    );
    called.length = 0;
    await touch(client, 's-3');
    await touch(client, 's-19');
    await eventually(() => new Set(called).size === 2);
    assert.deepEqual([...new Set(called)].sort(), ['default/s-19', 'default/s-3']);
  });
});
