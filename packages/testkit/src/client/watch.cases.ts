import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type Client, type ConfigMap, ConfigMaps, type WatchEvent } from '@flotilla/client';
import { isExpired } from '@flotilla/machinery';
import { configMap, take, Widgets } from './fixtures.ts';
import type { CasesPlace } from './place.ts';

/** Changes as they happen. */
export function watchCases(place: CasesPlace, forgetsEarly: boolean): void {
  describe('watches', () => {
    let client: Client;
    before(() => {
      client = place.client();
    });

    test('tell what happens, in order, from a revision on', async () => {
      const namespace = await place.freshMaps(1);
      const { metadata } = await client.list(ConfigMaps, { namespace });
      const { resourceVersion = '' } = metadata;
      const key = { namespace, name: 'late' };
      const fieldSelector = 'metadata.name=late';

      const watched = take(
        client.watch(ConfigMaps, { namespace, fieldSelector, resourceVersion }),
        3,
      );
      await client.create(ConfigMaps, configMap(namespace, 'late'));
      await client.patch(ConfigMaps, key, { type: 'merge', body: { data: { a: 'b' } } });
      await client.delete(ConfigMaps, key);

      assert.deepEqual(
        (await watched).map(({ type, object }) => [type, object.metadata.name, object.data]),
        [
          ['ADDED', 'late', undefined],
          ['MODIFIED', 'late', { a: 'b' }],
          ['DELETED', 'late', { a: 'b' }],
        ],
      );
    });

    test('begin with what there is when asked to, and mark its end', async () => {
      const namespace = await place.freshMaps(2);

      const events: WatchEvent<ConfigMap>[] = [];
      for await (const event of client.watch(ConfigMaps, {
        namespace,
        fieldSelector: 'metadata.name!=kube-root-ca.crt',
        sendInitialEvents: true,
        resourceVersionMatch: 'NotOlderThan',
      })) {
        events.push(event);
        if (event.type === 'BOOKMARK') break;
      }

      assert.deepEqual(
        events.map(({ type }) => type),
        ['ADDED', 'ADDED', 'BOOKMARK'],
      );
      const bookmark = events.at(-1)?.object.metadata;
      assert.deepEqual(bookmark?.annotations, { 'k8s.io/initial-events-end': 'true' });
      assert.match(bookmark?.resourceVersion ?? '', /^\d+$/);
    });

    if (forgetsEarly) {
      test('from a revision that is gone end with 410', async () => {
        const events = client.watch(Widgets, { resourceVersion: '1', timeoutSeconds: 5 });

        await assert.rejects(take(events, 1_000), isExpired);
      });
    }

    test('end when the server ends them, and when they are given up', async () => {
      const namespace = await place.freshMaps(1);

      await take(client.watch(ConfigMaps, { namespace, timeoutSeconds: 1 }), 1_000);
      const abort = new AbortController();
      const given = take(client.watch(ConfigMaps, { namespace, signal: abort.signal }), 1_000);
      await take(client.watch(ConfigMaps, { namespace }), 1);
      abort.abort();

      await assert.rejects(given);
    });
  });
}
