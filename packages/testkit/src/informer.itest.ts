import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigMaps, CustomResourceDefinitions } from '@flotilla/client';
import { defineKind, isForbidden, isNotFound } from '@flotilla/machinery';
import { eventually } from './eventually.ts';
import { faultProxy } from './fault-proxy/fault-proxy.ts';
import { informerCases } from './informer.cases.ts';
import { startServer } from './start-server.ts';
import { createMap, keyOf, listMaps } from './testing/config-maps.ts';
import { connectClient } from './testing/connect-client.ts';
import { assertHolds, follow } from './testing/followed.ts';
import { followOverRestart } from './testing/over-restart.ts';
import { runInformers } from './testing/run-informers.ts';

informerCases(startServer);

describe('informer', () => {
  test('goes on after the server was away, from where it was', async () => {
    await using server = await startServer();
    await using client = connectClient(server.access);
    await followOverRestart(server, client);
  });

  test('notices a connection that is dead, and what was deleted and forgotten meanwhile', async () => {
    await using server = await startServer();
    await using client = connectClient(server.access);
    await using proxy = await faultProxy(server.access, { seed: 1 });
    await using distant = connectClient(proxy.access, {
      totalMs: 1_000,
      pingAfterMs: 500,
      pingWithinMs: 500,
    });
    await using run = runInformers();
    await createMap(client, 'one');
    await createMap(client, 'two');
    const ends: string[] = [];
    const informer = run.start({ client: distant, idleMs: 1_000 });
    const followed = follow(informer);
    informer.subscribe({
      deleted: ({ metadata }, { isFinalStateUnknown }) =>
        void ends.push(`${metadata.name ?? ''} ${isFinalStateUnknown ? 'unseen' : 'seen'}`),
    });
    await informer.synced();
    await client.delete(ConfigMaps, keyOf('one'));
    await eventually(() => informer.get(keyOf('one')) === undefined);

    while (proxy.strike('half-open') === 'half-open');
    await client.delete(ConfigMaps, keyOf('two'));
    await createMap(client, 'three');
    await server.compact();

    await eventually(async () => assertHolds(followed, await listMaps(client)), passed);
    assert.deepEqual(ends, ['one seen', 'two unseen']);
    assert.ok(proxy.struck['half-open'] > 0);
  });

  test('waits for a right or a kind that comes later', async () => {
    await using server = await startServer();
    await using client = connectClient(server.access);
    await using other = connectClient(server.accessAs('ann'));
    await using run = runInformers();
    const forbidden = run.start({ client: other });
    const unknown = run.start({ client, kind: Widgets });
    await eventually(() => run.reported.some(isForbidden) && run.reported.some(isNotFound));
    assert.equal(forbidden.hasSynced, false);

    await client.create(ClusterRoleBindings, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'ann' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'ann' }],
    });
    await client.create(CustomResourceDefinitions, widgetDefinition());

    await forbidden.synced(AbortSignal.timeout(10_000));
    await unknown.synced(AbortSignal.timeout(10_000));
    assert.deepEqual(unknown.list(), []);
  });

  test('leaves no socket and no timer behind', async () => {
    const before = resources();
    {
      await using server = await startServer();
      await using client = connectClient(server.access);
      await using run = runInformers();
      const informer = run.start({ client, resyncMs: 1_000 });
      await informer.synced();
    }

    // Those of an earlier test may still be closing when this one begins.
    await eventually(() => assert.deepEqual(without(resources(), before), []), passed);
  });
});

const Widgets = defineKind({
  group: 'example.dev',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  namespaced: true,
});
const ClusterRoleBindings = defineKind({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  namespaced: false,
});

function widgetDefinition() {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.dev' },
    spec: {
      group: 'example.dev',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object' } },
        },
      ],
    },
  };
}

/** For checks that say what is wrong by throwing. */
const passed = (): boolean => true;

function without(all: readonly string[], some: readonly string[]): string[] {
  const rest = [...all];
  for (const each of some) {
    const at = rest.indexOf(each);
    if (at >= 0) rest.splice(at, 1);
  }
  return rest;
}

function resources(): string[] {
  return process.getActiveResourcesInfo().filter((name) => /TCP|TLS|Timeout/.test(name));
}
