import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type Client, ConfigMaps } from '@flotilla/client';
import { configMap, take } from './fixtures.ts';
import type { CasesPlace } from './place.ts';

/** Many objects at once, in every form. */
export function listCases(place: CasesPlace): void {
  describe('lists', () => {
    let client: Client;
    before(() => {
      client = place.client();
    });

    test('come in pages of one revision and as one list', async () => {
      const namespace = await place.freshMaps(7);
      const fieldSelector = 'metadata.name!=kube-root-ca.crt';
      const options = { namespace, fieldSelector };

      const pages: number[] = [];
      const revisions = new Set<string | undefined>();
      for await (const page of client.pages(ConfigMaps, { ...options, pageSize: 3 })) {
        pages.push(page.items.length);
        revisions.add(page.metadata.resourceVersion);
      }
      assert.deepEqual(pages, [3, 3, 1]);
      assert.equal(revisions.size, 1);
      const whole = await client.list(ConfigMaps, { ...options, pageSize: 3 });
      assert.equal(whole.items.length, 7);
      assert.equal(whole.metadata.continue, undefined);
      assert.deepEqual(whole.items, (await client.list(ConfigMaps, options)).items);
    });

    test('say of each item what it is, and select by label and field', async () => {
      const namespace = await place.freshMaps(3);
      await client.patch(
        ConfigMaps,
        { namespace, name: 'm1' },
        { type: 'merge', body: { metadata: { labels: { pick: 'me' } } } },
      );

      const { items } = await client.list(ConfigMaps, { namespace, labelSelector: 'pick=me' });
      assert.deepEqual(
        items.map(({ apiVersion, kind, metadata }) => [apiVersion, kind, metadata.name]),
        [['v1', 'ConfigMap', 'm1']],
      );
      const everywhere = await client.list(ConfigMaps, { fieldSelector: 'metadata.name=m2' });
      assert.ok(everywhere.items.some(({ metadata }) => metadata.namespace === namespace));
    });

    test('of metadata alone carry nothing else', async () => {
      const namespace = await place.freshNamespace();
      await client.create(ConfigMaps, configMap(namespace, 'one', { big: 'x'.repeat(1_000) }));
      const metadataOnly = true;
      const key = { namespace, name: 'one' };

      const got = await client.get(ConfigMaps, key, { metadataOnly });
      const list = await client.list(ConfigMaps, {
        namespace,
        metadataOnly,
        fieldSelector: 'metadata.name=one',
      });
      const events = client.watch(ConfigMaps, {
        namespace,
        metadataOnly,
        fieldSelector: 'metadata.name=one',
        resourceVersion: '0',
      });
      const [event] = await take(events, 1);

      const full = await client.get(ConfigMaps, key);
      const wanted = { apiVersion: 'v1', kind: 'ConfigMap', metadata: full.metadata };
      assert.deepEqual(got, wanted);
      assert.deepEqual(list.items, [wanted]);
      assert.deepEqual(event?.object, wanted);
      assert.match(list.metadata.resourceVersion ?? '', /^\d+$/);
    });

    test('as tables carry as much of their objects as was asked for', async () => {
      const namespace = await place.freshMaps(3);
      const fieldSelector = 'metadata.name!=kube-root-ca.crt';
      const options = { namespace, fieldSelector, pageSize: 2 };

      const bare = await client.table(ConfigMaps, { ...options, includeObject: 'None' });
      assert.deepEqual(
        bare.columnDefinitions.map(({ name }) => name),
        ['Name', 'Data', 'Age'],
      );
      assert.deepEqual(
        bare.rows.map(({ cells, object }) => [cells[0], cells[1], object ?? null]),
        [
          ['m0', 0, null],
          ['m1', 0, null],
          ['m2', 0, null],
        ],
      );
      assert.equal(bare.isFromServer, true);
      const partial = await client.table(ConfigMaps, options);
      assert.equal(partial.rows[0]?.object?.kind, 'PartialObjectMetadata');
      assert.equal(partial.rows[0]?.object?.metadata.name, 'm0');
      const full = await client.table(ConfigMaps, { ...options, includeObject: 'Object' });
      assert.equal(full.rows[2]?.object?.kind, 'ConfigMap');
      const one = await client.table(ConfigMaps, { namespace, name: 'm1' });
      assert.deepEqual(
        one.rows.map(({ cells }) => cells[0]),
        ['m1'],
      );
      const [event] = await take(
        client.watchTable(ConfigMaps, { ...options, resourceVersion: '0' }),
        1,
      );
      assert.equal(event?.type, 'ADDED');
      assert.equal(event.table.rows.length, 1);
    });
  });
}
