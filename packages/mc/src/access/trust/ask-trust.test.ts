import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { routeClusters } from '../route-clusters.ts';
import { CA, EKS, kubeconfig, OTHER_CA } from '../testing/fixtures.ts';
import {
  noneIn,
  offering,
  printsToken,
  profiled,
  routeIn,
  routingIn,
  testHome,
} from '../testing/routing.ts';

test('MC-18 a command that nobody has trusted is not run, and its cluster says so', async () => {
  using home = testHome();
  const offers = [offering('https://m')];
  const deps = routingIn(home);
  const [shell, unknown, fine] = await routeClusters(
    [
      profiled('a', {
        offers,
        properties: { 'auth.exec.command': '/bin/sh', 'auth.exec.args': '-c,id' },
      }),
      profiled('b', {
        offers,
        properties: { 'auth.exec.command': 'my-auth', 'auth.exec.args': '["a b"]' },
      }),
      profiled('c', { offers: [offering('https://c')], properties: EKS }),
    ],
    deps,
  );

  assert.equal(noneIn(shell).status, 'untrusted');
  assert.match(noneIn(shell).message, /wants to run \/bin\/sh -c id, which is never run/);
  assert.deepEqual(noneIn(unknown), {
    status: 'untrusted',
    message: "its profile wants to run my-auth 'a b', which nobody has trusted on this machine",
    hint: `run kubectl mc on a terminal to be asked, or list it under access.allowedCommands in ${deps.paths.config}`,
  });
  assert.equal(routeIn(fine).kind, 'properties');
  assert.deepEqual(deps.questions, []);
});

test('on a terminal each command is asked about once, and what was trusted is remembered', async () => {
  using home = testHome();
  const properties = { 'auth.exec.command': 'my-auth', 'auth.exec.args': 'x' };
  const clusters = ['a', 'b'].map((name) =>
    profiled(name, { offers: [offering(`https://${name}`)], properties }),
  );
  home.script('bin/my-auth', printsToken('t'));
  const asked = routingIn(home, { isTerminal: true, answers: ['y'] });

  const routings = await routeClusters(clusters, asked);
  const later = await routeClusters(clusters, routingIn(home));

  assert.equal(asked.questions.length, 1);
  assert.match(
    asked.questions[0] ?? '',
    /cluster a wants .* log in to https:\/\/a:\n\n {2}my-auth x\n\nmy-auth is .*bin\/my-auth/s,
  );
  for (const routing of [...routings, ...later]) assert.equal(routeIn(routing).kind, 'properties');
});

test('a yes that cannot be written down counts for the run', async () => {
  using home = testHome();
  home.file('file', '');
  const deps = routingIn(home, {
    isTerminal: true,
    answers: ['yes'],
    env: { KUBECTL_MC_TRUST_FILE: join(home.folder, 'file', 'trust.yaml') },
  });
  const properties = { 'auth.exec.command': 'my-auth' };
  const [routing] = await routeClusters(
    [profiled('a', { offers: [offering('https://a')], properties })],
    deps,
  );

  assert.equal(routeIn(routing).kind, 'properties');
  assert.match(deps.warnings.join('\n'), /trust\.yaml.*: you will be asked again$/);
});

for (const [answers, questions] of [
  [['n', ''], 2],
  [['s'], 1],
  [[], 1],
  [['nonsense', 'N'], 2],
] as const) {
  test(`anything but yes is no, and "stop" to all: ${JSON.stringify(answers)}`, async () => {
    using home = testHome();
    const deps = routingIn(home, { isTerminal: true, answers });
    const routings = await routeClusters(
      ['a', 'b'].map((name) =>
        profiled(name, {
          offers: [offering(`https://${name}`)],
          properties: { 'auth.exec.command': 'my-auth', 'auth.exec.args': name },
        }),
      ),
      deps,
    );

    for (const routing of routings) assert.equal(noneIn(routing).status, 'untrusted');
    assert.equal(deps.questions.length, questions);
    assert.equal(existsSync(deps.paths.trust), false);
  });
}

test('where nobody must be asked, nobody is', async () => {
  using home = testHome();
  const deps = routingIn(home, { isTerminal: true, answers: ['y'], mayAsk: false });
  const properties = { 'auth.exec.command': 'my-auth' };
  const [routing] = await routeClusters(
    [profiled('a', { offers: [offering('https://a')], properties })],
    deps,
  );

  assert.equal(noneIn(routing).status, 'untrusted');
  assert.deepEqual(deps.questions, []);
});

test('a context of the same server and authority is a way of its own, before anybody is asked', async () => {
  using home = testHome();
  kubeconfig(home);
  const deps = routingIn(home, { isTerminal: true, answers: ['y'] });
  const properties = { 'auth.exec.command': 'my-auth' };
  const [same, otherCa, otherServer] = await routeClusters(
    [
      profiled('a', { offers: [offering('https://one.example:6443/', { ca: CA })], properties }),
      profiled('b', { offers: [offering('https://two.example:443', { ca: OTHER_CA })] }),
      profiled('c', { offers: [offering('https://three.example', { ca: CA })] }),
    ],
    deps,
  );

  assert.deepEqual([routeIn(same).kind, routeIn(same).context], ['kubeconfig', 'c1']);
  assert.equal(noneIn(otherCa).status, 'skipped');
  assert.deepEqual(noneIn(otherServer), {
    status: 'skipped',
    message: 'nothing says how to reach "c": no mapping, no provider, no matching context',
    hint: 'run kubectl mc setup',
  });
  assert.deepEqual(deps.questions, []);
});
