import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Json } from '@flotilla/machinery';
import { jsonAnswer, refusalAnswer } from '../../testing/fleet-server.ts';
import { runMc } from '../../testing/run-mc.ts';
import { startFleet, type TestFleet } from '../../testing/start-fleet.ts';
import { createWidget } from '../get/testing/objects.ts';

/** Two clusters; jane may get pods in `shop` of the first alone. */
async function startRestricted(): Promise<TestFleet> {
  const fleet = await startFleet({ members: 2 });
  const { client } = fleet.member('c1');
  const group = 'rbac.authorization.k8s.io';
  const path = `/apis/${group}/v1/namespaces/shop`;
  const create = (at: string, body: Json) => client.raw({ method: 'POST', path: at, body });
  await create('/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'shop' },
  });
  await create(`${path}/roles`, {
    apiVersion: `${group}/v1`,
    kind: 'Role',
    metadata: { name: 'reader' },
    rules: [{ apiGroups: [''], resources: ['pods', 'pods/log'], verbs: ['get'] }],
  });
  await create(`${path}/rolebindings`, {
    apiVersion: `${group}/v1`,
    kind: 'RoleBinding',
    metadata: { name: 'readers' },
    roleRef: { apiGroup: group, kind: 'Role', name: 'reader' },
    subjects: [{ apiGroup: group, kind: 'User', name: 'jane' }],
  });
  return fleet;
}

const canI = (fleet: TestFleet, ...argv: string[]) => runMc(['auth', 'can-i', ...argv], fleet);
const cells = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {3,}/));

describe('kubectl mc auth can-i', () => {
  test('asks every cluster, and ends with 0 only when all of them say yes', async () => {
    await using fleet = await startRestricted();
    const yes = await canI(fleet, 'get', 'pods');

    assert.deepEqual(
      cells(yes.stdout).map((line) => line.slice(0, 2)),
      [
        ['CLUSTER', 'ALLOWED'],
        ['c1', 'yes'],
        ['c2', 'yes'],
      ],
    );
    assert.deepEqual([yes.code, yes.stderr], [0, '']);

    const jane = await canI(fleet, 'get', 'pods', '-n', 'shop', '--as', 'jane');
    assert.deepEqual(
      cells(jane.stdout).map((line) => line.slice(0, 2)),
      [
        ['CLUSTER', 'ALLOWED'],
        ['c1', 'yes'],
        ['c2', 'no'],
      ],
    );
    assert.equal(jane.code, 1);
    const only = await canI(fleet, 'get', 'pods', '-n', 'shop', '--as', 'jane', '--clusters', 'c1');
    assert.equal(only.code, 0);
  });

  test('takes names, groups, subresources, all namespaces and paths that are no resource', async () => {
    await using fleet = await startRestricted();
    const asked = async (...argv: string[]) => {
      const bodies: Json[] = [];
      fleet.member('c1').answerWith(async (request, next) => {
        if (!request.path.endsWith('selfsubjectaccessreviews')) return await next(request);
        bodies.push(JSON.parse(String(await request.body(1 << 20))) as Json);
        return jsonAnswer(201, { status: { allowed: true } });
      });
      await canI(fleet, ...argv, '--clusters', 'c1');
      return bodies.map(({ spec }) => spec);
    };
    const common = { name: '', subresource: '', namespace: 'default' };

    assert.deepEqual(await asked('list', 'deploy'), [
      { resourceAttributes: { ...common, verb: 'list', group: 'apps', resource: 'deployments' } },
    ]);
    assert.deepEqual(await asked('get', 'deployments.apps/web', '--subresource=scale'), [
      {
        resourceAttributes: {
          ...common,
          verb: 'get',
          group: 'apps',
          resource: 'deployments',
          name: 'web',
          subresource: 'scale',
        },
      },
    ]);
    assert.deepEqual(await asked('create', 'pods', '-A', '-n', 'shop'), [
      {
        resourceAttributes: {
          ...common,
          verb: 'create',
          group: '',
          resource: 'pods',
          namespace: '',
        },
      },
    ]);
    assert.deepEqual(await asked('get', '/healthz'), [
      { nonResourceAttributes: { verb: 'get', path: '/healthz' } },
    ]);
    assert.deepEqual(await asked('*', '*'), [
      { resourceAttributes: { ...common, verb: '*', group: '', resource: '*' } },
    ]);
  });

  test('several namespaces have a row each, and one no is enough', async () => {
    await using fleet = await startRestricted();
    const argv = ['get', 'pods', '-n', 'shop,default', '--as', 'jane', '--clusters', 'c1'];
    const { code, stdout } = await canI(fleet, ...argv);

    assert.deepEqual(
      cells(stdout).map((line) => line.slice(0, 3)),
      [
        ['CLUSTER', 'NAMESPACE', 'ALLOWED'],
        ['c1', 'shop', 'yes'],
        ['c1', 'default', 'no'],
      ],
    );
    assert.equal(code, 1);
  });

  test('the name that get prints asks that cluster alone', async () => {
    await using fleet = await startRestricted();
    const { code, stdout } = await canI(fleet, 'get', 'c2:pods/web');

    assert.deepEqual(
      cells(stdout).map(([cluster]) => cluster),
      ['CLUSTER', 'c2'],
    );
    assert.equal(code, 0);
    assert.deepEqual(fleet.member('c1').requests, []);
  });

  test('--quiet leaves nothing but the exit code', async () => {
    await using fleet = await startRestricted();

    assert.deepEqual(await canI(fleet, 'get', 'pods', '-q'), { code: 0, stdout: '', stderr: '' });
    const no = await canI(fleet, 'get', 'pods', '--quiet', '-n', 'shop', '--as', 'jane');
    assert.deepEqual(no, { code: 1, stdout: '', stderr: '' });
  });

  test('warns as kubectl does, once for all clusters, and by name where it holds for some', async () => {
    await using fleet = await startFleet({ members: 2 });
    await createWidget(fleet.member('c2').client, 'one', {});
    const warned = async (...argv: string[]) => (await canI(fleet, ...argv)).stderr;

    assert.equal(
      await warned('get', 'nodes'),
      "Warning: resource 'nodes' is not namespace scoped\n\n",
    );
    assert.equal(await warned('get', 'nodes', '-A'), '');
    assert.equal(await warned('fly', 'pods'), "Warning: verb 'fly' is not a known verb\n\n");
    assert.equal(await warned('fly', '/healthz'), "Warning: verb 'fly' is not a known verb\n\n");
    assert.equal(
      await warned('get', 'widgets.example.com'),
      "Warning: the server doesn't have a resource type 'widgets' in group 'example.com' (in c1)\n\n",
    );
    assert.equal(await warned('impersonate', 'users'), '');
  });

  test('a cluster that does not answer makes no yes, and one that says no outweighs it', async () => {
    await using fleet = await startFleet({ members: 2 });
    fleet.member('c2').answerWith(async () => refusalAnswer(500, 'InternalError', 'etcd is gone'));
    const partly = await canI(fleet, 'get', 'pods');

    assert.match(partly.stderr, /c2: .*etcd is gone/);
    assert.equal(partly.code, 3);
    const refused = await canI(fleet, 'get', 'pods', '--as', 'jane');
    assert.equal(refused.code, 1);
    fleet.member('c2').answerWith(async () => jsonAnswer(201, { kind: 'SelfSubjectAccessReview' }));
    const empty = await canI(fleet, 'get', 'pods');
    assert.match(empty.stderr, /c2: .*the review has no status/);
    assert.equal(empty.code, 3);
  });

  test('refuses what kubectl refuses, in its words', async () => {
    const refused = async (...argv: string[]) => {
      const { code, stdout, stderr } = await runMc(['auth', 'can-i', ...argv]);
      assert.deepEqual([code, stdout], [1, '']);
      return stderr;
    };
    assert.equal(
      await refused('get'),
      "error: you must specify two arguments: verb resource or verb resource/resourceName.\nSee 'kubectl mc auth can-i -h' for help and examples.\n",
    );
    assert.equal(
      await refused('get', '/logs', '--subresource=x'),
      'error: --subresource can not be used with NonResourceURL\n',
    );
    assert.equal(
      await refused('get', 'pods', '--no-headers'),
      'error: --no-headers cannot be set without --list specified\n',
    );
    assert.equal(
      await refused('--list', 'pods'),
      'error: list option must be specified with no arguments\n',
    );
    for (const flag of ['-q', '-A', '--subresource=log']) {
      assert.equal(
        await refused('--list', flag),
        "error: list option can't be specified with neither quiet, all-namespaces nor subresource options\n",
      );
    }
  });
});

describe('kubectl mc auth can-i --list', () => {
  test('has a block for each cluster, and the bare list of a single one', async () => {
    await using fleet = await startRestricted();
    const argv = ['--list', '-n', 'shop', '--as', 'jane'];
    const { code, stdout } = await canI(fleet, ...argv);

    const [c1 = '', c2 = ''] = stdout.split(`${'='.repeat(80)}\n`);
    assert.match(c1, /^CLUSTER: c1\n-{80}\nResources +Non-Resource URLs +Resource Names +Verbs\n/);
    assert.match(c1, /^pods +\[\] +\[\] +\[get\]$/m);
    assert.match(c1, /^pods\/log +\[\] +\[\] +\[get\]$/m);
    assert.match(c2, /^CLUSTER: c2\n/);
    assert.doesNotMatch(c2, /^pods/m);
    assert.match(c2, /^selfsubjectreviews\.authentication\.k8s\.io +\[\] +\[\] +\[create\]$/m);
    assert.equal(code, 0);

    const alone = await canI(fleet, ...argv, '--clusters', 'c1', '--no-headers');
    assert.doesNotMatch(alone.stdout, /CLUSTER|Resources/);
    assert.match(alone.stdout, /^pods +\[\] +\[\] +\[get\]$/m);
    const both = await canI(
      fleet,
      '--list',
      '-n',
      'shop,default',
      '--as',
      'jane',
      '--clusters',
      'c1',
    );
    assert.match(both.stdout, /^CLUSTER: c1, NAMESPACE: shop\n/m);
    assert.match(both.stdout, /^CLUSTER: c1, NAMESPACE: default\n/m);
  });

  test('says when a list may not be all, and takes no more rules than anybody could read', async () => {
    await using fleet = await startFleet({ members: 1 });
    const answer = (status: Json) => {
      fleet
        .member('c1')
        .answerWith(async () => jsonAnswer(201, { kind: 'SelfSubjectRulesReview', status }));
    };
    answer({
      resourceRules: [],
      nonResourceRules: [],
      incomplete: true,
      evaluationError: 'webhook',
    });
    const incomplete = await canI(fleet, '--list');

    assert.equal(incomplete.stderr, 'Warning: the list may be incomplete: webhook\n');
    assert.equal(incomplete.code, 0);

    const many = Array.from({ length: 400 }, (_, index) => `x${index}`);
    answer({ resourceRules: [{ apiGroups: many, resources: many, verbs: many }] });
    const hostile = await canI(fleet, '--list');
    assert.match(hostile.stderr, /more than 100000 rules/);
    assert.equal(hostile.code, 1);
  });
});

describe('kubectl mc auth whoami', () => {
  test('shows whom each cluster takes the user for', async () => {
    await using fleet = await startFleet({ members: 2 });
    const { code, stdout, stderr } = await runMc(['auth', 'whoami'], fleet);

    assert.deepEqual(cells(stdout), [
      ['CLUSTER', 'USERNAME', 'GROUPS', 'UID'],
      ['c1', 'admin', 'system:masters,system:authenticated', 'admin'],
      ['c2', 'admin', 'system:masters,system:authenticated', 'admin'],
    ]);
    assert.deepEqual([code, stderr], [0, '']);
    const jane = await runMc(
      ['auth', 'whoami', '--as', 'jane', '--as-group', 'dev', '--no-headers', '--clusters', 'c1'],
      fleet,
    );
    assert.deepEqual(cells(jane.stdout), [['c1', 'jane', 'dev,system:authenticated', '<none>']]);
    const wide = await runMc(['auth', 'whoami', '-o', 'wide'], fleet);
    assert.match(wide.stdout, /^CLUSTER +USERNAME +GROUPS +UID +EXTRA\n/);
  });

  test('has the whole review for programs, with failures beside it', async () => {
    await using fleet = await startFleet({ members: 2 });
    fleet.member('c2').answerWith(async () => refusalAnswer(403, 'Forbidden', 'no'));
    const { code, stdout } = await runMc(['auth', 'whoami', '-o', 'json'], fleet);

    const { clusters } = JSON.parse(stdout) as {
      clusters: { items: { kind: string; status: { userInfo: Json } }[]; error?: Json }[];
    };
    assert.deepEqual(
      clusters.map(({ items, error }) => [
        items[0]?.kind,
        items[0]?.status.userInfo['username'],
        error?.['reason'],
      ]),
      [
        ['SelfSubjectReview', 'admin', undefined],
        [undefined, undefined, 'Forbidden'],
      ],
    );
    assert.equal(code, 3);
    const { stderr } = await runMc(['auth', 'whoami', '-o', 'tree'], fleet);
    assert.match(stderr, /^error: unable to match a printer suitable for the output format "tree"/);
  });

  test('asks older servers in their version, and says when they have none', async () => {
    await using fleet = await startFleet({ members: 1 });
    const userInfo = { username: 'old\u001b[31m', extra: { 'example.com/a': ['x', 'y'] } };
    fleet
      .member('c1')
      .answerWith(async ({ path }) =>
        path === '/apis/authentication.k8s.io/v1beta1/selfsubjectreviews'
          ? jsonAnswer(201, { kind: 'SelfSubjectReview', status: { userInfo } })
          : refusalAnswer(404, 'NotFound', 'the server could not find the requested resource'),
      );
    const old = await runMc(['auth', 'whoami', '-o', 'wide', '--no-headers'], fleet);

    assert.deepEqual(cells(old.stdout), [
      ['c1', 'old^[[31m', '<none>', '<none>', 'example.com/a=[x y]'],
    ]);
    fleet.member('c1').answerWith(async () => refusalAnswer(404, 'NotFound', 'not found'));
    const none = await runMc(['auth', 'whoami'], fleet);
    assert.match(none.stderr, /the selfsubjectreviews API is not enabled in the cluster/);
    assert.equal(none.code, 1);
  });
});
