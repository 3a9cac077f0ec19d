import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigMaps } from '@flotilla/client';
import { isExpired } from '@flotilla/machinery';
import { Applications } from './applications/kinds.ts';
import { calm, startHub, startVelaHub, type TestHub } from './applications/testing/vela-hub.ts';
import { collect, isServed } from './served-kinds.ts';

/** More than one page. */
const MANY = 210;

async function startFullHub(): Promise<TestHub> {
  const hub = await startHub();
  const create = (index: number) =>
    hub.client.create(ConfigMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'default', name: `map-${index}`, labels: { ours: 'true' } },
    });
  await Promise.all(Array.from({ length: MANY }, (_, index) => create(index)));
  return hub;
}

describe('isServed', () => {
  test('tells a kind that is there from one that is not, and from a group that is not', async () => {
    await using bare = await startHub();
    assert.equal(await isServed(bare.client, Applications, calm), false);

    await using hub = await startVelaHub();
    assert.equal(await isServed(hub.client, Applications, calm), true);
    const other = { ...Applications, plural: 'workflowruns' };
    assert.equal(await isServed(hub.client, other, calm), false);
  });

  test('does not take a server that does not answer for one that has no such kind', async () => {
    await using hub = await startHub();
    await hub.server.stop();

    await assert.rejects(isServed(hub.client, Applications, calm));
  });
});

describe('collect', () => {
  const pickOurs = (name: string | undefined) => (name?.startsWith('map-') ? name : undefined);

  test('reads page after page', async () => {
    await using hub = await startFullHub();

    const names = await collect(hub.client, ConfigMaps, {
      signal: calm,
      pick: ({ metadata }) => pickOurs(metadata.name),
    });

    assert.equal(new Set(names).size, MANY);
  });

  test('begins again when the list expires on the way, and counts nothing twice', async () => {
    await using hub = await startFullHub();
    let compactions = 0;

    const names = await collect(hub.client, ConfigMaps, {
      signal: calm,
      pick: async ({ metadata }) => {
        if (compactions === 0) {
          compactions += 1;
          await outdate(hub);
        }
        return pickOurs(metadata.name);
      },
    });

    assert.equal(names.length, MANY);
    assert.equal(new Set(names).size, MANY);
  });

  test('gives up on a list that expires again and again', async () => {
    await using hub = await startFullHub();
    let first = '';

    const reading = collect(hub.client, ConfigMaps, {
      signal: calm,
      pick: async ({ metadata }) => {
        first ||= metadata.name ?? '';
        if (metadata.name === first) await outdate(hub);
        return undefined;
      },
    });

    await assert.rejects(reading, isExpired);
  });
});

/** Makes every list that was begun one that cannot be continued. */
async function outdate(hub: TestHub): Promise<void> {
  const key = { namespace: 'default', name: 'map-0' };
  const labels = { at: `${(await hub.client.get(ConfigMaps, key)).metadata.resourceVersion}` };
  await hub.client.patch(ConfigMaps, key, { type: 'merge', body: { metadata: { labels } } });
  await hub.server.compact();
}
