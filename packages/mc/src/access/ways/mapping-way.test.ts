import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { routeClusters } from '../route-clusters.ts';
import { CA, EKS, kubeconfig, OTHER_CA } from '../testing/fixtures.ts';
import { noneIn, offering, profiled, routeIn, routingIn, testHome } from '../testing/routing.ts';

test('MC-37 a mapped context is the route, with its namespace', async () => {
  using home = testHome();
  kubeconfig(home);
  const deps = routingIn(home);
  const [one, two, three] = await routeClusters(
    [
      profiled('a', { mapping: { name: 'a', context: 'c1' } }),
      profiled('b', { mapping: { name: 'b', context: 'c2' } }),
      profiled('c', { mapping: { name: 'c', context: 'c2', defaultNamespace: 'mine' } }),
    ],
    deps,
  );

  const { open: _, ...route } = routeIn(two);
  assert.deepEqual(route, {
    kind: 'mapping',
    source: 'context c2',
    server: 'https://two.example',
    context: 'c2',
    command: 'login',
    namespace: 'team-a',
    caSource: `context "c2" of ${join(home.folder, '.kube/config')}`,
    identity: 'https://two.example ',
  });
  assert.equal(routeIn(one).namespace, 'default');
  assert.equal(routeIn(three).namespace, 'mine');
  assert.deepEqual(deps.warnings, [
    `b, c lead to one and the same server; check ${deps.paths.mapping}`,
  ]);
});

test('MC-20 a mapping to a context that is not there names the mapping file and the context', async () => {
  using home = testHome();
  const file = kubeconfig(home);
  const deps = routingIn(home);
  const [routing] = await routeClusters(
    // Its profile would lead somewhere; what the user wrote must not be passed over.
    [
      profiled('a', {
        mapping: { name: 'a', context: 'gone' },
        offers: [offering('https://two.example')],
      }),
    ],
    deps,
  );

  assert.deepEqual(noneIn(routing), {
    status: 'noaccess',
    message: `${deps.paths.mapping} maps "a" to context "gone", which is not in ${file}`,
    hint: `correct the entry in ${deps.paths.mapping}, or run kubectl mc setup`,
  });
});

test('a mapping may name a kubeconfig of its own, read once; without a context it is the current one', async () => {
  using home = testHome();
  kubeconfig(home);
  kubeconfig(home, '.kube/other');
  const [one, two, missing] = await routeClusters(
    [
      profiled('a', { mapping: { name: 'a', kubeconfig: 'other' } }),
      profiled('b', { mapping: { name: 'b', kubeconfig: '~/.kube/other', context: 'c2' } }),
      profiled('c', { mapping: { name: 'c', kubeconfig: 'gone', context: 'c2' } }),
    ],
    routingIn(home),
  );

  assert.equal(routeIn(one).context, 'c1');
  assert.match(routeIn(two).caSource, /\.kube\/other$/);
  assert.match(noneIn(missing).message, /Cannot use the kubeconfig that .* names for "c": .*gone/);
});

test('an entry that names no context says nothing about the way, but its proxy and namespace count', async () => {
  using home = testHome();
  const offers = [offering('https://m')];
  const mapping = { name: 'a', proxyUrl: 'socks5://localhost:1', defaultNamespace: 'mine' };
  const [routing] = await routeClusters(
    [profiled('a', { mapping, offers, properties: EKS })],
    routingIn(home),
  );

  assert.equal(routeIn(routing).kind, 'properties');
  assert.equal(routeIn(routing).namespace, 'mine');
  assert.equal((await routeIn(routing).open()).proxyUrl, 'socks5://localhost:1');
});

test('a context that turns out to be broken is told when it is opened', async () => {
  using home = testHome();
  home.file('.kube/config', {
    clusters: [
      { name: 'k', cluster: { server: 'https://x', 'certificate-authority': '/nowhere/ca' } },
    ],
    contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
    users: [{ name: 'u', user: { token: 't' } }],
  });
  const [routing] = await routeClusters(
    [profiled('a', { mapping: { name: 'a', context: 'c' } })],
    routingIn(home),
  );

  await assert.rejects(routeIn(routing).open(), {
    name: 'AccessError',
    message: /^Cannot use context "c": .*unable to read certificate-authority \/nowhere\/ca/,
  });
});

test('a mapping that pins another server or authority than the context has leads nowhere', async () => {
  using home = testHome();
  kubeconfig(home);
  const mapping = { name: 'a', context: 'c1', server: 'https://moved.example' };
  const caSha256 = '00'.repeat(32);
  const [moved, renewed] = await routeClusters(
    [
      profiled('a', { mapping }),
      profiled('b', { mapping: { name: 'b', context: 'c1', caSha256 } }),
    ],
    routingIn(home),
  );

  assert.match(noneIn(moved).message, /leads to https:\/\/one\.example:6443, but .* pins "a" to/);
  await assert.rejects(routeIn(renewed).open(), { name: 'AccessError' });
});

test('MC-70 where mapping and profile disagree, reads are warned once and the route says so', async () => {
  using home = testHome();
  kubeconfig(home);
  const mapped = (context: string, more = {}) => ({ mapping: { name: 'x', context, ...more } });
  const deps = routingIn(home, { verbosity: 1 });
  const routings = await routeClusters(
    [
      profiled('elsewhere', { ...mapped('c1'), offers: [offering('https://other')] }),
      profiled('other-ca', {
        ...mapped('c2'),
        offers: [offering('https://two.example/', { ca: OTHER_CA })],
      }),
      profiled('pinned', {
        ...mapped('c1', { server: 'https://one.example:6443' }),
        offers: [offering('https://other')],
      }),
      profiled('agrees', {
        ...mapped('c1'),
        offers: [
          offering('https://private'),
          offering('https://ONE.example:6443/', { ca: `x\n${CA}` }),
        ],
      }),
    ],
    deps,
  );

  assert.deepEqual(
    routings.map((routing) => routeIn(routing).mismatch),
    [
      'its profile says https://other, context c1 says https://one.example:6443',
      'its profile and context c2 expect different certificates of https://two.example',
      undefined,
      undefined,
    ],
  );
  assert.equal(
    deps.warnings.filter((text) => text.includes('elsewhere, other-ca differ')).length,
    1,
  );
  assert.equal(deps.notes.length, 2);
});
