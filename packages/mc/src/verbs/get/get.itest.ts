import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parseYaml, systemClock } from '@flotilla/machinery';
import { eventually } from '@flotilla/testkit';
import { jsonAnswer } from '../../testing/fleet-server.ts';
import { runMc, startMc } from '../../testing/run-mc.ts';
import { startFleet, type TestFleet } from '../../testing/start-fleet.ts';
import { createNamespace, createPod, createWidget } from './testing/objects.ts';

/** Columns of a table, as words; ages change. */
function words(text: string): string[][] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.trim().split(/ {2,}/));
}

function withoutAges(text: string): string {
  return text.replace(/ *\b\d+(s|m\d*s?)$/gm, '').replace(/ +AGE$/gm, '');
}

describe('a fleet of three', () => {
  let fleet: TestFleet;
  const get = (...args: string[]) => runMc(['get', ...args], fleet);

  before(async () => {
    fleet = await startFleet({ members: 3 });
    for (const { client, name } of fleet.members) {
      await createNamespace(client, 'team-a');
      await createNamespace(client, 'team-b');
      await createPod(client, 'web', { labels: { app: 'web', 'example.com/tier': 'front' } });
      await createPod(client, `only-${name}`, { labels: { app: 'own' }, image: `img:${name}` });
      await createPod(client, 'a1', { namespace: 'team-a' });
      await createPod(client, 'b1', { namespace: 'team-b' });
    }
    await createPod(fleet.member('c1').client, 'rare', { annotations: { order: '2' } });
    await createPod(fleet.member('c3').client, 'rare', { annotations: { order: '10' } });
  });
  after(() => fleet[Symbol.asyncDispose]());

  test('MC-22 pods are one table, the cluster behind the name, by cluster and name', async () => {
    const { stdout, stderr, code } = await get('pods');

    assert.equal(
      withoutAges(stdout),
      `NAME      CLUSTER   READY   STATUS    RESTARTS
only-c1   c1        0/1     Pending   0
rare      c1        0/1     Pending   0
web       c1        0/1     Pending   0
only-c2   c2        0/1     Pending   0
web       c2        0/1     Pending   0
only-c3   c3        0/1     Pending   0
rare      c3        0/1     Pending   0
web       c3        0/1     Pending   0
`,
    );
    assert.deepEqual([stderr, code], ['', 0]);
  });

  test('MC-22 a warm get is one request per cluster, for cells and nothing else', async () => {
    await get('pods');
    fleet.forgetRequests();
    await get('pods');
    await get('pods', '-A');
    await get('pods', '-L', 'app');
    await get('pods', '--sort-by', '.metadata.name');
    await get('pods', '--sort-by', '.spec.nodeName');

    assert.deepEqual(
      fleet.member('c2').requests.map(({ path, query }) => `${path} ${query.get('includeObject')}`),
      [
        '/api/v1/namespaces/default/pods None',
        '/api/v1/pods Metadata',
        '/api/v1/namespaces/default/pods Metadata',
        '/api/v1/namespaces/default/pods Metadata',
        '/api/v1/namespaces/default/pods Object',
      ],
    );
    assert.equal(fleet.member('c2').requests[0]?.query.get('limit'), '500');
  });

  test('MC-22 labels, namespaces and headers are as kubectl has them', async () => {
    const wide = await get('pods', '-l', 'app=web', '-L', 'app,example.com/tier', '--show-labels');
    const all = await get('pods', '-A', '--no-headers', '-l', 'app=own');

    assert.deepEqual(words(wide.stdout)[0], [
      'NAME',
      'CLUSTER',
      'READY',
      'STATUS',
      'RESTARTS',
      'AGE',
      'APP',
      'TIER',
      'LABELS',
    ]);
    assert.equal(words(wide.stdout)[1]?.at(-1), 'app=web,example.com/tier=front');
    assert.deepEqual(
      words(all.stdout).map((row) => row.slice(0, 3)),
      [
        ['default', 'only-c1', 'c1'],
        ['default', 'only-c2', 'c2'],
        ['default', 'only-c3', 'c3'],
      ],
    );
  });

  test('the cluster may stand first or nowhere', async () => {
    const first = await get('pod', 'web', '--cluster-column', 'first');
    const none = await get('pod', 'web', '--cluster-column', 'none');

    assert.deepEqual(words(first.stdout)[0]?.slice(0, 3), ['CLUSTER', 'NAME', 'READY']);
    assert.deepEqual(words(none.stdout)[0]?.slice(0, 2), ['NAME', 'READY']);
    assert.equal(words(none.stdout).length, 4);
  });

  test('MC-23 several types are several tables with their kinds', async () => {
    const { stdout } = await get('pod/web', 'svc/kubernetes', '--clusters', 'c1,c2');

    assert.equal(
      withoutAges(stdout),
      `NAME      CLUSTER   READY   STATUS    RESTARTS
pod/web   c1        0/1     Pending   0
pod/web   c2        0/1     Pending   0

NAME                 CLUSTER   TYPE        CLUSTER-IP   EXTERNAL-IP   PORT(S)
service/kubernetes   c1        ClusterIP   10.0.0.1     <none>        443/TCP
service/kubernetes   c2        ClusterIP   10.0.0.1     <none>        443/TCP
`,
    );
  });

  test('MC-24 nothing anywhere is said once', async () => {
    assert.deepEqual(await get('pvc'), {
      code: 0,
      stdout: '',
      stderr: 'No resources found in default namespace.\n',
    });
    assert.deepEqual(await get('pvc', '-A'), {
      code: 0,
      stdout: '',
      stderr: 'No resources found\n',
    });
    assert.deepEqual(await get('pods', '-n', 'x,y'), {
      code: 0,
      stdout: '',
      stderr: 'No resources found in x, y namespaces.\n',
    });
  });

  test('MC-25 columns of little importance are shown in wide output only', async () => {
    await createWidget(fleet.member('c2').client, 'w1', { text: 'x', detail: 'y' });

    const usual = await get('widgets');
    const wide = await get('widgets', '-o', 'wide');

    assert.deepEqual(words(usual.stdout), [
      ['NAME', 'CLUSTER', 'TEXT'],
      ['w1', 'c2', 'x'],
    ]);
    assert.deepEqual(words(wide.stdout)[0], ['NAME', 'CLUSTER', 'TEXT', 'DETAIL']);
  });

  test('MC-26 servers of different versions share one table', async () => {
    fleet.member('c2').answerWith(async (request, next) => {
      const answer = await next(request);
      const table = JSON.parse(String(answer.body));
      // No RESTARTS, but another column before AGE.
      table.columnDefinitions.splice(3, 1, { ...table.columnDefinitions[3], name: 'Mood' });
      for (const row of table.rows) row.cells[3] = 'happy';
      return { ...answer, body: Buffer.from(JSON.stringify(table)) };
    });
    try {
      const { stdout } = await get('pod', 'web');

      assert.deepEqual(
        words(stdout).map((row) => row.slice(1, 6)),
        [
          ['CLUSTER', 'READY', 'STATUS', 'MOOD', 'RESTARTS'],
          ['c1', '0/1', 'Pending', '<none>', '0'],
          ['c2', '0/1', 'Pending', 'happy', '<none>'],
          ['c3', '0/1', 'Pending', '<none>', '0'],
        ],
      );
    } finally {
      fleet.member('c2').answerWith(undefined);
    }
  });

  test('MC-27 cells neither break lines nor steer terminals', async () => {
    await createWidget(fleet.member('c2').client, 'evil', { text: '\u001b[2Jone\ntwo' });

    const { stdout } = await get('widget', 'evil');

    assert.deepEqual(words(stdout)[1], ['evil', 'c2', '^[[2Jone...']);
  });

  test('MC-28 sorting goes over all clusters, and a field nobody has is told', async () => {
    const byName = await get('pods', '--sort-by', '.metadata.name');
    const byOrder = await get('pod', 'rare', '--sort-by', '.metadata.annotations.order');
    const unknown = await get('pods', '--sort-by', '.no.such.field');

    assert.deepEqual(
      words(byName.stdout).map(([name, cluster]) => `${name} ${cluster}`),
      [
        'NAME CLUSTER',
        'only-c1 c1',
        'only-c2 c2',
        'only-c3 c3',
        'rare c1',
        'rare c3',
        'web c1',
        'web c2',
        'web c3',
      ],
    );
    assert.deepEqual(
      words(byOrder.stdout).map((row) => row[1]),
      ['CLUSTER', 'c1', 'c3'],
    );
    assert.deepEqual(unknown, {
      code: 1,
      stdout: '',
      stderr: `error: couldn't find any field with path "{.no.such.field}" in the list of objects\n`,
    });
  });

  test('MC-28 the oldest is first, wherever it is', async () => {
    const days: Record<string, string> = { c1: '03', c2: '01', c3: '02' };
    for (const member of fleet.members) {
      member.answerWith(async (request, next) => {
        const { body, ...answer } = await next(request);
        const born = `"creationTimestamp":"2024-01-${days[member.name]}T00:00:00Z"`;
        const changed = String(body).replace(/"creationTimestamp":"[^"]*"/g, born);
        return { ...answer, body: Buffer.from(changed) };
      });
    }
    try {
      const table = await get('pod', 'web', '--sort-by=.metadata.creationTimestamp');
      const names = await get('pod', 'web', '--sort-by=.metadata.creationTimestamp', '-o', 'name');

      assert.deepEqual(
        words(table.stdout).map((row) => row[1]),
        ['CLUSTER', 'c2', 'c3', 'c1'],
      );
      assert.equal(names.stdout, 'c2:pod/web\nc3:pod/web\nc1:pod/web\n');
    } finally {
      for (const member of fleet.members) member.answerWith(undefined);
    }
  });

  test('MC-29 JSON is whole when a cluster is dead, and says why', async () => {
    const kubeconfig = readFileSync(fleet.kubeconfigFile, 'utf8');
    const dead = kubeconfig.replace(fleet.member('c2').server.url, 'https://127.0.0.1:1');
    writeFileSync(fleet.kubeconfigFile, dead);
    try {
      const { stdout, code } = await get('pods', '-o', 'json');
      const result = JSON.parse(stdout);

      assert.equal(code, 3);
      assert.deepEqual(
        [result.apiVersion, result.kind],
        ['kubectl-mc.k8s.io/v1alpha1', 'MultiClusterResult'],
      );
      assert.deepEqual(
        result.clusters.map((each: { cluster: string; status: string; items: unknown[] }) => [
          each.cluster,
          each.status,
          each.items.length,
        ]),
        [
          ['c1', 'ok', 3],
          ['c2', 'unreachable', 0],
          ['c3', 'ok', 3],
        ],
      );
      assert.equal(result.clusters[1].error.reason, 'Unreachable');
      assert.deepEqual(result.clusters[0].profile.namespace, 'fleet');
      const { errors, ...counts } = result.summary;
      assert.deepEqual(counts, { total: 3, successful: 2, failed: 1 });
      assert.deepEqual(Object.keys(errors), ['c2']);
      assert.equal(result.clusters[0].items[0].metadata.managedFields, undefined);
    } finally {
      writeFileSync(fleet.kubeconfigFile, kubeconfig);
    }
  });

  test('MC-30 YAML is YAML, and templates see all objects as one list', async () => {
    const yaml = await get('pods', '-o', 'yaml');
    const names = await get('pods', '-o', 'jsonpath={range .items[*]}{.metadata.name}{"\\n"}{end}');
    const marked = await get(
      'pod',
      'web',
      '-o',
      'go-template={{range .items}}{{index .metadata.annotations "kubectl-mc.k8s.io/cluster"}} {{end}}',
    );

    const { clusters, summary } = parseYaml(yaml.stdout).value as Record<string, unknown>;
    assert.deepEqual(
      (clusters as { items: { metadata: { name: string } }[] }[]).flatMap(({ items }) =>
        items.map(({ metadata }) => metadata.name),
      ),
      names.stdout.trimEnd().split('\n'),
    );
    assert.deepEqual(summary, { total: 3, successful: 3, failed: 0 });
    assert.equal(marked.stdout, 'c1 c2 c3 ');
  });

  test('flat documents are plain lists whose objects say where they are from', async () => {
    const json = await get('pods', '-o', 'json', '--flat');
    const yaml = await get('pods', '-o', 'yaml', '--flat', '--sort-by', '.metadata.name');
    const lines = await get('pods', '-o', 'ndjson');
    const nothing = await get('pvc', '-o', 'json', '--flat');

    const list = JSON.parse(json.stdout);
    assert.deepEqual(
      [list.kind, list.apiVersion, list.metadata],
      ['List', 'v1', { resourceVersion: '' }],
    );
    const sorted = parseYaml(yaml.stdout).value as { items: { metadata: { name: string } }[] };
    assert.deepEqual(sorted.items.map(({ metadata }) => metadata.name).slice(0, 4), [
      'only-c1',
      'only-c2',
      'only-c3',
      'rare',
    ]);
    assert.deepEqual(
      lines.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
      list.items,
    );
    assert.deepEqual(JSON.parse(nothing.stdout).items, []);
    assert.equal(nothing.stderr, '');
  });

  test('MC-31 names lead back to their cluster and to no other', async () => {
    const { stdout } = await get('pod', 'rare', '-o', 'name');
    assert.equal(stdout, 'c1:pod/rare\nc3:pod/rare\n');
    fleet.forgetRequests();

    const back = await get('c3:pod/rare');

    assert.deepEqual(
      words(back.stdout).map((row) => row[1]),
      ['CLUSTER', 'c3'],
    );
    assert.equal(fleet.member('c1').requests.length, 0);
    assert.equal(fleet.member('c3').requests.length, 1);
    const unknown = await get('c9:pod/rare');
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /c9/);
  });

  test('MC-32 custom columns begin with the cluster', async () => {
    const format = 'custom-columns=N:.metadata.name,I:.spec.containers[*].image,X:.a.b';
    const { stdout } = await get('pods', '-l', 'app=own', '-o', format);
    const plain = await get('pod', 'web', '-o', format, '--cluster-column', 'none');

    assert.equal(
      stdout,
      `CLUSTER   N         I        X
c1        only-c1   img:c1   <none>
c2        only-c2   img:c2   <none>
c3        only-c3   img:c3   <none>
`,
    );
    assert.deepEqual(words(plain.stdout)[0], ['N', 'I', 'X']);
  });

  test('MC-33 what some clusters have is shown, what none has is told once', async () => {
    const some = await get('pod', 'rare');
    const none = await get('pod', 'nginx');
    const all = await get('pod', 'rare', '--require-all');
    const mixed = await get('pod', 'web', 'nginx');

    assert.deepEqual(
      words(some.stdout).map(([name, cluster]) => `${name} ${cluster}`),
      ['NAME CLUSTER', 'rare c1', 'rare c3'],
    );
    assert.deepEqual([some.code, some.stderr], [0, '']);
    assert.deepEqual(none, {
      code: 1,
      stdout: '',
      stderr: 'Error from server (NotFound): pods "nginx" not found (in 3 clusters)\n',
    });
    assert.equal(all.code, 3);
    assert.match(all.stderr, /Failed to query 1\/3 clusters.*\n {2}c2: .*pods "rare" not found/);
    assert.equal(words(mixed.stdout).length, 4);
    assert.deepEqual(
      [mixed.code, mixed.stderr],
      [1, 'Error from server (NotFound): pods "nginx" not found (in 3 clusters)\n'],
    );
    assert.deepEqual(await get('pod', 'nginx', '--ignore-not-found'), {
      code: 0,
      stdout: '',
      stderr: '',
    });
  });

  test('MC-34 a type that only some clusters know is no failure', async () => {
    await createWidget(fleet.member('c2').client, 'w2', {});

    const quiet = await get('widgets');
    const told = await get('widgets', '-v');
    const none = await get('gadgets');

    assert.deepEqual([quiet.code, quiet.stderr], [0, '']);
    assert.match(told.stderr, /c1, c3: .*the server doesn't have a resource type "widgets"/);
    assert.deepEqual(none, {
      code: 1,
      stdout: '',
      stderr: `error: the server doesn't have a resource type "gadgets"\n`,
    });
  });

  test('MC-35 names may be globs', async () => {
    const { stdout } = await get('pod', 'only-*', '-o', 'name');
    const nothing = await get('pod', 'x-*');

    assert.equal(stdout, 'c1:pod/only-c1\nc2:pod/only-c2\nc3:pod/only-c3\n');
    assert.equal(nothing.stderr, 'No resources found in default namespace.\n');
  });

  test('MC-36 what has no namespace is found without one', async () => {
    const { stdout, code } = await get('namespaces', 'team-a');

    assert.equal(code, 0);
    assert.deepEqual(
      words(stdout).map((row) => row.slice(0, 3)),
      [
        ['NAME', 'CLUSTER', 'STATUS'],
        ['team-a', 'c1', 'Active'],
        ['team-a', 'c2', 'Active'],
        ['team-a', 'c3', 'Active'],
      ],
    );
  });

  test('MC-37 the namespace of a context is that of its cluster', async () => {
    const kubeconfig = readFileSync(fleet.kubeconfigFile, 'utf8');
    const changed = kubeconfig.replace(/cluster: c2\n/, 'cluster: c2\n    namespace: team-a\n');
    assert.notEqual(changed, kubeconfig);
    writeFileSync(fleet.kubeconfigFile, changed);
    try {
      const { stdout } = await get('pods', '-o', 'name', '--clusters', 'c1,c2');
      assert.equal(stdout, 'c1:pod/only-c1\nc1:pod/rare\nc1:pod/web\nc2:pod/a1\n');
    } finally {
      writeFileSync(fleet.kubeconfigFile, kubeconfig);
    }
  });

  test('MC-38 several namespaces are shown with their names', async () => {
    const { stdout } = await get('pods', '-n', 'team-b,team-a', '--clusters', 'c1');

    assert.deepEqual(
      words(stdout).map((row) => row.slice(0, 3)),
      [
        ['NAMESPACE', 'NAME', 'CLUSTER'],
        ['team-a', 'a1', 'c1'],
        ['team-b', 'b1', 'c1'],
      ],
    );
  });

  test('MC-47 a list that expires between two pages is read again, and nothing is there twice', async () => {
    const member = fleet.member('c1');
    let expired = 0;
    member.answerWith(async (request, next) => {
      if (!request.query.has('continue')) return await next(request);
      expired += 1;
      return jsonAnswer(410, { kind: 'Status', status: 'Failure', reason: 'Expired', code: 410 });
    });
    try {
      const table = await get('pods', '--chunk-size', '1', '--clusters', 'c1', '-o', 'name');
      const objects = await get('pods', '--chunk-size', '1', '--clusters', 'c1', '-o', 'json');

      assert.equal(table.stdout, 'c1:pod/only-c1\nc1:pod/rare\nc1:pod/web\n');
      assert.equal(JSON.parse(objects.stdout).clusters[0].items.length, 3);
      assert.equal(expired, 2);
    } finally {
      member.answerWith(undefined);
    }
  });

  for (const [what, body] of [
    ['no JSON', 'not json'],
    ['half of it', '{"kind":"Table","rows":[{"cells":["x"'],
    ['a table of other things', '{"kind":"Table","columnDefinitions":{},"rows":[null,3]}'],
    ['rows without columns', '{"kind":"Table","rows":[{"cells":["x"]}]}'],
    ['a number', '5'],
  ] as const) {
    test(`MC-50 a server that sends ${what} fails alone`, async () => {
      fleet.member('c2').answerWith(async () => ({
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: Buffer.from(body),
      }));
      try {
        // What is wrong in a table is nothing at all in a list.
        const others = body.includes('rows') && body.endsWith('}') ? [] : [['-o', 'json']];
        for (const flags of [[], ['-A'], ...others]) {
          const { stdout, stderr, code } = await get('pods', ...flags);
          assert.equal(code, 3);
          assert.match(stdout, /only-c1/);
          assert.match(stdout, /only-c3/);
          assert.match(stderr, /Failed to query 1\/3 clusters.*\n {2}c2: error: Cannot /);
        }
      } finally {
        fleet.member('c2').answerWith(undefined);
      }
    });
  }

  test('MC-54 a streamed get prints who has answered while others have not', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    fleet.member('c1').answerWith(async (request, next) => {
      await released;
      return await next(request);
    });
    const run = startMc(['get', 'pods', '--stream'], fleet);
    try {
      await eventually(run.stdout, (text) => text.includes('only-c3'));
      assert.doesNotMatch(run.stdout(), /only-c1/);
    } finally {
      release();
      fleet.member('c1').answerWith(undefined);
    }
    const { stdout, code } = await run.done;
    assert.equal(code, 0);
    assert.equal(stdout.match(/NAME/g)?.length, 1);
    assert.match(stdout, /only-c1/);
  });

  test('MC-51 who has answered is printed when the user has enough of waiting', async () => {
    fleet.member('c2').answerWith(() => new Promise(() => {}));
    const run = startMc(['get', 'pods', '--stream'], fleet);
    try {
      await eventually(run.stdout, (text) =>
        /only-c1[\s\S]*only-c3|only-c3[\s\S]*only-c1/.test(text),
      );
    } finally {
      run.interrupt();
      fleet.member('c2').answerWith(undefined);
    }
    const { stdout, stderr, code } = await run.done;

    assert.equal(code, 130);
    assert.match(stdout, /only-c1/);
    assert.match(stdout, /only-c3/);
    assert.match(stderr, /Cancelled: c2/);
  });

  test('what servers warn of is said once, however many say it', async () => {
    for (const member of fleet.members) {
      member.answerWith(async (request, next) => {
        const answer = await next(request);
        return { ...answer, headers: { ...answer.headers, warning: '299 - "pods are old"' } };
      });
    }
    try {
      const { stderr } = await get('pods');
      assert.equal(stderr, 'Warning: pods are old\n');
    } finally {
      for (const member of fleet.members) member.answerWith(undefined);
    }
  });

  test('MC-56 ages are the server’s, whatever this machine takes for the time', async () => {
    const late = { ...systemClock, now: () => systemClock.now() - 10 * 60_000 };

    const { stdout } = await runMc(['get', 'pods', '-A'], { ...fleet, clock: late });

    assert.doesNotMatch(stdout, /invalid|unknown/);
    assert.match(stdout, /\d+s\n/);
  });

  test('counts, absences and differences have tables of their own', async () => {
    const count = await get('pods', '--count');
    const counts = await get('pods,svc', '--count', '--clusters', 'c1');
    const missing = await get('pod', 'rare', '--missing');
    const nothing = await get('pod', 'web', '--missing');
    const compared = await get('pods', '--compare', '.spec.containers[*].image', '-l', 'app=web');
    const differing = await get('pod', 'rare', '--compare', 'metadata.annotations.order');

    assert.equal(count.stdout, 'CLUSTER   COUNT\nc1        3\nc2        2\nc3        3\n');
    assert.deepEqual(words(counts.stdout), [
      ['CLUSTER', 'TYPE', 'COUNT'],
      ['c1', 'pod', '3'],
      ['c1', 'service', '1'],
    ]);
    assert.deepEqual(missing, {
      code: 0,
      stdout: 'CLUSTER   MISSING\nc2        pods/rare\n',
      stderr: '',
    });
    assert.deepEqual(nothing, { code: 0, stdout: '', stderr: 'Nothing is missing\n' });
    assert.deepEqual(words(compared.stdout)[1], ['web', 'c1', 'nginx:1', '<none>']);
    assert.deepEqual(words(differing.stdout), [
      ['NAME', 'CLUSTER', 'METADATA.ANNOTATIONS.ORDER', 'DRIFT'],
      ['rare', 'c1', '2', '<none>'],
      ['rare', 'c2', '<missing>', 'missing'],
      ['rare', 'c3', '10', 'METADATA.ANNOTATIONS.ORDER'],
    ]);
  });

  test('files name what is got', async () => {
    const manifest = `apiVersion: v1
kind: Pod
metadata: {name: web}
---
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Pod, metadata: {name: a1, namespace: team-a}}
- {apiVersion: v1, kind: Namespace, metadata: {name: team-b}}
`;
    const piped = await runMc(['get', '-f', '-', '-o', 'name', '--clusters', 'c1'], {
      ...fleet,
      stdin: manifest,
    });
    const chosen = ['get', '-f', '-', '--clusters', 'c1', '-l', 'app=web', '-o'];
    for (const [format, printed] of [
      ['name', 'c1:pod/web\n'],
      ['jsonpath={.items[*].metadata.name}', 'web'],
    ] as const) {
      const { stdout } = await runMc([...chosen, format], { ...fleet, stdin: manifest });
      assert.equal(stdout, printed);
    }
    const wrong = await runMc(['get', '-f', '-', '-n', 'other'], { ...fleet, stdin: manifest });

    assert.equal(piped.stdout, 'c1:pod/web\nc1:pod/a1\nc1:namespace/team-b\n');
    assert.match(wrong.stderr, /^error: the namespace from the provided object "team-a" does not/);
    assert.equal(
      (await get('-f', 'nowhere.yaml')).stderr,
      'error: the path "nowhere.yaml" does not exist\n',
    );
    assert.match(
      (await runMc(['get', '-k', '.'], { ...fleet, env: { PATH: '/nonexistent' } })).stderr,
      /^error: Cannot build the kustomization ".": it needs kubectl/,
    );
  });

  test('raw paths are asked of every server', async () => {
    const { stdout } = await get('--raw', '/api/v1/namespaces/default/pods/rare');
    const alone = await get('--raw', '/version', '--clusters', 'c1');

    assert.equal(stdout.match(/^CLUSTER: c[13]\n-{80}\n\{/gm)?.length, 2);
    assert.equal(stdout.match(/^={80}$/gm)?.length, 1);
    assert.equal(JSON.parse(alone.stdout).major, '1');
  });

  test('tables can be had as CSV', async () => {
    const { stdout } = await get('pods', '-l', 'app=own', '-o', 'csv');

    assert.deepEqual(
      stdout.split('\r\n').map((line) => line.split(',').slice(0, 4)),
      [
        ['NAME', 'CLUSTER', 'READY', 'STATUS'],
        ['only-c1', 'c1', '0/1', 'Pending'],
        ['only-c2', 'c2', '0/1', 'Pending'],
        ['only-c3', 'c3', '0/1', 'Pending'],
        [''],
      ],
    );
  });

  test('a command of the user gets the whole result as JSON and prints what it likes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'flotilla-plugin-'));
    const script = `#!${process.execPath}
let text = '';
process.stdin.on('data', (chunk) => { text += chunk; }).on('end', () => {
  const { clusters, kind } = JSON.parse(text);
  console.log(kind, clusters.map(({ cluster, items }) => cluster + '=' + items.length).join(' '));
  process.exitCode = Number(process.env.CODE ?? 0);
});
`;
    writeFileSync(join(folder, 'kubectl-mc-output-sum'), script, { mode: 0o755 });
    const env = { PATH: folder };
    const sum = ['get', 'pods', '-o', 'plugin=sum'];
    try {
      assert.deepEqual(await runMc(sum, { ...fleet, env }), {
        code: 0,
        stdout: 'MultiClusterResult c1=3 c2=2 c3=3\n',
        stderr: '',
      });
      assert.equal((await runMc(sum, { ...fleet, env: { ...env, CODE: '7' } })).code, 7);
      assert.equal(
        (await get('pods', '-o', 'plugin=none')).stderr,
        'error: Cannot run output plugin "none": there is no command "kubectl-mc-output-none" on PATH\n',
      );
      assert.match((await get('pods', '-o', 'plugin=../x')).stderr, /names no output plugin/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('clusters have colours on terminals, and nowhere else', async () => {
    const shown = await runMc(['get', 'pod', 'web'], { ...fleet, terminal: true });
    const piped = await get('pod', 'web');

    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is looked for
    const colours = /\u001b\[\d+m(c\d)\u001b\[0m/g;
    assert.equal(shown.stdout.match(colours)?.length, 3);
    assert.equal(withoutAges(shown.stdout.replace(colours, '$1')), withoutAges(piped.stdout));
  });
});
