import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccessWay } from '../settings/settings.ts';
import { routeClusters } from './route-clusters.ts';
import { CA, EKS, kubeconfig, only } from './testing/fixtures.ts';
import { noneIn, offering, profiled, routeIn, routingIn, testHome } from './testing/routing.ts';

test('MC-81 the kubeconfig of --kubeconfig is the one that counts', async () => {
  using home = testHome();
  const path = kubeconfig(home, 'elsewhere');
  const [routing] = await routeClusters(
    [profiled('a', { mapping: { name: 'a', context: 'c1' } })],
    routingIn(home, { kubectl: { kubeconfig: path } }),
  );

  assert.equal(routeIn(routing).server, 'https://one.example:6443');
});

test("kubectl's credential flags are for members", async () => {
  using home = testHome();
  kubeconfig(home);
  const flags = {
    token: 'typed',
    as: 'me',
    asGroups: ['g'],
    asUid: '7',
    insecureSkipTlsVerify: true,
    tlsServerName: 'other',
    proxyUrl: 'http://proxy:1',
  };
  const offers = [offering('https://m', { ca: CA, proxyUrl: 'http://theirs', serverName: 'x' })];
  const routings = await routeClusters(
    [
      profiled('a', { mapping: { name: 'a', context: 'c2', proxyUrl: 'http://mapped' } }),
      profiled('b', { offers, properties: EKS }),
    ],
    routingIn(home, { kubectl: flags }),
  );

  for (const routing of routings) {
    const route = routeIn(routing);
    const access = await route.open();
    assert.equal(route.command, undefined);
    assert.deepEqual(await access.credential.present(), { authorization: 'Bearer typed' });
    assert.deepEqual(access.impersonate, { user: 'me', groups: ['g'], uid: '7' });
    assert.deepEqual(access.tls, { serverName: 'other', insecure: true });
    assert.equal(access.proxyUrl, 'http://proxy:1');
  }
});

test('contexts that kubectl mc wrote itself do not lead back to it', async () => {
  using home = testHome();
  home.file('.kube/config', {
    clusters: [{ name: 'k', cluster: { server: 'https://m' } }],
    contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
    users: [
      {
        name: 'u',
        user: { exec: { command: 'kubectl-mc', args: ['credential', '--cluster', 'a'] } },
      },
    ],
  });
  const [routing] = await routeClusters(
    [profiled('a', { offers: [offering('https://m')] })],
    routingIn(home),
  );

  assert.equal(noneIn(routing).status, 'skipped');
});

test('an inventory made of contexts is reached by them', async () => {
  using home = testHome();
  kubeconfig(home);
  const plain = {
    aliases: [],
    labels: {},
    properties: {},
    version: '',
    health: 'unknown',
    offers: [],
  } as const;
  const deps = routingIn(home);
  const [one, same, gone] = await routeClusters(
    [
      { ...plain, name: 'c2', context: 'c2' },
      { ...plain, name: 'again', context: 'c2' },
      { ...plain, name: 'x', context: 'x' },
    ],
    deps,
  );

  assert.deepEqual([routeIn(one).kind, routeIn(one).namespace], ['kubeconfig', 'team-a']);
  assert.equal(routeIn(same).context, 'c2');
  assert.equal(noneIn(gone).message, 'context "x" does not exist');
  assert.deepEqual(deps.warnings, []);
});

test('the ways are tried in the order of the settings, and no others', async () => {
  using home = testHome();
  kubeconfig(home);
  const cluster = profiled('a', {
    mapping: { name: 'a', context: 'c2', server: 'https://two.example' },
    offers: [offering('https://one.example:6443', { ca: CA })],
    properties: EKS,
  });
  const kindBy = async (...order: AccessWay[]) => {
    const [routing] = await routeClusters([cluster], routingIn(home, only(order)));
    return routing !== undefined && 'route' in routing ? routing.route.kind : 'none';
  };

  assert.equal(await kindBy('mapping', 'properties'), 'mapping');
  assert.equal(await kindBy('properties', 'mapping'), 'properties');
  assert.equal(await kindBy('kubeconfig-match'), 'kubeconfig');
  assert.equal(await kindBy('provider-file'), 'none');
  assert.equal(await kindBy(), 'none');
});

test('a thousand contexts are routed without reading, hashing or resolving anything of them', async () => {
  using home = testHome();
  const names = Array.from({ length: 1000 }, (_, at) => `c${at}`);
  home.file('.kube/config', {
    clusters: names.map((name) => ({
      name,
      cluster: { server: `https://${name}.example`, 'certificate-authority': `/nowhere/${name}` },
    })),
    users: [{ name: 'u', user: { tokenFile: '/nowhere/token' } }],
    contexts: names.map((name) => ({ name, context: { cluster: name, user: 'u' } })),
  });
  const routings = await routeClusters(
    names.map((name) =>
      profiled(name, {
        mapping: { name, context: name },
        offers: [offering(`https://${name}.example`, { ca: CA })],
      }),
    ),
    routingIn(home),
  );

  assert.equal(routings.filter((routing) => 'route' in routing).length, 1000);
  await assert.rejects(routeIn(routings[7]).open(), { name: 'AccessError' });
});
