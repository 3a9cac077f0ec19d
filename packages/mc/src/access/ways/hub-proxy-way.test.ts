import assert from 'node:assert/strict';
import { test } from 'node:test';
import { staticCredential } from '@flotilla/client';
import { routeClusters } from '../route-clusters.ts';
import { CA, OTHER_CA, only } from '../testing/fixtures.ts';
import {
  noneIn,
  offering,
  profiled,
  type RoutingChanges,
  routeIn,
  routingIn,
  testHome,
} from '../testing/routing.ts';

const hub = {
  server: 'https://hub.example/k8s',
  tls: { ca: CA },
  credential: staticCredential({ authorization: 'Bearer mine' }),
  namespace: 'hub-ns',
};

test('through the hub only where the settings say so, as oneself there', async () => {
  using home = testHome();
  const clusters = [profiled('a')];
  const closed = await routeClusters(clusters, routingIn(home, { hub: async () => hub }));
  assert.equal(noneIn(closed[0]).status, 'skipped');

  for (const [hubProxy, path] of [
    ['cluster-gateway', '/apis/cluster.core.oam.dev/v1alpha1/clustergateways/a/proxy'],
    ['karmada', '/apis/cluster.karmada.io/v1alpha1/clusters/a/proxy'],
  ] as const) {
    const [routing] = await routeClusters(
      clusters,
      routingIn(home, {
        access: { hubProxy },
        kubectl: { as: 'me', token: 'typed' },
        hub: async () => hub,
      }),
    );
    const access = await routeIn(routing).open();
    assert.equal(access.server, `https://hub.example/k8s${path}`);
    assert.deepEqual(access.tls, hub.tls);
    assert.deepEqual(access.impersonate, { user: 'me' });
    // A token for members is none of the hub's business.
    assert.deepEqual(await access.credential.present(), { authorization: 'Bearer mine' });
    assert.equal(access.namespace, 'default');
    assert.equal(routeIn(routing).source, `hub proxy (${hubProxy})`);
  }
});

test("OCM's cluster-proxy is reached at the address that the user gives", async () => {
  using home = testHome();
  const cluster = profiled('a', {
    labels: { 'open-cluster-management.io/cluster-name': 'managed-a' },
    offers: [offering('https://svc.ns:9092/a', { name: 'open-cluster-management', ca: OTHER_CA })],
  });
  const route = async (access: RoutingChanges['access']) =>
    (
      await routeClusters(
        [cluster],
        routingIn(home, only(['hub-proxy'], { access: access ?? {}, hub: async () => hub })),
      )
    )[0];

  const unknown = noneIn(await route({ hubProxy: 'cluster-proxy' }));
  assert.equal(unknown.status, 'noaccess');
  assert.match(unknown.hint ?? '', /access\.hubProxyTemplate/);
  const hubProxyTemplate = 'https://proxy.example/{cluster}/';
  const access = await routeIn(await route({ hubProxy: 'cluster-proxy', hubProxyTemplate })).open();
  assert.equal(access.server, 'https://proxy.example/managed-a');
  assert.deepEqual(access.tls, { ca: OTHER_CA });
  for (const wrong of ['http://proxy.example/{cluster}', 'https://proxy.example/']) {
    assert.equal(noneIn(await route({ hubProxyTemplate: wrong })).status, 'noaccess');
  }
  const same = await routeIn(
    await route({ hubProxyTemplate: 'https://hub.example/c/{cluster}' }),
  ).open();
  assert.deepEqual(same.tls, hub.tls);
});
