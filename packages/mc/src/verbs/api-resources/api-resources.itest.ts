import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Json } from '@flotilla/machinery';
import { jsonAnswer } from '../../testing/fleet-server.ts';
import { runMc } from '../../testing/run-mc.ts';
import { startFleet, type TestFleet } from '../../testing/start-fleet.ts';
import { createWidget } from '../get/testing/objects.ts';

/** Two clusters, of which the second alone knows widgets. */
async function startUneven(): Promise<TestFleet> {
  const fleet = await startFleet({ members: 2 });
  await createWidget(fleet.member('c2').client, 'one', {});
  return fleet;
}

/** A row, its columns three spaces apart. */
const row = (text: string, name: string) =>
  text
    .split('\n')
    .find((line) => line.startsWith(`${name} `))
    ?.replaceAll(/ {3,}/g, '|');

describe('kubectl mc api-resources', () => {
  test('has every type once, with how many of the clusters serve it', async () => {
    await using fleet = await startUneven();
    const { code, stdout, stderr } = await runMc(['api-resources'], fleet);

    assert.match(stdout, /^NAME +CLUSTERS +SHORTNAMES +APIVERSION +NAMESPACED +KIND\n/);
    assert.equal(row(stdout, 'pods'), 'pods|2/2|po|v1|true|Pod');
    assert.equal(row(stdout, 'widgets'), 'widgets|1/2|example.com/v1|true|Widget');
    assert.deepEqual([code, stderr], [0, '']);
    const names = stdout.split('\n').map((line) => line.split(' ')[0]);
    assert.equal(names.filter((name) => name === 'pods').length, 1);

    const first = await runMc(['api-resources', '--cluster-column', 'first'], fleet);
    assert.match(first.stdout, /^CLUSTERS +NAME +SHORTNAMES /);
    const none = await runMc(['api-resources', '--cluster-column', 'none'], fleet);
    assert.match(none.stdout, /^NAME +SHORTNAMES /);
  });

  test('takes all filters of kubectl together', async () => {
    await using fleet = await startUneven();
    const names = async (...flags: string[]) =>
      (await runMc(['api-resources', '-o', 'name', ...flags], fleet)).stdout.trim().split('\n');

    assert.deepEqual(await names('--api-group', 'example.com'), ['widgets.example.com']);
    assert.ok((await names('--api-group=')).every((name) => !name.includes('.')));
    assert.ok((await names('--namespaced=false')).includes('nodes'));
    assert.ok(!(await names('--namespaced')).includes('nodes'));
    assert.deepEqual(
      await names('--api-group=', '--verbs=create', '--verbs=list,watch', '--categories=all'),
      ['pods', 'replicationcontrollers', 'services'],
    );
    assert.deepEqual(await names('--api-group=example.com', '--clusters', 'c1'), ['']);
    const byKind = (await runMc(['api-resources', '--sort-by=kind', '--no-headers'], fleet)).stdout;
    const kinds = byKind
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ +/).at(-1) ?? '');
    assert.deepEqual(
      kinds,
      kinds.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
    );
  });

  test('--diff shows the types that not all have, and who lacks them', async () => {
    await using fleet = await startUneven();
    const { code, stdout } = await runMc(['api-resources', '--diff'], fleet);

    assert.deepEqual(
      stdout.split('\n').map((line) => line.replaceAll(/ {3,}/g, '|')),
      ['NAME|APIVERSION|KIND|CLUSTERS|MISSING FROM', 'widgets|example.com/v1|Widget|1/2|c1', ''],
    );
    assert.equal(code, 0);
    const names = await runMc(['api-resources', '--diff', '-o', 'name'], fleet);
    assert.equal(names.stdout, 'widgets.example.com\n');

    const same = await runMc(['api-resources', '--diff', '--api-group=apps'], fleet);
    assert.deepEqual(
      [same.code, same.stdout, same.stderr],
      [0, '', 'All 2 clusters serve the same types.\n'],
    );
    const alone = await runMc(['api-resources', '--diff', '--clusters', 'c1'], fleet);
    assert.match(alone.stderr, /^Only one cluster answered/);
  });

  test('for programs there is the list of each cluster, in the order of kubectl', async () => {
    await using fleet = await startUneven();
    const { stdout } = await runMc(['api-resources', '-o', 'json', '--sort-by=name'], fleet);
    const { clusters, summary } = JSON.parse(stdout) as {
      clusters: { cluster: string; items: Json[] }[];
      summary: Json;
    };

    assert.deepEqual(
      clusters.map(({ cluster, items }) => [cluster, items.find(({ name }) => name === 'widgets')]),
      [
        ['c1', undefined],
        [
          'c2',
          {
            name: 'widgets',
            singularName: 'widget',
            namespaced: true,
            group: 'example.com',
            version: 'v1',
            kind: 'Widget',
            verbs: clusters[1]?.items.find(({ name }) => name === 'widgets')?.['verbs'],
          },
        ],
      ],
    );
    const names = clusters[0]?.items.map(({ name }) => String(name)) ?? [];
    assert.deepEqual(names, names.toSorted());
    assert.equal(summary['successful'], 2);
  });

  test('asks anew unless --cached, and then asks nobody', async () => {
    await using fleet = await startFleet({ members: 1 });
    await runMc(['api-resources'], fleet);
    fleet.forgetRequests();
    const { stdout } = await runMc(['api-resources', '--cached', '-o', 'name'], fleet);

    assert.match(stdout, /^pods$/m);
    assert.deepEqual(fleet.member('c1').requests, []);
    await runMc(['api-resources'], fleet);
    assert.notEqual(fleet.member('c1').requests.length, 0);
  });

  test('a cluster that is down leaves the counts of the others, and one that is half there its types', async () => {
    await using fleet = await startFleet({ members: 3 });
    await fleet.member('c3').server.stop();
    const some = await runMc(['api-resources', '--api-group=apps'], fleet);

    assert.equal(row(some.stdout, 'deployments'), 'deployments|2/2|deploy|apps/v1|true|Deployment');
    assert.match(some.stderr, /^Warning: Failed to query 1\/3 clusters/);
    assert.equal(some.code, 3);

    fleet.member('c2').answerWith(async (request, next) => {
      const answer = await next(request);
      if (request.path !== '/apis' || !Buffer.isBuffer(answer.body)) return answer;
      const list = JSON.parse(answer.body.toString()) as {
        items?: { metadata: Json; versions: Json[] }[];
      };
      for (const { metadata, versions } of list.items ?? []) {
        if (metadata['name'] !== 'apps') continue;
        for (const version of versions)
          Object.assign(version, { freshness: 'Stale', resources: [] });
      }
      return jsonAnswer(200, list, { 'content-type': String(answer.headers['content-type']) });
    });
    const half = await runMc(
      ['api-resources', '--clusters', 'c1,c2', '--diff', '--no-cache'],
      fleet,
    );
    assert.match(
      half.stderr,
      /^Warning: Failed to query 1\/2 clusters\..*\n *c2: error: unable to retrieve the complete list of server APIs: apps\/v1: stale GroupVersion discovery: apps\/v1/,
    );
    // What could not be described is not missing.
    assert.doesNotMatch(half.stdout, /deployments/);
    assert.equal(half.code, 3);
  });

  test('refuses what kubectl refuses, in its words', async () => {
    const refused = async (...flags: string[]) => {
      const { code, stdout, stderr } = await runMc(['api-resources', ...flags]);
      assert.deepEqual([code, stdout], [1, '']);
      return stderr;
    };
    assert.equal(await refused('--sort-by=age'), 'error: --sort-by accepts only name or kind\n');
    assert.equal(
      await refused('-o', 'tree'),
      'error: unable to match a printer suitable for the output format "tree", allowed formats are: json,name,wide,yaml\n',
    );
    assert.match(await refused('pods'), /^error: unexpected arguments: \[pods\]\n/);
    assert.equal(
      await refused('--diff', '-o', 'json'),
      'error: --diff cannot be used with json printer\n',
    );
  });
});
