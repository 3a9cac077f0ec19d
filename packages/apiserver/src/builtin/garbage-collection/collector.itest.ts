import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '../../authn/manual-clock.ts';
import { startInMemory } from '../../testing/start-in-memory.ts';
import { list, MAPS, make, names } from './config-maps.cases.ts';

const MERGE = { 'content-type': 'application/merge-patch+json' };

describe('owners out of place', () => {
  test('an owner in another namespace counts as absent, and an event says so', async () => {
    await using server = await startInMemory();
    await server.send('POST /api/v1/namespaces', { body: { metadata: { name: 'team' } } });
    const owner = await make(server, 'owner');
    await make(server, 'astray', { owners: [owner], namespace: 'team' });
    await server.api.settled();

    assert.deepEqual(await names(server, 'team'), []);
    assert.deepEqual(await names(server), ['owner']);
    const [event] = await list(server, '/api/v1/namespaces/team/events');
    assert.equal(event.reason, 'OwnerRefInvalidNamespace');
    assert.equal(event.type, 'Warning');
    assert.equal(
      event.message,
      `ownerRef [v1/ConfigMap, namespace: team, name: owner, uid: ${owner.uid}] does not exist in namespace "team"`,
    );
    assert.equal(event.source.component, 'garbage-collector-controller');
  });

  test('a cluster-wide object with a namespaced owner is never collected', async () => {
    await using server = await startInMemory();
    const owner = await make(server, 'owner');
    const made = await server.send('POST /apis/rbac.authorization.k8s.io/v1/clusterroles', {
      body: { metadata: { name: 'wide', ownerReferences: [owner] }, rules: [] },
    });
    assert.equal(made.status, 201, made.text());
    await server.api.settled();
    await server.send(`DELETE ${MAPS}/owner`);
    await server.api.settled();

    const wide = await server.send('GET /apis/rbac.authorization.k8s.io/v1/clusterroles/wide');
    assert.equal(wide.status, 200);
    const [event] = await list(server, '/api/v1/namespaces/default/events');
    assert.equal(event.reason, 'OwnerRefInvalidNamespace');
  });

  test('a cluster-wide owner may own what is in namespaces', async () => {
    await using server = await startInMemory();
    const made = await server.send('POST /apis/rbac.authorization.k8s.io/v1/clusterroles', {
      body: { metadata: { name: 'wide' }, rules: [] },
    });
    const owner = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      name: 'wide',
      uid: made.json().metadata.uid,
    };
    await make(server, 'dependent', { owners: [owner] });
    await server.api.settled();
    assert.deepEqual(await names(server), ['dependent']);

    await server.send('DELETE /apis/rbac.authorization.k8s.io/v1/clusterroles/wide');
    await server.api.settled();

    assert.deepEqual(await names(server), []);
  });
});

describe('the collector', () => {
  test('leaves everything to a kube-controller-manager while one leads, and goes on where it stopped', async () => {
    const clock = new ManualClock('2026-01-01T00:00:00Z');
    await using server = await startInMemory({ clock });
    const owner = await make(server, 'owner');
    await make(server, 'dependent', { owners: [owner] });
    await server.send('POST /apis/coordination.k8s.io/v1/namespaces/kube-system/leases', {
      body: {
        metadata: { name: 'kube-controller-manager' },
        spec: {
          holderIdentity: 'node-1_1',
          leaseDurationSeconds: 15,
          renewTime: '2026-01-01T00:00:00.000000Z',
        },
      },
    });
    await server.api.settled();
    await server.send(`DELETE ${MAPS}/owner`);
    await server.api.settled();
    assert.deepEqual(await names(server), ['dependent']);

    clock.advance(15_001);
    await server.api.settled();

    assert.deepEqual(await names(server), []);
  });

  test('finds what happened while it did not run', async () => {
    await using first = await startInMemory({ disabledControllers: ['garbage-collector'] });
    const owner = await make(first, 'owner');
    const waiting = await make(first, 'waiting');
    await make(first, 'lost', { owners: [owner] });
    await make(first, 'of-waiting', { owners: [{ ...waiting, blockOwnerDeletion: true }] });
    const kept = await make(first, 'kept');
    await make(first, 'of-kept', { owners: [kept] });
    await first.send(`DELETE ${MAPS}/owner`);
    await first.send(`DELETE ${MAPS}/waiting?propagationPolicy=Foreground`);
    await first.api.settled();
    assert.deepEqual(await names(first), ['kept', 'lost', 'of-kept', 'of-waiting', 'waiting']);

    await using second = await startInMemory({ store: first.store });
    await second.api.settled();

    assert.deepEqual(await names(second), ['kept', 'of-kept']);
    await second.send(`DELETE ${MAPS}/kept`);
    await second.api.settled();
    assert.deepEqual(await names(second), []);
  });

  test('CP-56 a namespace with owners and finalizers in it terminates', async () => {
    await using server = await startInMemory();
    await server.send('POST /api/v1/namespaces', { body: { metadata: { name: 'team' } } });
    await server.api.settled();
    const owner = await make(server, 'owner', { namespace: 'team' });
    for (let start = 0; start < 1_000; start += 250) {
      await Promise.all(
        Array.from({ length: 250 }, (_, index) =>
          make(server, `m-${start + index}`, { namespace: 'team', owners: [owner] }),
        ),
      );
    }
    await make(server, 'held', { namespace: 'team', finalizers: ['example.com/hold'] });

    await server.send('DELETE /api/v1/namespaces/team');
    await server.api.settled();

    const { status } = (await server.send('GET /api/v1/namespaces/team')).json();
    assert.equal(status.phase, 'Terminating');
    const texts = Object.fromEntries(
      status.conditions.map((each: Record<string, string>) => [
        each['type'],
        [each['status'], each['reason'], each['message']],
      ]),
    );
    assert.deepEqual(texts, {
      NamespaceDeletionDiscoveryFailure: [
        'False',
        'ResourcesDiscovered',
        'All resources successfully discovered',
      ],
      NamespaceDeletionGroupVersionParsingFailure: [
        'False',
        'ParsedGroupVersions',
        'All legacy kube types successfully parsed',
      ],
      NamespaceDeletionContentFailure: [
        'False',
        'ContentDeleted',
        'All content successfully deleted, may be waiting on finalization',
      ],
      NamespaceContentRemaining: [
        'True',
        'SomeResourcesRemain',
        'Some resources are remaining: configmaps. has 1 resource instances',
      ],
      NamespaceFinalizersRemaining: [
        'True',
        'SomeFinalizersRemain',
        'Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances',
      ],
    });

    await server.send('PATCH /api/v1/namespaces/team/configmaps/held', {
      body: { metadata: { finalizers: null } },
      headers: MERGE,
    });
    await server.api.settled();

    assert.equal((await server.send('GET /api/v1/namespaces/team')).status, 404);
  });
});
