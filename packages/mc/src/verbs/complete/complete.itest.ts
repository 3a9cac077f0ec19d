import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ClusterProfiles } from '@flotilla/api';
import { ConfigMaps, CustomResourceDefinitions } from '@flotilla/client';
import { parseYaml, systemClock, toYaml } from '@flotilla/machinery';
import { ManualClock } from '@flotilla/machinery/testing';
import { eventually } from '@flotilla/testkit';
import { refusalAnswer } from '../../testing/fleet-server.ts';
import { healthyStatus, offerOf, profileOf, storeProfiles } from '../../testing/profiles.ts';
import { type RunMcOptions, runMc, startMc } from '../../testing/run-mc.ts';
import { startFleet, type TestFleet } from '../../testing/start-fleet.ts';

/** The values that are offered, and the directive; nothing else may be printed. */
async function completed(
  fleet: Pick<TestFleet, 'homeFolder'>,
  words: readonly string[],
  options: RunMcOptions = {},
) {
  const { code, stdout, stderr } = await runMc(['__complete', '--', ...words], {
    homeFolder: fleet.homeFolder,
    terminal: true,
    ...options,
  });
  assert.deepEqual([code, stderr], [0, '']);
  const lines = stdout.trimEnd().split('\n');
  const directive = lines.pop();
  assert.match(directive ?? '', /^:\d+$/);
  const values = lines.map((line) => line.split('\t')[0] ?? '');
  return { lines, values, directive };
}

const configMap = (name: string, namespace = 'default') => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
});

test('MC-78 verbs, types and clusters are completed from what is kept, without a request', async () => {
  await using fleet = await startFleet({ members: ['prod-1', 'prod-2', 'test-1'] });
  await completed(fleet, ['get', '']);
  fleet.forgetRequests();

  const verbs = await completed(fleet, ['']);
  assert.ok(verbs.lines.includes('get\tDisplay one or many resources of every cluster'));
  assert.ok(verbs.values.includes('setup') && verbs.values.includes('config'));
  assert.ok(!verbs.values.some((value) => value.startsWith('_')));
  assert.equal(verbs.directive, ':4');

  const types = await completed(fleet, ['get', 'po']);
  assert.ok(types.lines.includes('pods\tPod'));
  assert.ok(types.values.every((value) => value.startsWith('po')));
  assert.equal(types.directive, ':4');

  assert.deepEqual(await completed(fleet, ['get', 'pods', '--clusters=pr']), {
    lines: ['prod-1\tv1.34.4 healthy', 'prod-2\tv1.34.4 healthy'],
    values: ['prod-1', 'prod-2'],
    directive: ':4',
  });
  assert.equal(fleet.hub.requests.length, 0);
  assert.equal(fleet.members.flatMap(({ requests }) => requests).length, 0);
});

test('types are those of all clusters together, with where they are not', async () => {
  await using fleet = await startFleet({ members: 2 });
  await fleet.member('c2').client.create(CustomResourceDefinitions, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets', singular: 'widget' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object' } },
        },
      ],
    },
  } as never);
  await eventually(
    () =>
      fleet
        .member('c2')
        .client.raw({ path: '/apis/example.com/v1' })
        .then(
          () => true,
          () => false,
        ),
    (isServed) => isServed,
  );

  const { lines } = await completed(fleet, ['get', 'w']);
  assert.deepEqual(lines, ['widgets\tWidget of example.com, in 1 of 2 clusters']);
  const list = await completed(fleet, ['get', 'pods,deploym']);
  assert.deepEqual(list.values, ['pods,deployments']);
  const rollout = await completed(fleet, ['scale', '']);
  assert.ok(!rollout.values.includes('pods'));
});

test('names come from all clusters that are meant, and are kept for half a minute', async () => {
  await using fleet = await startFleet({ members: 2 });
  const [c1, c2] = fleet.members;
  await c1?.client.create(ConfigMaps, configMap('both'));
  await c2?.client.create(ConfigMaps, configMap('both'));
  await c2?.client.create(ConfigMaps, configMap('blue'));
  await c2?.client.create(ConfigMaps, configMap('other', 'kube-system'));
  fleet.forgetRequests();
  const clock = new ManualClock(systemClock.now());

  const { lines, directive } = await completed(fleet, ['get', 'cm', 'b'], { clock });
  assert.deepEqual([lines, directive], [['blue\tc2', 'both\tall 2 clusters'], ':4']);
  const [asked] = c1?.requests ?? [];
  assert.equal(asked?.path, '/api/v1/namespaces/default/configmaps');
  assert.equal(asked?.query.get('includeObject'), 'None');
  fleet.forgetRequests();
  assert.deepEqual((await completed(fleet, ['get', 'cm', 'both', 'b'], { clock })).values, [
    'blue',
  ]);
  assert.equal(fleet.members.flatMap(({ requests }) => requests).length, 0);

  const one = await completed(fleet, ['get', 'cm', '--clusters', 'c1', 'b'], { clock });
  assert.deepEqual(one.lines, ['both']);
  const pair = await completed(fleet, ['describe', 'cm/b', 'cm/b'].slice(1), { clock });
  assert.deepEqual(pair.values, []);
  assert.deepEqual((await completed(fleet, ['get', 'cm/bl'], { clock })).values, ['cm/blue']);
  assert.deepEqual((await completed(fleet, ['get', 'c2:cm/b'], { clock })).values, [
    'c2:cm/blue',
    'c2:cm/both',
  ]);
  assert.deepEqual(
    (await completed(fleet, ['get', 'cm', '-n', 'kube-system', 'o'], { clock })).values,
    ['other'],
  );

  await c1?.client.create(ConfigMaps, configMap('brown'));
  await clock.advance(29_000);
  assert.deepEqual((await completed(fleet, ['get', 'cm', 'br'], { clock })).values, []);
  await clock.advance(1_000);
  assert.deepEqual((await completed(fleet, ['get', 'cm', 'br'], { clock })).values, ['brown']);
  const folder = join(fleet.homeFolder, '.kube/cache/kubectl-mc/completion');
  assert.ok(readdirSync(folder).every((name) => name.endsWith('.json')));
});

test('flags, their values, namespaces, contexts and labels are completed', async () => {
  await using fleet = await startFleet({
    members: 1,
    profiles: ({ name, server }) => [
      profileOf({
        name,
        labels: { env: 'prod', tier: 'web', 'example.com/team': 'a' },
        status: healthyStatus({
          accessProviders: [offerOf('x', server.access)],
          properties: [{ name: 'platform', value: 'AWS' }],
        }),
      }),
    ],
  });
  writeFileSync(
    join(fleet.homeFolder, '.kube/kubectl-mc-config.yaml'),
    'groups:\n  prod: [prod-*]\n  play: [x]\n',
  );
  const cases: readonly [string[], string[], string][] = [
    [['get', '--all-n'], ['--all-namespaces'], ':4'],
    [['get', '--color', ''], ['auto', 'always', 'never'], ':4'],
    [['get', '-o', 'js'], ['json', 'jsonpath', 'jsonpath-as-json', 'jsonpath-file'], ':4'],
    [['get', '-o=ya'], ['yaml'], ':4'],
    [['get', '-oya'], ['-oyaml'], ':4'],
    [['get', 'pods', '-n', 'kube-s'], ['kube-system'], ':4'],
    [['get', '--namespace=default,kube-s'], ['default,kube-system'], ':4'],
    [['get', '--context', 'h'], ['hub'], ':4'],
    [['--hub-context=c'], ['c1'], ':4'],
    [['get', '--cluster-selector=e'], ['env', 'example.com/team'], ':6'],
    [['get', '--cluster-selector', 'tier=web,env='], ['tier=web,env=prod'], ':4'],
    [['get', '--property', 'p'], ['platform='], ':6'],
    [['get', '--property', 'platform='], ['platform=AWS'], ':4'],
    [['get', '--group', 'p'], ['prod', 'play'], ':4'],
    [['get', '--manager', ''], ['flotilla'], ':4'],
    [['get', '-f', ''], [], ':0'],
    [['get', '-k', ''], [], ':16'],
    [['get', '-f', 'x.yaml', ''], [], ':4'],
    [['clusters', ''], ['c1'], ':4'],
    [['config', ''], ['set', 'view'], ':4'],
    [['config', 'set', 'hub.n'], ['hub.namespaces'], ':4'],
    [['cache', 'clear', 'inventory', 'c'], ['completion', 'credentials'], ':4'],
    [['completion', ''], ['bash', 'zsh', 'fish'], ':4'],
    [['setup', '--provider', 'a'], ['auto', 'aws', 'azure', 'ali'], ':4'],
    [['help', 'vers'], ['version'], ':4'],
    [['frobnicate', ''], [], ':4'],
    [['get', '--unknown=x', 'pods', '--clusters', 'c'], ['c1'], ':4'],
    [['get', 'pods', '--', ''], [], ':4'],
    [['version', ''], [], ':4'],
  ];
  for (const [words, values, directive] of cases) {
    const found = await completed(fleet, words);
    assert.deepEqual([found.values, found.directive], [values, directive], words.join(' '));
  }
  const first = await completed(fleet, ['get', '--namespace', 'a', '-']);
  assert.ok(first.values.includes('-o') && !first.values.includes('-n,'));
  assert.ok(
    !(await completed(fleet, ['get', '--color', 'auto', '--col'])).values.includes('--color'),
  );
});

test('a file with mistakes, a hub that is away and a wrong flag only leave candidates out', async () => {
  await using fleet = await startFleet({ members: 1 });
  const config = join(fleet.homeFolder, '.kube/kubectl-mc-config.yaml');
  writeFileSync(config, 'nobody: knows\nexecution: {maxConcurrency: many}\n');
  assert.deepEqual((await completed(fleet, ['get', '--clusters', 'c'])).values, ['c1']);
  const env = { KUBECTL_MC_EXECUTION_RETRIES: 'some' };
  assert.ok((await completed(fleet, ['get', 'po'], { env })).values.includes('pods'));
  writeFileSync(fleet.mappingFile, '- no mapping\n');
  assert.deepEqual(await completed(fleet, ['get', '--clusters', 'c']), {
    lines: [],
    values: [],
    directive: ':4',
  });
  writeFileSync(fleet.kubeconfigFile, '{');
  assert.deepEqual((await completed(fleet, ['get', '--context', ''])).values, []);
  assert.ok((await completed(fleet, ['ge'])).values.includes('get'));
  assert.deepEqual((await completed(fleet, ['get', '--inventory=frob', 'p'])).values, []);
});

test('when the budget is spent nobody is waited for', async () => {
  await using fleet = await startFleet({ members: 2 });
  await runMc(['clusters'], fleet);
  fleet.member('c1').answerWith(async () => await new Promise(() => {}));
  const clock = new ManualClock(systemClock.now());

  const run = startMc(['__complete', '--', 'get', 'cm', ''], { ...fleet, clock });
  await eventually(
    () => fleet.member('c1').requests.length,
    (count) => count > 0,
  );
  await clock.advance(1_500);

  const { code, stdout, stderr } = await run.done;
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /:4\n$/);
});

test('a cluster that fails costs only its own names', async () => {
  await using fleet = await startFleet({ members: 2 });
  fleet.member('c1').answerWith(async () => refusalAnswer(403, 'Forbidden', 'no'));
  await fleet.member('c2').client.create(ConfigMaps, configMap('there'));

  assert.deepEqual((await completed(fleet, ['get', 'cm', 't'])).lines, ['there']);
});

test('a hub that does not answer in time leads nowhere', async () => {
  await using fleet = await startFleet({ members: 1 });
  fleet.hub.answerWith(async () => await new Promise(() => {}));
  const clock = new ManualClock(systemClock.now());

  const run = startMc(['__complete', '--', 'get', 'cm', ''], { ...fleet, clock });
  await eventually(
    () => fleet.hub.requests.length,
    (count) => count > 0,
  );
  await clock.advance(1_500);

  assert.deepEqual(await run.done, { code: 0, stdout: ':4\n', stderr: '' });
  assert.equal(fleet.member('c1').requests.length, 0);
});

test('nothing that a shell would expand is ever offered', async () => {
  await using fleet = await startFleet({ members: 1 });
  const file = join(fleet.homeFolder, 'fleet.yaml');
  const names = [
    '$(id)',
    '`id`',
    'a b',
    "a'b",
    '~root',
    'a;b',
    '{a,b}',
    '*',
    '-rf',
    'ok-1',
    'a\tb',
    'a\nb',
    '\u001b[2J',
  ];
  writeFileSync(
    file,
    JSON.stringify(
      names.map((name) => ({ name, context: 'c1', labels: { [name]: '$(id)', ok: name } })),
    ),
  );
  const flag = `--inventory=file:${file}`;

  const clusters = await completed(fleet, ['get', flag, '--clusters', '']);
  assert.deepEqual(clusters.values, ['ok-1']);
  const keys = await completed(fleet, ['get', flag, '--cluster-selector', '']);
  assert.deepEqual(keys.values, ['ok', 'ok-1']);
  const values = await completed(fleet, ['get', flag, '--cluster-selector', 'ok=']);
  assert.deepEqual(values.values, ['ok=-rf', 'ok=ok-1']);
});

test('what profiles say of versions cannot become part of a command', async () => {
  await using fleet = await startFleet({ members: 0, mapping: false });
  const status = healthyStatus({ version: { kubernetes: 'v1$(touch x)`y`\\"\u001b[2J' } });
  await storeProfiles(fleet.hub.client, [profileOf({ name: 'odd', status })]);

  const { lines } = await completed(fleet, ['get', '--clusters', '']);

  assert.deepEqual(lines, ['odd\tv1 (touch x) y 2J healthy']);
});

test('programs that only a profile names do not run, and those of the user may', async () => {
  await using fleet = await startFleet({ members: 1 });
  const bin = join(fleet.homeFolder, 'bin');
  const log = join(fleet.homeFolder, 'ran');
  mkdirSync(bin);
  for (const name of ['theirs', 'mine']) {
    writeFileSync(join(bin, name), `#!/bin/sh\necho ${name} >> '${log}'\nexit 1\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const { server } = fleet.member('c1');
  const status = healthyStatus({
    accessProviders: [offerOf('x', { server: `${server.url}/theirs`, tls: server.access.tls })],
    properties: [{ name: 'auth.exec.command', value: 'theirs' }],
  });
  await storeProfiles(fleet.hub.client, [profileOf({ name: 'far', status })]);
  const kubeconfig = parseYaml(readFileSync(fleet.kubeconfigFile, 'utf8')).value as {
    users: unknown[];
    contexts: { name: string; context: { user: string } }[];
  };
  const apiVersion = 'client.authentication.k8s.io/v1';
  const exec = { apiVersion, command: 'mine', interactiveMode: 'Never' };
  kubeconfig.users.push({ name: 'plugin', user: { exec } });
  for (const { name, context } of kubeconfig.contexts) if (name === 'c1') context.user = 'plugin';
  writeFileSync(fleet.kubeconfigFile, toYaml(kubeconfig));

  const { values } = await completed(fleet, ['get', 'cm', ''], {
    env: { PATH: `${bin}:/usr/bin:/bin` },
    answers: ['y', 'y'],
  });

  assert.deepEqual(values, []);
  const ran = readFileSync(log, 'utf8');
  assert.match(ran, /mine/);
  assert.doesNotMatch(ran, /theirs/);
  assert.equal((await fleet.hub.client.list(ClusterProfiles)).items.length, 2);
});
