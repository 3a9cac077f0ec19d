import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parseYaml, StatusError } from '@flotilla/machinery';
import { ManualClock } from '@flotilla/machinery/testing';
import { eventually } from '@flotilla/testkit';
import { jsonAnswer, refusalAnswer } from '../../testing/fleet-server.ts';
import { healthyStatus, offerOf, profileOf, storeProfiles } from '../../testing/profiles.ts';
import { runMc, startMc } from '../../testing/run-mc.ts';
import { startFleet, type TestFleet } from '../../testing/start-fleet.ts';
import type { Verb } from '../../verb.ts';

const memberRequests = ({ members }: TestFleet) => members.map(({ requests }) => requests.length);

describe('kubectl mc clusters', () => {
  test('shows the inventory and how each cluster is reached, with one list on the hub', async () => {
    await using fleet = await startFleet({ members: 2 });
    await storeProfiles(fleet.hub.client, [
      profileOf({
        name: 'lost',
        namespace: 'other',
        manager: 'ocm',
        status: { conditions: [] },
      }),
    ]);
    const { stdout, stderr, code } = await runMc(['clusters'], fleet);

    assert.equal(
      stdout,
      [
        'NAME   NAMESPACE   MANAGER    VERSION   HEALTHY   ACCESS    CONTEXT',
        'c1     fleet       flotilla   v1.34.4   True      context   c1',
        'c2     fleet       flotilla   v1.34.4   True      context   c2',
        'lost   other       ocm        <none>    Unknown   none      <none>',
        '',
      ].join('\n'),
    );
    assert.equal(stderr, '');
    assert.equal(code, 0);
    assert.equal(fleet.hub.requests.length, 1);
    assert.deepEqual(memberRequests(fleet), [0, 0]);
  });

  test('is also cluster list, takes patterns, and can be read by programs', async () => {
    await using fleet = await startFleet({ members: 3 });
    const out = async (...argv: string[]) =>
      (await runMc(['cluster', 'list', ...argv], fleet)).stdout;

    assert.equal(await out('-o', 'name', 'c[12]'), 'c1\nc2\n');
    assert.equal(
      await out('--clusters', 'c3', '--no-headers'),
      'c3    fleet   flotilla   v1.34.4   True   context   c3\n',
    );
    assert.match(
      await out('-o', 'wide', 'c1'),
      /CONTEXT +SERVER +CLUSTERSET +DISPLAY NAME\n.* c1 +https:\/\/127\.0\.0\.1:\d+ +<none> +<none>\n$/,
    );
    interface Listed {
      clusters: { name: string; health: string; access: Record<string, string>; check?: object }[];
    }
    const list = JSON.parse(await out('-o', 'json', 'c1')) as Listed;
    assert.deepEqual(
      list.clusters.map(({ name, health, access, check }) => [name, health, access, check]),
      [
        [
          'c1',
          'healthy',
          {
            kind: 'context',
            source: 'context c1',
            server: fleet.member('c1').server.url,
            context: 'c1',
          },
          undefined,
        ],
      ],
    );
    assert.deepEqual(parseYaml(await out('-o', 'yaml', 'c1')).value, list);
  });

  test('-o name looks for no ways to clusters, so that nothing about them is told', async () => {
    await using fleet = await startFleet({ members: 2 });
    const text = readFileSync(fleet.mappingFile, 'utf8');
    writeFileSync(fleet.mappingFile, text.replaceAll('context: c2', 'context: c1'));

    assert.match((await runMc(['clusters'], fleet)).stderr, /lead to one and the same server/);
    assert.deepEqual(await runMc(['clusters', '-o', 'name'], fleet), {
      stdout: 'c1\nc2\n',
      stderr: '',
      code: 0,
    });
  });

  test('--check asks every cluster, shows how long it took, and tells failures', async () => {
    await using fleet = await startFleet({ members: 3 });
    await fleet.member('c2').server.stop();
    const { stdout, stderr, code } = await runMc(['clusters', '--check'], fleet);

    assert.match(stdout, /^NAME +NAMESPACE +MANAGER +VERSION +HEALTHY +ACCESS +CONTEXT +LATENCY\n/);
    assert.match(stdout, /^c1 .* c1 +\d+ms$/m);
    assert.match(stdout, /^c2 .* v1\.34\.4 +True +context +c2 +unreachable$/m);
    assert.match(stderr, /Failed to query 1\/3 clusters/);
    assert.equal(code, 3);
    assert.deepEqual(memberRequests(fleet), [1, 0, 1]);
    const { stdout: json } = await runMc(['clusters', '--check', '-o', 'json'], fleet);
    assert.deepEqual(
      (JSON.parse(json) as { clusters: { check: { status: string } }[] }).clusters.map(
        ({ check }) => check.status,
      ),
      ['ok', 'unreachable', 'ok'],
    );
  });

  test('MC-2 shows and asks a cluster with profiles in two namespaces once', async () => {
    await using fleet = await startFleet({
      members: 1,
      profiles: ({ name, server }) =>
        ['blue', 'green'].map((namespace) =>
          profileOf({
            name,
            namespace,
            manager: 'open-cluster-management',
            labels: { 'open-cluster-management.io/cluster-name': name },
            status: healthyStatus({ accessProviders: [offerOf('x', server.access)] }),
          }),
        ),
    });
    const { stdout, code } = await runMc(['clusters', '--check', '-o', 'name'], fleet);

    assert.equal(stdout, 'c1\n');
    assert.equal(code, 0);
    assert.deepEqual(memberRequests(fleet), [1]);
    assert.equal((await runMc(['clusters', 'green/c1', '-o', 'name'], fleet)).stdout, 'c1\n');
  });

  test('MC-3 shows two clusters of one name by their namespaces, and the bare name is ambiguous', async () => {
    await using fleet = await startFleet({
      members: 2,
      mapping: false,
      profiles: ({ name, server }) => [
        profileOf({
          name: 'edge',
          namespace: `ns-${name}`,
          manager: `manager-${name}`,
          status: healthyStatus({ accessProviders: [offerOf('x', server.access)] }),
        }),
      ],
    });
    const checked = await runMc(['clusters', '--check'], fleet);
    assert.match(checked.stdout, /^ns-c1\/edge .*\nns-c2\/edge /m);
    assert.equal(checked.code, 0);
    fleet.forgetRequests();
    const { stderr, stdout, code } = await runMc(['clusters', '--clusters=edge', '--check'], fleet);

    assert.equal(stderr, 'error: cluster "edge" is ambiguous: it may be ns-c1/edge, ns-c2/edge\n');
    assert.equal(stdout, '');
    assert.equal(code, 1);
    assert.deepEqual(memberRequests(fleet), [0, 0]);
  });

  test('MC-4 falls back to the context’s namespace for those who may not list all, and says so at -v', async () => {
    await using fleet = await startFleet({ members: 2 });
    const { hub } = fleet;
    await storeProfiles(hub.client, [profileOf({ name: 'mine', namespace: 'team' })]);
    await allowListing(fleet, 'team');
    actAsJane(fleet, 'team');
    const quiet = await runMc(['clusters', '-o', 'name'], fleet);
    const told = await runMc(['clusters', '-o', 'name', '-v', '--refresh'], fleet);

    assert.deepEqual(quiet, { stdout: 'mine\n', stderr: '', code: 0 });
    assert.equal(told.stdout, 'mine\n');
    assert.match(told.stderr, /User "jane" cannot list resource "clusterprofiles"/);
    assert.match(told.stderr, /taking the clusters of namespace "team" instead/);
  });

  test('MC-5 on a hub without the API, every verb exits 1 and says what is missing', async () => {
    await using fleet = await startFleet({ members: 1, servesProfiles: false });
    for (const argv of [['clusters'], ['version'], ['--refresh']]) {
      const { stderr, code } = await runMc(argv, fleet);
      assert.match(
        stderr,
        /^error: the hub has no ClusterProfile API \(multicluster\.x-k8s\.io\/v1alpha1\)\n.*--inventory kubeconfig/m,
      );
      assert.equal(code, 1);
    }
    const { stdout } = await runMc(['clusters', '--inventory', 'kubeconfig', '-o', 'name'], fleet);
    assert.equal(stdout, 'c1\nhub\n');
  });

  test('MC-6 no profiles are said in a line, and a failure unless partial answers are allowed', async () => {
    await using fleet = await startFleet({ members: 1, profiles: () => [] });

    assert.deepEqual(await runMc(['clusters'], fleet), {
      stdout: '',
      stderr: 'No clusters discovered from hub\n',
      code: 1,
    });
    assert.deepEqual(await runMc(['clusters', '--allow-partial'], fleet), {
      stdout: '',
      stderr: 'No clusters discovered from hub\n',
      code: 0,
    });
  });

  test('MC-7 asks the hub again after five minutes or with --refresh, which alone says what it found', async () => {
    await using fleet = await startFleet({ members: 2 });
    const clock = new ManualClock(Date.now());
    const run = async (...argv: string[]) => {
      fleet.forgetRequests();
      const { stdout, code } = await runMc(argv, { ...fleet, clock });
      assert.equal(code, 0);
      return [stdout, fleet.hub.requests.length];
    };

    assert.deepEqual(await run('clusters', '-o', 'name'), ['c1\nc2\n', 1]);
    clock.jump(4 * 60_000);
    assert.deepEqual(await run('clusters', '-o', 'name'), ['c1\nc2\n', 0]);
    await storeProfiles(fleet.hub.client, [profileOf({ name: 'c3' })]);
    assert.deepEqual(await run('--refresh'), ['Found 3 clusters\n', 1]);
    clock.jump(4 * 60_000);
    assert.deepEqual(await run('clusters', '-o', 'name'), ['c1\nc2\nc3\n', 0]);
  });

  test('MC-8 a cache of six minutes stands in for a hub that is down, with a warning, but never for writes', async () => {
    await using fleet = await startFleet({ members: 1 });
    const clock = new ManualClock(Date.now());
    const touch: Verb = {
      name: 'touch',
      usage: 'touch',
      summary: 'Stands for verbs that change something',
      flags: [],
      run: async (_call, session) => (await session.fleet([], { forWrites: true })).clusters.length,
    };
    const world = { ...fleet, clock, verbs: { touch: async () => await Promise.resolve(touch) } };
    await runMc(['clusters'], world);
    await fleet.hub.server.stop();
    clock.jump(6 * 60_000);
    const read = await runMc(['clusters', '-o', 'name'], world);
    const written = await runMc(['touch'], world);

    assert.equal(read.stdout, 'c1\n');
    assert.match(
      read.stderr,
      /^Warning: Cannot list clusters on the hub \(context "hub"\): Cannot reach .*; using what it said 6m ago\n$/,
    );
    assert.equal(read.code, 0);
    assert.match(
      written.stderr,
      /^error: Cannot list clusters on the hub \(context "hub"\): Cannot reach /,
    );
    assert.equal(written.code, 1);
  });

  test('MC-9 twelve hundred profiles are listed in pages, and all are shown', async () => {
    await using fleet = await startFleet({ members: 0 });
    const profiles = Array.from({ length: 1_200 }, (_, at) => {
      const profile = profileOf({ name: `c${at}` });
      delete profile.status;
      return profile;
    });
    await storeProfiles(fleet.hub.client, profiles);
    const { stdout, code } = await runMc(['clusters', '-o', 'name'], fleet);

    assert.deepEqual(
      new Set(stdout.trimEnd().split('\n')),
      new Set(profiles.map(({ metadata }) => metadata.name)),
    );
    assert.equal(code, 0);
    assert.deepEqual(
      fleet.hub.requests.map(({ query }) => [query.get('limit'), query.has('continue')]),
      [
        ['500', false],
        ['500', true],
        ['500', true],
      ],
    );
  });

  test('MC-11 a misspelt name ends the run with what is near, before anybody is asked', async () => {
    await using fleet = await startFleet({ members: ['prod-us-1', 'dev'] });
    const { stderr, stdout, code } = await runMc(
      ['clusters', '--check', '--clusters=prdo-us-1'],
      fleet,
    );

    assert.match(
      stderr,
      /^error: Cannot find cluster "prdo-us-1".*\n\nDid you mean this\?\n\tprod-us-1\n$/,
    );
    assert.equal(stdout, '');
    assert.equal(code, 1);
    assert.deepEqual(memberRequests(fleet), [0, 0]);
  });

  test('MC-10 exactly the difference of --clusters and --exclude is contacted', async () => {
    await using fleet = await startFleet({ members: ['prod-a', 'prod-b-canary', 'dev'] });
    const { code } = await runMc(
      ['clusters', '--check', '--clusters=prod-*', '--exclude=*-canary'],
      fleet,
    );

    assert.equal(code, 0);
    assert.deepEqual(memberRequests(fleet), [1, 0, 0]);
  });

  test('MC-53 a hub that refuses us ends the run, names its context and says how to log in', async () => {
    await using fleet = await startFleet({ members: 1 });
    fleet.hub.answerWith(async () => refusalAnswer(401, 'Unauthorized', 'Unauthorized'));
    const { stderr, code } = await runMc(['clusters', '--check'], fleet);

    assert.match(stderr, /^error: Cannot log in to the hub \(context "hub"\): .*\nTo log in, /);
    assert.equal(code, 1);
    assert.deepEqual(memberRequests(fleet), [0]);
  });

  test('a hub that never answers can be interrupted, and one that talks nonsense is told', async () => {
    await using fleet = await startFleet({ members: 1 });
    fleet.hub.answerWith(
      ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new StatusError(503, '', 'gone')));
        }),
    );
    const run = startMc(['clusters'], fleet);
    await eventually(
      () => fleet.hub.requests.length,
      (count) => count === 1,
    );
    run.interrupt();
    assert.deepEqual(await run.done, { stdout: '', stderr: '', code: 130 });

    for (const body of ['{"items":', '{"items":7}', '[]', '"x"']) {
      fleet.hub.answerWith(async () => ({ ...jsonAnswer(200, {}), body: Buffer.from(body) }));
      const { stderr, code } = await runMc(['clusters', '--no-cache'], fleet);
      assert.match(stderr, /^error: Cannot list clusters on the hub \(context "hub"\): /, body);
      assert.equal(code, 1, body);
    }
  });

  test('clusters may be looked up elsewhere', async () => {
    await using fleet = await startFleet({ members: 2 });
    writeFileSync(join(fleet.homeFolder, 'mine.yaml'), '- c2\n- {name: other, context: c1}\n');
    const names = async (api: string) =>
      (await runMc(['clusters', '-o', 'name', '--inventory', api], fleet)).stdout;

    assert.equal(await names('inventory'), 'c1\nc2\n');
    assert.equal(await names('kubeconfig'), 'c1\nc2\nhub\n');
    assert.equal(await names('file:mine.yaml'), 'c2\nother\n');
    const { stdout } = await runMc(
      ['clusters', '--check', '-o', 'name', '--inventory', 'file:~/mine.yaml'],
      fleet,
    );
    assert.equal(stdout, 'c2\nother\n');
    assert.deepEqual(memberRequests(fleet), [1, 1]);
  });

  test('--pick asks on a terminal', async () => {
    await using fleet = await startFleet({ members: 3 });
    const { stdout, stderr } = await runMc(
      ['clusters', '--pick', '-o', 'name', '--progress=none'],
      {
        ...fleet,
        terminal: true,
        answers: ['1,3'],
      },
    );

    assert.equal(stdout, 'c1\nc3\n');
    assert.match(stderr, / {2}2 {2}c2 {2}\(v1\.34\.4\)\n/);
    const piped = await runMc(['clusters', '--pick'], fleet);
    assert.match(piped.stderr, /that needs a terminal/);
    assert.equal(piped.code, 1);
  });
});

/** Lets jane list the profiles of a namespace. */
async function allowListing({ hub }: TestFleet, namespace: string): Promise<void> {
  const api = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
  const metadata = { name: 'profiles', namespace };
  await hub.client.raw({
    method: 'POST',
    path: `${api}/roles`,
    body: {
      metadata,
      rules: [
        { apiGroups: ['multicluster.x-k8s.io'], resources: ['clusterprofiles'], verbs: ['list'] },
      ],
    },
  });
  await hub.client.raw({
    method: 'POST',
    path: `${api}/rolebindings`,
    body: {
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'profiles' },
      subjects: [{ kind: 'User', name: 'jane', apiGroup: 'rbac.authorization.k8s.io' }],
    },
  });
}

/** Makes the user of the kubeconfig jane, in a namespace of the hub. */
function actAsJane({ kubeconfigFile }: TestFleet, namespace: string): void {
  const text = readFileSync(kubeconfigFile, 'utf8')
    .replace('    token: admin', '    token: admin\n    as: jane')
    .replace('    cluster: hub\n', `    cluster: hub\n    namespace: ${namespace}\n`);
  rmSync(kubeconfigFile);
  writeFileSync(kubeconfigFile, text);
}
