import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineKind, isNotFound, type KubeObject } from '@flotilla/machinery';
import { eventually } from '@flotilla/testkit';
import { discoverFleet } from '../inventory/discover-fleet.ts';
import { inventoryDeps } from '../testing/inventory-deps.ts';
import { ensureNamespace, installCrd, profileOf, storeProfiles } from '../testing/profiles.ts';
import { startFleet, type TestFleet } from '../testing/start-fleet.ts';
import { chooseClusters } from './choose-clusters.ts';

const kind = defineKind<KubeObject>({
  group: 'multicluster.x-k8s.io',
  version: 'v1alpha1',
  kind: 'PlacementDecision',
  plural: 'placementdecisions',
  namespaced: true,
});

async function installDecisions({ hub }: TestFleet): Promise<void> {
  await installCrd(hub.client, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: 'placementdecisions.multicluster.x-k8s.io',
      annotations: { 'api-approved.kubernetes.io': 'unapproved, for tests' },
    },
    spec: {
      group: kind.group,
      scope: 'Namespaced',
      names: { kind: kind.kind, plural: kind.plural, singular: 'placementdecision' },
      versions: [
        {
          name: kind.version,
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          },
        },
      ],
    },
  });
  await eventually(
    () => hub.client.list(kind),
    () => true,
    { tolerates: isNotFound },
  );
}

async function decide(
  { hub }: TestFleet,
  slice: { name: string; namespace: string; key?: string; index?: number; placement?: string },
  refs: readonly { name: string; namespace?: string }[],
): Promise<void> {
  await ensureNamespace(hub.client, slice.namespace);
  await hub.client.create(kind, {
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'PlacementDecision',
    metadata: {
      name: slice.name,
      namespace: slice.namespace,
      labels: {
        ...(slice.key === undefined ? {} : { 'multicluster.x-k8s.io/decision-key': slice.key }),
        ...(slice.index === undefined
          ? {}
          : { 'multicluster.x-k8s.io/decision-index': String(slice.index) }),
        ...(slice.placement === undefined
          ? {}
          : { 'multicluster.x-k8s.io/placement-key': slice.placement }),
      },
    },
    decisions: refs.map((clusterProfileRef) => ({ clusterProfileRef })),
  } as KubeObject);
}

async function placed(fleet: TestFleet, reference: string) {
  const deps = await inventoryDeps(fleet, ['--placement', reference]);
  const chosen = await chooseClusters(await discoverFleet(deps), deps);
  return { names: chosen.map(({ cluster }) => cluster.name), warnings: deps.warnings };
}

test('MC-13 a placement of two slices means all their clusters in its own order', async () => {
  await using fleet = await startFleet({ members: 0 });
  const names = Array.from({ length: 125 }, (_, at) => `c${String(at).padStart(3, '0')}`);
  await storeProfiles(
    fleet.hub.client,
    names.map((name) => profileOf({ name })),
  );
  await installDecisions(fleet);
  const decided = names.slice(0, 120).reverse();
  const refs = decided.map((name) => ({ name, namespace: 'fleet' }));
  await decide(fleet, { name: 'z', namespace: 'apps', key: 'app-1', index: 0 }, refs.slice(0, 100));
  await decide(fleet, { name: 'a', namespace: 'apps', key: 'app-1', index: 1 }, refs.slice(100));
  await decide(fleet, { name: 'app-1', namespace: 'apps' }, [{ name: 'c124', namespace: 'fleet' }]);
  fleet.forgetRequests();

  assert.deepEqual((await placed(fleet, 'app-1')).names, decided);
  assert.deepEqual(
    fleet.hub.requests.map(({ query }) => query.get('labelSelector')),
    [null, 'multicluster.x-k8s.io/decision-key=app-1'],
  );
  assert.deepEqual((await placed(fleet, 'apps/app-1')).names, decided);
});

test('a placement is also found by its placement key or its name, and refers to its own namespace', async () => {
  await using fleet = await startFleet({ members: 2 });
  await installDecisions(fleet);
  await decide(fleet, { name: 'one', namespace: 'fleet', placement: 'shop' }, [{ name: 'c2' }]);
  await decide(fleet, { name: 'two', namespace: 'other' }, [{ name: 'c1', namespace: 'fleet' }]);
  await decide(fleet, { name: 'two', namespace: 'third' }, [{ name: 'gone' }]);

  assert.deepEqual((await placed(fleet, 'shop')).names, ['c2']);
  assert.deepEqual((await placed(fleet, 'one')).names, ['c2']);
  assert.deepEqual((await placed(fleet, 'other/two')).names, ['c1']);
  await assert.rejects(placed(fleet, 'two'), {
    message: 'placement "two" is ambiguous: it may be other/two, third/two',
  });
  await assert.rejects(placed(fleet, 'third/two'), /No cluster is left/);
  await assert.rejects(placed(fleet, 'nope'), {
    name: 'UsageError',
    message: 'Cannot find placement "nope" on the hub',
  });
});

test('a hub without placements is told apart from one without profiles', async () => {
  await using fleet = await startFleet({ members: 1 });

  await assert.rejects(placed(fleet, 'x'), {
    message: /^the hub has no PlacementDecision API \(multicluster\.x-k8s\.io\/v1alpha1\)/,
  });
});
