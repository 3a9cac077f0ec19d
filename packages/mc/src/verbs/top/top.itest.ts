import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Client, Nodes } from '@flotilla/client';
import { systemClock } from '@flotilla/machinery';
import { type Measured, mountMetrics } from '@flotilla/testkit';
import { jsonAnswer, refusalAnswer } from '../../testing/fleet-server.ts';
import { runMc } from '../../testing/run-mc.ts';
import { startFleet, type TestFleet } from '../../testing/start-fleet.ts';
import { createPod } from '../get/testing/objects.ts';

const METRICS: Readonly<Record<string, Measured>> = {
  c1: {
    pods: [
      {
        name: 'web',
        labels: { app: 'web' },
        containers: {
          main: { cpu: '1500000n', memory: '2Mi' },
          extra: { cpu: '250m', memory: '1049000' },
        },
      },
      { name: 'api', containers: { main: { cpu: '3m', memory: '900Mi' } } },
      { name: 'web', namespace: 'shop', containers: { main: { cpu: '1', memory: '1Gi' } } },
    ],
    nodes: [
      { name: 'n2', usage: { cpu: '500m', memory: '1Gi' } },
      { name: 'n1', labels: { pool: 'a' }, usage: { cpu: '1999999999n', memory: '2047Mi' } },
      { name: 'gone', usage: { cpu: '1m', memory: '1Mi' } },
    ],
  },
  c2: {
    pods: [
      { name: 'web', labels: { app: 'web' }, containers: { main: { cpu: '7m', memory: '64Mi' } } },
    ],
    nodes: [{ name: 'm1', usage: { cpu: '250m', memory: '512Mi' } }],
  },
};

async function createNode(client: Client, name: string, status: object): Promise<void> {
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name }, status };
  await client.create(Nodes, node as never);
}

/** With the spaces at their end, which kubectl's have, too. */
function lines(text: string): string[] {
  return text.split('\n').slice(0, -1);
}

function words(text: string): string[] {
  return lines(text).map((line) => line.trim().replace(/ {2,}/g, ' | '));
}

describe('top on three clusters, one without metrics', () => {
  let fleet: TestFleet;
  const top = (...args: string[]) => runMc(['top', ...args], fleet);

  before(async () => {
    fleet = await startFleet({
      members: 3,
      server: (name) => {
        const measured = METRICS[name];
        return { mounts: measured === undefined ? [] : [mountMetrics(measured)] };
      },
    });
    const [c1, c2] = [fleet.member('c1').client, fleet.member('c2').client];
    const half = {
      allocatable: { cpu: '2', memory: '2Gi' },
      capacity: { cpu: '4', memory: '4Gi' },
    };
    await createNode(c1, 'n1', half);
    await createNode(c1, 'n2', { ...half, nodeInfo: { swap: { capacity: 1_073_741_824 } } });
    await createNode(c1, 'silent', half);
    await createNode(c2, 'm1', half);
  });
  after(() => fleet[Symbol.asyncDispose]());

  test('pods are one table, the cluster behind the name, and every cell ends with its padding', async () => {
    const { stdout, stderr, code } = await top('pods');

    assert.deepEqual(lines(stdout), [
      'NAME   CLUSTER   CPU(cores)   MEMORY(bytes)   ',
      'api    c1        3m           900Mi           ',
      'web    c1        252m         3Mi             ',
      'web    c2        7m           64Mi            ',
    ]);
    assert.deepEqual([stderr, code], ['', 0]);
  });

  test('the names that kubectl has for both are taken', async () => {
    const pods = await top('pods');
    const nodes = await top('nodes');

    for (const name of ['pod', 'po']) assert.deepEqual(await top(name), pods);
    for (const name of ['node', 'no']) assert.deepEqual(await top(name), nodes);
  });

  test('a cluster without the API is left out, which is told with -v', async () => {
    const { stderr, code } = await top('pods', '-v');

    assert.match(stderr, /^ {2}c3: absent: Metrics API not available$/m);
    assert.equal(code, 0);
    assert.equal((await top('pods', '--require-all')).code, 3);
  });

  test("when no cluster has the API it is told once, in kubectl's words", async () => {
    const { stdout, stderr, code } = await top('pods', '--clusters', 'c3');
    assert.deepEqual([stdout, stderr, code], ['', 'error: Metrics API not available\n', 1]);

    await using without = await startFleet({ members: 2 });
    const nodes = await runMc(['top', 'nodes'], without);
    assert.deepEqual(nodes, { stdout: '', stderr: 'error: Metrics API not available\n', code: 1 });
  });

  test('-A and several namespaces have a column for them', async () => {
    const all = await top('pods', '-A');
    const two = await top('pods', '-n', 'shop,default');

    assert.deepEqual(words(all.stdout), [
      'NAMESPACE | NAME | CLUSTER | CPU(cores) | MEMORY(bytes)',
      'default | api | c1 | 3m | 900Mi',
      'default | web | c1 | 252m | 3Mi',
      'shop | web | c1 | 1000m | 1024Mi',
      'default | web | c2 | 7m | 64Mi',
    ]);
    assert.equal(two.stdout, all.stdout);
  });

  test('--sort-by puts the most first, over all clusters', async () => {
    const byMemory = await top('pods', '-A', '--sort-by', 'memory', '--no-headers');
    const byCpu = await top('pods', '--sort-by=cpu', '--no-headers', '--cluster-column', 'first');

    assert.deepEqual(
      words(byMemory.stdout).map((line) => line.split(' | ').slice(1, 3).join(' ')),
      ['web c1', 'api c1', 'web c2', 'web c1'],
    );
    assert.deepEqual(words(byCpu.stdout), [
      'c1 | web | 252m | 3Mi',
      'c2 | web | 7m | 64Mi',
      'c1 | api | 3m | 900Mi',
    ]);
    const { stderr, code } = await top('pods', '--sort-by', 'name');
    assert.deepEqual([stderr, code], ['error: --sort-by accepts only cpu or memory\n', 1]);
  });

  test('--containers shows each of them', async () => {
    const { stdout } = await top('pod', 'web', '--containers');

    assert.deepEqual(lines(stdout), [
      'POD   NAME    CLUSTER   CPU(cores)   MEMORY(bytes)   ',
      'web   extra   c1        250m         1Mi             ',
      'web   main    c1        2m           2Mi             ',
      'web   main    c2        7m           64Mi            ',
    ]);
  });

  test('--sum adds up each cluster and all of them', async () => {
    const { stdout } = await top('pods', '--sum');

    assert.deepEqual(lines(stdout).slice(4), [
      '                 ________     ________        ',
      '       c1        255m         903Mi           ',
      '       c2        7m           64Mi            ',
      '                 ________     ________        ',
      '                 262m         967Mi           ',
    ]);
    const one = await top('pods', '--sum', '--clusters', 'c2', '-A', '--containers');
    assert.deepEqual(lines(one.stdout).slice(2), [
      '                                   ________     ________        ',
      '                         c2        7m           64Mi            ',
    ]);
    const nameless = await top('pods', '--sum', '--cluster-column', 'none');
    assert.deepEqual(words(nameless.stdout).slice(4), ['________ | ________', '262m | 967Mi']);
  });

  test('one pod by its name is shown where it is, and told of once where it is nowhere', async () => {
    const api = await top('pod', 'api', '--no-headers');
    const none = await top('pod', 'none');
    const round = await top('pod', 'c2:pod/web', '--no-headers');

    assert.deepEqual(words(api.stdout), ['api | c1 | 3m | 900Mi']);
    assert.deepEqual([api.stderr, api.code], ['', 0]);
    assert.match(
      none.stderr,
      /^Error from server \(NotFound\): podmetrics\.metrics\.k8s\.io "default\/none" not found/,
    );
    assert.equal(none.code, 1);
    assert.deepEqual(words(round.stdout), ['web | c2 | 7m | 64Mi']);
  });

  test('selectors are sent, and refused beside a name', async () => {
    const labelled = await top('pods', '-l', 'app=web', '--no-headers');
    const fields = await top('pods', '-A', '--field-selector', 'metadata.namespace=shop');

    assert.deepEqual(words(labelled.stdout), ['web | c1 | 252m | 3Mi', 'web | c2 | 7m | 64Mi']);
    assert.equal(words(fields.stdout).length, 2);
    for (const [args, text] of [
      [['pod', 'web', '-l', 'a=b'], 'only one of NAME or selector can be provided'],
      [['pod', 'web', '--field-selector', 'a=b'], 'only one of NAME or selector can be provided'],
      [['node', 'n1', '-l', 'a=b'], 'only one of NAME or --selector can be provided'],
      [['pods', '-o', 'wide'], 'unable to match a printer suitable for the output format "wide"'],
    ] as const) {
      const { stderr, code } = await top(...args);
      assert.ok(stderr.startsWith(`error: ${text}`), stderr);
      assert.equal(code, 1);
    }
    assert.match((await top('pod', 'a', 'b')).stderr, /^error: pod \[NAME \| -l label\]\n/);
  });

  test('nodes are compared with what pods may have of them, or with what they have', async () => {
    const { stdout, code } = await top('nodes');

    assert.deepEqual(lines(stdout), [
      'NAME     CLUSTER   CPU(cores)   CPU(%)      MEMORY(bytes)   MEMORY(%)   ',
      'gone     c1        1m           1Mi         ',
      'n1       c1        2000m        100%        2047Mi          99%         ',
      'n2       c1        500m         25%         1024Mi          50%         ',
      'silent   c1        <unknown>    <unknown>   <unknown>       <unknown>   ',
      'm1       c2        250m         12%         512Mi           25%         ',
    ]);
    assert.equal(code, 0);
    const capacity = await top('node', 'n1', '--show-capacity', '--no-headers');
    assert.deepEqual(words(capacity.stdout), ['n1 | c1 | 2000m | 50% | 2047Mi | 49%']);
    const sum = await top('nodes', '--sum', '--clusters', 'c1', '-l', 'none=no');
    assert.match(sum.stderr, /c1: error: metrics not available yet/);
  });

  test('nodes that tell of swap show it, and others do not know', async () => {
    const { stdout } = await top('nodes', '--show-swap', '--clusters', 'c1', '--sort-by', 'cpu');

    assert.deepEqual(
      words(stdout).map((line) => line.split(' | ').slice(-2).join(' ')),
      ['SWAP(bytes) SWAP(%)', '<unknown> <unknown>', '0Mi 0%', '1Mi 0Mi', '<unknown> <unknown>'],
    );
  });

  test('nodes of all clusters are added up, with what they have', async () => {
    const { stdout } = await top('nodes', '--sum', '--no-headers', '--clusters', 'c1,c2');

    assert.deepEqual(words(stdout).slice(-5), [
      '________ | ________ | ________ | ________',
      'c1 | 2501m | 62% | 3072Mi | 75%',
      'c2 | 250m | 12% | 512Mi | 25%',
      '________ | ________ | ________ | ________',
      '2751m | 45% | 3584Mi | 58%',
    ]);
  });

  test('-o json is the envelope, whatever became of clusters', async () => {
    const { stdout, code } = await top('pods', '-A', '-o', 'json');
    const yaml = await top('nodes', '-o', 'yaml');

    const result = JSON.parse(stdout) as {
      kind: string;
      clusters: { cluster: string; status: string; items: { kind: string }[] }[];
    };
    assert.equal(result.kind, 'MultiClusterResult');
    assert.deepEqual(
      result.clusters.map(({ cluster, status, items }) => [cluster, status, items.length]),
      [
        ['c1', 'ok', 3],
        ['c2', 'ok', 1],
        ['c3', 'absent', 0],
      ],
    );
    assert.equal(result.clusters[0]?.items[0]?.kind, 'PodMetrics');
    assert.equal(code, 0);
    assert.match(yaml.stdout, /^ {4}kind: NodeMetrics$/m);
    const { stderr } = await top('pods', '--sum', '-o', 'json');
    assert.equal(stderr, 'error: --sum cannot be used with json printer\n');
  });
});

describe('top where something is wrong', () => {
  test("no pods are told in kubectl's words, and pods without metrics are a failure", async () => {
    await using fleet = await startFleet({ server: { mounts: [mountMetrics({})] } });
    const empty = await runMc(['top', 'pods'], fleet);
    const everywhere = await runMc(['top', 'pods', '-A'], fleet);
    await createPod(fleet.member('c1').client, 'web');
    const young = await runMc(['top', 'pods'], fleet);
    const later = { ...systemClock, now: () => systemClock.now() + 121_000 };
    const old = await runMc(['top', 'pods'], { ...fleet, clock: later });

    const words = 'No resources found in default namespace.\n';
    assert.deepEqual(empty, { stdout: '', stderr: words, code: 0 });
    assert.deepEqual(everywhere, { stdout: '', stderr: 'No resources found\n', code: 0 });
    assert.match(young.stderr, /^ {2}c1: error: metrics not available yet$/m);
    assert.equal(young.code, 3);
    assert.match(old.stderr, /c1: error: Metrics not available for pod default\/web, age: 2m\d/);
  });

  test('a server that is ill, refuses or talks nonsense costs only itself', async () => {
    await using fleet = await startFleet({
      members: 5,
      server: { mounts: [mountMetrics(METRICS['c2'] ?? {})] },
    });
    fleet
      .member('c2')
      .answerWith(async () =>
        refusalAnswer(
          503,
          'ServiceUnavailable',
          'the server is currently unable to handle the request',
        ),
      );
    fleet.member('c3').answerWith(async () => refusalAnswer(403, 'Forbidden', 'no'));
    fleet.member('c4').answerWith(async () =>
      jsonAnswer(200, {
        kind: 'PodMetricsList',
        apiVersion: 'metrics.k8s.io/v1beta1',
        metadata: {},
        items: [{ metadata: { name: 'x' }, containers: [{ name: 'c', usage: { cpu: 'lots' } }] }],
      }),
    );
    fleet.member('c5').answerWith(async () => jsonAnswer(200, { items: [{ containers: 7 }] }));

    const { stdout, stderr, code } = await runMc(['top', 'pods', '-v'], fleet);

    assert.deepEqual(words(stdout).slice(1), ['web | c1 | 7m | 64Mi']);
    assert.match(stderr, /Failed to query 4\/5 clusters/);
    for (const cause of ['c2: error: ', 'c3: forbidden: no', 'c4: error: ', 'c5: error: ']) {
      assert.ok(stderr.includes(cause), stderr);
    }
    assert.equal(code, 3);
  });
});
