import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { routeClusters } from '../route-clusters.ts';
import { CA, EKS } from '../testing/fixtures.ts';
import {
  noneIn,
  offering,
  printsToken,
  profiled,
  routeIn,
  routingIn,
  testHome,
} from '../testing/routing.ts';

test('MC-15 the order of the provider file decides, not that of the profile', async () => {
  using home = testHome();
  const execConfig = { apiVersion: 'client.authentication.k8s.io/v1', command: 'login' };
  home.file('.kube/clusterprofile-providers.json', {
    providers: [
      { name: 'b', execConfig: { ...execConfig, args: ['b'] } },
      { name: 'a', execConfig: { ...execConfig, args: ['a'] } },
    ],
  });
  const offers = [offering('https://a', { name: 'a' }), offering('https://b', { name: 'b' })];
  const [routing, none] = await routeClusters(
    [profiled('x', { offers }), profiled('y', { offers: [offering('https://z', { name: 'z' })] })],
    routingIn(home),
  );

  const route = routeIn(routing);
  assert.deepEqual(
    [route.kind, route.source, route.server],
    ['provider', 'provider b', 'https://b'],
  );
  assert.equal(noneIn(none).status, 'skipped');
});

test('MC-14 what a profile offers only by the deprecated field is as good', async () => {
  using home = testHome();
  home.file('.kube/clusterprofile-providers.json', {
    providers: [
      {
        name: 'old',
        execConfig: { apiVersion: 'client.authentication.k8s.io/v1', command: 'login' },
      },
    ],
  });
  const { readOffers } = await import('../../inventory/read-offers.ts');
  const cluster = (server: string) => ({ name: 'old', cluster: { server } });
  const [deprecated, both] = await routeClusters(
    [
      profiled('a', { offers: readOffers({ credentialProviders: [cluster('https://old')] }) }),
      profiled('b', {
        offers: readOffers({
          accessProviders: [cluster('https://new')],
          credentialProviders: [cluster('https://old')],
        }),
      }),
    ],
    routingIn(home),
  );

  assert.equal(routeIn(deprecated).server, 'https://old');
  assert.equal(routeIn(both).server, 'https://new');
});

test('MC-17 the EKS command of a profile is a route without asking', async () => {
  using home = testHome();
  home.script('bin/aws', printsToken('eks'));
  const offers = [offering('https://m', { ca: CA })];
  const deps = routingIn(home);
  const [routing, again] = await routeClusters(
    [
      profiled('a', { offers, properties: EKS }),
      profiled('b', { offers: [offering('https://n')], properties: EKS }),
    ],
    deps,
  );

  const route = routeIn(routing);
  assert.equal(existsSync(home.callsFile), false);
  assert.deepEqual(
    [route.kind, route.source, route.command],
    ['properties', 'properties (aws)', 'aws'],
  );
  const { credential } = await routeIn(again).open();
  assert.deepEqual(await credential.present(), { authorization: 'Bearer eks' });
  await credential.present();
  assert.equal(readFileSync(home.callsFile, 'utf8'), 'aws eks get-token --cluster-name prod\n');
});

test('a profile without a server, or with one nobody should talk to, is no access', async () => {
  using home = testHome();
  const properties = EKS;
  const routings = await routeClusters(
    [
      profiled('none', { properties }),
      profiled('http', { properties, offers: [offering('http://m.example')] }),
      profiled('loopback', { properties, offers: [offering('http://127.0.0.1:8080')] }),
      profiled('user', { properties, offers: [offering('https://me:pw@m.example')] }),
      profiled('odd', { properties, offers: [offering('file:///etc/passwd')] }),
      profiled('not', { properties, offers: [offering('m.example')] }),
      profiled('insecure', {
        properties,
        offers: [offering('https://m.example', { insecure: true })],
      }),
    ],
    routingIn(home),
  );

  assert.deepEqual(
    routings.map((routing) => noneIn(routing).status),
    Array.from({ length: 7 }, () => 'noaccess'),
  );
  assert.match(noneIn(routings[1]).message, /"http:\/\/m\.example"; without https anyone/);
  assert.match(noneIn(routings[2]).message, /access\.allowInsecureProfiles/);
  assert.doesNotMatch(noneIn(routings[3]).message, /pw/);
});

test("a profile's word on skipping TLS counts only with the user's own setting", async () => {
  using home = testHome();
  const offers = [offering('https://m', { ca: CA, insecure: true })];
  const clusters = [
    profiled('a', { offers, properties: EKS }),
    profiled('b', { offers: [offering('http://localhost:1')], properties: EKS }),
  ];
  const [strict] = await routeClusters(clusters, routingIn(home));
  const [lax, plain] = await routeClusters(
    clusters,
    routingIn(home, { access: { allowInsecureProfiles: true } }),
  );

  // The bundle is no certificate at all: that it was looked at shows that it counts.
  await assert.rejects(routeIn(strict).open(), {
    message: /certificate authority that its profile gives/,
  });
  assert.deepEqual((await routeIn(lax).open()).tls, { insecure: true });
  const access = await routeIn(plain).open();
  assert.deepEqual(await access.credential.present(), {});
  assert.equal(routeIn(plain).isAnonymous, true);
});
