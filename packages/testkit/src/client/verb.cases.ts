import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type Client, ConfigMaps, Deployments, ServiceAccounts } from '@flotilla/client';
import { isConflict, isNotFound, StatusError } from '@flotilla/machinery';
import { configMap, deployment, namedWidget, namesIn, take, Widgets } from './fixtures.ts';
import type { CasesPlace } from './place.ts';

/** One more than a double can tell from its neighbour. */
const HUGE = 9_007_199_254_740_993n;

/** What can be done with objects. */
export function verbCases(place: CasesPlace): void {
  describe('verbs', () => {
    let client: Client;
    before(() => {
      client = place.client();
    });

    test('an object is created, read, replaced, patched and deleted', async () => {
      const namespace = await place.freshNamespace();
      const key = { namespace, name: 'one' };

      const created = await client.create(ConfigMaps, configMap(namespace, 'one', { a: '1' }));
      assert.notEqual(created.metadata.uid, undefined);
      const read = await client.get(ConfigMaps, key);
      assert.deepEqual(read, created);
      const replaced = await client.replace(ConfigMaps, { ...read, data: { a: '2' } });
      assert.deepEqual(replaced.data, { a: '2' });
      const merged = await client.patch(ConfigMaps, key, {
        type: 'merge',
        body: { data: { b: '3' } },
      });
      assert.deepEqual(merged.data, { a: '2', b: '3' });
      const edited = await client.patch(ConfigMaps, key, {
        type: 'json',
        body: [{ op: 'remove', path: '/data/a' }],
      });
      assert.deepEqual(edited.data, { b: '3' });
      const relabelled = await client.patch(ConfigMaps, key, {
        type: 'strategic',
        body: { metadata: { labels: { tier: 'x' } } },
      });
      assert.deepEqual(relabelled.metadata.labels, { tier: 'x' });

      const gone = await client.delete(ConfigMaps, key);
      assert.equal(gone['status'], 'Success');
      await assert.rejects(client.get(ConfigMaps, key), isNotFound);
    });

    test('no field is dropped and no integer rounded, whatever the kind', async () => {
      const namespace = await place.freshNamespace();
      const spec = { huge: HUGE, deep: { list: [{ unknown: 'field' }], small: 1.5, none: {} } };
      const widget = { ...namedWidget(namespace, 'huge'), spec };

      const created = await client.create(Widgets, widget);
      assert.deepEqual(created['spec'], spec);
      const read = await client.get(Widgets, { namespace, name: 'huge' });
      assert.deepEqual(read['spec'], spec);
      const { items } = await client.list(Widgets, { namespace });
      assert.deepEqual(items[0]?.['spec'], spec);
      const replaced = await client.replace(Widgets, {
        ...read,
        metadata: { ...read.metadata, labels: { touched: 'yes' } },
      });
      assert.deepEqual(replaced['spec'], spec);
      const [event] = await take(client.watch(Widgets, { namespace, resourceVersion: '0' }), 1);
      assert.deepEqual(event?.object['spec'], spec);
    });

    test('a dry run, a field manager and a precondition are handed on', async () => {
      const namespace = await place.freshNamespace();
      const key = { namespace, name: 'm0' };

      await client.create(ConfigMaps, configMap(namespace, 'm0', { z: '0' }), {
        fieldManager: 'first',
      });
      await client.create(ConfigMaps, configMap(namespace, 'never'), { dryRun: true });
      await assert.rejects(client.get(ConfigMaps, { namespace, name: 'never' }), isNotFound);
      const patched = await client.patch(ConfigMaps, key, {
        type: 'merge',
        body: { data: { a: 'b' } },
        fieldManager: 'cases',
      });
      assert.deepEqual(
        patched.metadata.managedFields?.map((entry) => Object(entry).manager).sort(),
        ['cases', 'first'],
      );
      await assert.rejects(
        client.delete(ConfigMaps, key, { preconditions: { uid: 'another' } }),
        isConflict,
      );
      await client.delete(ConfigMaps, key, { dryRun: true });
      await client.get(ConfigMaps, key);
    });

    test('apply owns fields, tells conflicts by field, and takes over by force', async () => {
      const namespace = await place.freshNamespace();
      const mine = configMap(namespace, 'shared', { a: 'mine' });
      const theirs = configMap(namespace, 'shared', { a: 'theirs' });

      await client.apply(ConfigMaps, mine, { fieldManager: 'me' });
      await assert.rejects(
        client.apply(ConfigMaps, theirs, { fieldManager: 'they' }),
        (error: unknown) => {
          assert.ok(error instanceof StatusError && isConflict(error));
          assert.deepEqual(
            error.details?.causes?.map(({ reason, field }) => ({ reason, field })),
            [{ reason: 'FieldManagerConflict', field: '.data.a' }],
          );
          return true;
        },
      );
      const taken = await client.apply(ConfigMaps, theirs, { fieldManager: 'they', force: true });
      assert.deepEqual(taken.data, { a: 'theirs' });
    });

    test('subresources are read and written beside their object', async () => {
      const namespace = await place.freshNamespace();
      const key = { namespace, name: 'web' };
      await client.create(Deployments, deployment(namespace, 'web'));

      const scale = await client.get(Deployments, key, { subresource: 'scale' });
      assert.equal(scale.kind, 'Scale');
      const grown = await client.replace(
        Deployments,
        { ...scale, spec: { replicas: 3 } },
        { subresource: 'scale' },
      );
      assert.equal(grown.spec?.replicas, 3);
      const status = await client.patch(Deployments, key, {
        type: 'merge',
        body: { spec: { replicas: 9 }, status: { replicas: 2 } },
        subresource: 'status',
      });
      assert.deepEqual([status.spec?.replicas, status.status?.replicas], [3, 2]);

      await client.create(ServiceAccounts, {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { namespace, name: 'robot' },
      });
      const token = await client.create(
        ServiceAccounts,
        {
          apiVersion: 'authentication.k8s.io/v1',
          kind: 'TokenRequest',
          metadata: { namespace, name: 'robot' },
          spec: { expirationSeconds: 3600 },
        },
        { subresource: 'token' },
      );
      assert.match(String(Object(token['status']).token), /^ey/);
    });

    test('a collection is deleted by selector', async () => {
      const namespace = await place.freshMaps(2);
      await client.create(ConfigMaps, {
        ...configMap(namespace, 'kept'),
        metadata: { namespace, name: 'kept', labels: { keep: 'yes' } },
      });

      await client.deleteCollection(ConfigMaps, { namespace, labelSelector: '!keep' });

      const names = await namesIn(client, namespace);
      assert.deepEqual(
        names.filter((name) => name !== 'kube-root-ca.crt'),
        ['kept'],
      );
    });

    test('any path can be asked', async () => {
      assert.equal(Object(await client.raw({ path: '/version' })).major, '1');
      assert.equal(await client.raw({ path: '/healthz' }), 'ok');
    });

    test('an object that has no name or namespace never becomes a collection', async () => {
      await assert.rejects(client.delete(ConfigMaps, { namespace: 'x', name: '' }), TypeError);
      await assert.rejects(client.delete(ConfigMaps, { name: 'x' }), TypeError);
      await assert.rejects(client.get(ConfigMaps, { namespace: 'x', name: '..' }), TypeError);
      await assert.rejects(client.create(ConfigMaps, configMap('', 'x')), TypeError);
    });
  });
}
