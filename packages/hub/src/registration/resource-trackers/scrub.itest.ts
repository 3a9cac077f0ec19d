import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as zlib from 'node:zlib';
import type { Client } from '@flotilla/client';
import { conflict, type KubeObject } from '@flotilla/machinery';
import { decompress } from 'fzstd';
import { calm, startHub, startVelaHub, tracker } from '../applications/testing/vela-hub.ts';
import { pack } from './compression.ts';
import { type ResourceTracker, ResourceTrackers } from './kinds.ts';
import { scrubResourceTrackers } from './scrub.ts';

const onWest = { kind: 'Deployment', name: 'web', namespace: 'prod', cluster: 'west' };
const onEast = {
  kind: 'Deployment',
  name: 'web',
  namespace: 'prod',
  cluster: 'east',
  raw: {
    metadata: { creationTimestamp: null, annotations: { note: '<&>' } },
    spec: { replicas: 3 },
  },
};
const onHub = { kind: 'Namespace', name: 'prod' };
const all = [onWest, onEast, onHub];
const others = [onEast, onHub];

/** As `zstd` wrote the list of three, with a checksum. */
const ZSTD =
  'KLUv/WRVAN0EAEKJHBxwRW0Dlg5WrZOKbH99LGk2dugB4vCNkiZAVRwCifaziwutCcoVyDDJ/WspHVrOClmnQgZdxDCXQYYHWaon5QiuH+Y1XVZreiXrI5nfzy42yG0k8vJUqL8zTRWwiZPw8qNo8fsAINDM+HJd1CsPiPEJIg4AHFtgYIvrWC7IzHCLYvdlXfBhmsPErBOAEEVVXEadqmkJQjahivBMtA==';

async function create(client: Client, ...trackers: KubeObject[]): Promise<void> {
  for (const one of trackers) await client.create(ResourceTrackers, one as ResourceTracker);
}

async function compressionOf(client: Client, name: string) {
  const { spec } = await client.get(ResourceTrackers, { name });
  const { type, data } = spec?.compression ?? {};
  return { type, bytes: Buffer.from(String(data), 'base64'), plain: spec?.managedResources };
}

describe('scrubResourceTrackers', () => {
  test('REG-60 takes the entries of a cluster out of a zstd list and leaves the rest as it was', async () => {
    await using hub = await startVelaHub();
    const { client } = hub;
    await create(client, tracker('web-v1', { compression: { type: 'zstd', data: ZSTD } }));

    assert.deepEqual(await scrubResourceTrackers(client, 'west', calm), { changed: 1, failed: 0 });

    const { type, bytes, plain } = await compressionOf(client, 'web-v1');
    assert.deepEqual([type, plain], ['zstd', undefined]);
    const list: { name: string; cluster?: string; raw?: unknown }[] = JSON.parse(
      Buffer.from(decompress(bytes)).toString(),
    );
    assert.deepEqual(
      list.map(({ name, cluster }) => [name, cluster]),
      [
        ['web', 'east'],
        ['prod', undefined],
      ],
    );
    assert.deepEqual(list[0]?.raw, { metadata: { creationTimestamp: null }, spec: { big: 0 } });
    const { zstdDecompressSync } = zlib as { zstdDecompressSync?: (of: Uint8Array) => Uint8Array };
    if (zstdDecompressSync !== undefined) {
      assert.deepEqual(JSON.parse(Buffer.from(zstdDecompressSync(bytes)).toString()), list);
    }
    const { spec } = await client.get(ResourceTrackers, { name: 'web-v1' });
    assert.deepEqual([spec?.['type'], spec?.['applicationGeneration']], ['versioned', 1]);
  });

  test('REG-60 keeps gzip and plain lists in their form too', async () => {
    await using hub = await startVelaHub();
    const { client } = hub;
    const data = zlib.gzipSync(JSON.stringify(all)).toString('base64');
    await create(
      client,
      tracker('packed', { compression: { type: 'gzip', data } }),
      tracker('plain', { managedResources: all }),
      tracker('plain-too', { managedResources: all, compression: {} }),
    );

    assert.deepEqual(await scrubResourceTrackers(client, 'west', calm), { changed: 3, failed: 0 });

    const { type, bytes } = await compressionOf(client, 'packed');
    assert.equal(type, 'gzip');
    assert.deepEqual(JSON.parse(zlib.gunzipSync(bytes).toString()), others);
    for (const name of ['plain', 'plain-too']) {
      const { spec } = await client.get(ResourceTrackers, { name });
      assert.deepEqual(spec?.managedResources, others, name);
    }
  });

  test('writes nothing where a cluster is not named, and nothing the second time', async () => {
    await using hub = await startVelaHub();
    const { client } = hub;
    await create(
      client,
      tracker('elsewhere', { managedResources: others }),
      tracker('empty', { compression: { type: 'zstd', data: pack('zstd', null) } }),
      tracker('here', { compression: { type: 'zstd', data: pack('zstd', [onWest]) } }),
    );
    const before = await client.list(ResourceTrackers);

    assert.deepEqual(await scrubResourceTrackers(client, 'west', calm), { changed: 1, failed: 0 });
    assert.deepEqual(await scrubResourceTrackers(client, 'west', calm), { changed: 0, failed: 0 });

    const { bytes } = await compressionOf(client, 'here');
    assert.equal(Buffer.from(decompress(bytes)).toString(), '[]');
    const after = await client.list(ResourceTrackers);
    const untouched = ({ items }: { items: ResourceTracker[] }) =>
      items.filter(({ metadata }) => metadata.name !== 'here');
    assert.deepEqual(untouched(after), untouched(before));
  });

  test('keeps integers that a double cannot hold', async () => {
    await using hub = await startVelaHub();
    const { client } = hub;
    const list = `[{"cluster":"west"},{"cluster":"east","raw":{"spec":{"id":9007199254740993}}}]`;
    const data = zlib.gzipSync(list).toString('base64');
    await create(client, tracker('big', { compression: { type: 'gzip', data } }));

    await scrubResourceTrackers(client, 'west', calm);

    const { bytes } = await compressionOf(client, 'big');
    assert.match(zlib.gunzipSync(bytes).toString(), /"id":9007199254740993/);
  });

  test('counts what it cannot read, bombs among them, and scrubs the others', async () => {
    await using hub = await startVelaHub();
    const { client } = hub;
    const bomb = zlib.gzipSync(Buffer.alloc(40 * 1024 * 1024, 0x20)).toString('base64');
    const of = (type: string, data?: string) => ({ compression: { type, data } });
    await create(
      client,
      tracker('a-bomb', of('gzip', bomb)),
      tracker('b-unknown', of('brotli', 'AAAA')),
      tracker('c-cut', of('zstd', ZSTD.slice(0, 80))),
      tracker('d-none', of('zstd')),
      tracker('e-no-list', of('gzip', zlib.gzipSync('{"cluster":"west"}').toString('base64'))),
      tracker('f-no-list', { managedResources: 'west' }),
      tracker('g-odd', { managedResources: [null, 1, 'west', { cluster: 1 }, onWest] }),
    );

    assert.deepEqual(await scrubResourceTrackers(client, 'west', calm), { changed: 1, failed: 6 });

    const { spec } = await client.get(ResourceTrackers, { name: 'g-odd' });
    assert.deepEqual(spec?.managedResources, [null, 1, 'west', { cluster: 1 }]);
  });

  test('reads a tracker again when KubeVela wrote it meanwhile, and never loses what it added', async () => {
    await using hub = await startVelaHub();
    const { client } = hub;
    await create(client, tracker('busy', { managedResources: [onWest] }));
    let disturbances = 0;
    const disturbed: Client = {
      ...client,
      replace: async (kind, object, options) => {
        if (disturbances < 3) {
          disturbances += 1;
          const now = await client.get(kind, { name: 'busy' });
          const labels = { round: `${disturbances}` };
          await client.replace(kind, {
            ...now,
            metadata: { ...now.metadata, labels },
            spec: { applicationGeneration: 1, managedResources: [onWest, onEast] },
          });
        }
        return client.replace(kind, object, options);
      },
    };

    assert.deepEqual(await scrubResourceTrackers(disturbed, 'west', calm), {
      changed: 1,
      failed: 0,
    });
    const { spec } = await client.get(ResourceTrackers, { name: 'busy' });
    assert.deepEqual(spec?.managedResources, [onEast]);
  });

  test('gives up on a tracker that is always written by someone, and does not mind one that is gone', async () => {
    await using hub = await startVelaHub();
    const { client } = hub;
    await create(
      client,
      tracker('gone', { managedResources: [onWest] }),
      tracker('hopeless', { managedResources: [onWest] }),
      tracker('last', { managedResources: [onWest] }),
    );
    const racing: Client = {
      ...client,
      replace: async (kind, object, options) => {
        const { name = '' } = object.metadata;
        if (name === 'gone') await client.delete(kind, { name });
        if (name === 'hopeless') {
          throw conflict({ group: 'core.oam.dev', resource: 'resourcetrackers' }, name, 'busy');
        }
        return client.replace(kind, object, options);
      },
    };

    assert.deepEqual(await scrubResourceTrackers(racing, 'west', calm), { changed: 1, failed: 1 });
  });

  test('does nothing where KubeVela is not, says when trackers cannot be listed, and ends when told to', async () => {
    await using bare = await startHub();
    assert.deepEqual(await scrubResourceTrackers(bare.client, 'west', calm), {
      changed: 0,
      failed: 0,
    });

    await using hub = await startVelaHub();
    const nobody = hub.connect(hub.server.accessAs('nobody', ['system:authenticated']));
    await assert.rejects(scrubResourceTrackers(nobody, 'west', calm), /forbidden/);
    const ended = AbortSignal.abort(new Error('told to'));
    await assert.rejects(scrubResourceTrackers(hub.client, 'west', ended), /the caller gave up/);
  });
});
