// What `kubectl mc top` prints of one cluster, compared with the real kubectl, on our server with measured pods and nodes.
import { after, before, describe, test } from 'node:test';
import { Nodes } from '@flotilla/client';
import { type Measured, mountMetrics, startServer, type TestApiServer } from '@flotilla/testkit';
import { connectClient } from '../../packages/testkit/src/testing/connect-client.ts';
import { assertSame, type McSide, mcSide, withoutClusters } from './mc-side.ts';

const MEASURED: Measured = {
  pods: [
    {
      name: 'web',
      labels: { app: 'web' },
      containers: {
        main: { cpu: '1500000n', memory: '2Mi' },
        'a-longer-name': { cpu: '250m', memory: '1049000' },
      },
    },
    {
      name: 'a-much-longer-name-of-something',
      containers: { main: { cpu: '3m', memory: '900Mi' } },
    },
    { name: 'idle', containers: { main: { cpu: '0', memory: '0' } } },
    { name: 'half', containers: { main: { cpu: '999n' } } },
    { name: 'empty', containers: {} },
    { name: 'web', namespace: 'shop', containers: { main: { cpu: '12', memory: '3Ti' } } },
  ],
  nodes: [
    { name: 'n2', labels: { pool: 'b' }, usage: { cpu: '500m', memory: '1Gi' } },
    {
      name: 'n1',
      labels: { pool: 'a' },
      usage: { cpu: '1999999999n', memory: '2047Mi', swap: '1Mi' },
    },
    { name: 'none', usage: { cpu: '1m', memory: '1Mi' } },
    { name: 'gone', usage: { cpu: '1m', memory: '1Mi' } },
  ],
};

const RESOURCES = {
  allocatable: { cpu: '1930m', memory: '2Gi' },
  capacity: { cpu: '4', memory: '4Gi' },
};
const NODES: Readonly<Record<string, object>> = {
  n1: { ...RESOURCES, nodeInfo: { swap: { capacity: 1_073_741_824 } } },
  n2: RESOURCES,
  none: { allocatable: { cpu: '0', memory: '0' } },
  silent: RESOURCES,
};

const COMMANDS: readonly (readonly string[])[] = [
  ['top', 'pods'],
  ['top', 'pod'],
  ['top', 'po', '--no-headers'],
  ['top', 'pods', '-A'],
  ['top', 'pods', '-n', 'shop'],
  ['top', 'pods', '--containers'],
  ['top', 'pods', '-A', '--containers'],
  ['top', 'pods', '--sum'],
  ['top', 'pods', '-A', '--sum'],
  ['top', 'pods', '-A', '--sum', '--containers'],
  ['top', 'pods', '--sum', '--no-headers'],
  ['top', 'pods', '--sort-by', 'cpu'],
  ['top', 'pods', '-A', '--sort-by=memory', '--containers', '--sum'],
  ['top', 'pods', '-l', 'app=web'],
  ['top', 'pods', '-A', '--field-selector', 'metadata.namespace=shop'],
  ['top', 'pods', '--show-swap'],
  ['top', 'pods', '--use-protocol-buffers=false'],
  ['top', 'pod', 'web'],
  ['top', 'pod', 'web', '--containers', '--sum'],
  ['top', 'nodes'],
  ['top', 'no', '--no-headers'],
  ['top', 'node', 'n1'],
  ['top', 'nodes', '-l', 'pool=a'],
  ['top', 'nodes', '--sort-by', 'memory'],
  ['top', 'nodes', '--sort-by', 'cpu', '--show-capacity'],
  ['top', 'nodes', '--show-swap'],
];

/** What is said where there is nothing to show, and of what cannot be meant. */
const WORDS: readonly (readonly string[])[] = [
  ['top', 'pods', '-n', 'nowhere'],
  ['top', 'pods', '-l', 'app=none'],
  ['top', 'pods', '-A', '-l', 'app=none'],
  ['top', 'pod', 'none'],
  ['top', 'node', 'none-such'],
  ['top', 'pods', '--sort-by', 'name'],
  ['top', 'pod', 'web', '-l', 'app=web'],
  ['top', 'node', 'n1', '-l', 'app=web'],
  ['top', 'pods', '-l', 'app in'],
];

function sideOf({ access, url }: TestApiServer): McSide {
  const ca = String(access.tls?.ca);
  const stop = async (): Promise<void> => {};
  return mcSide({ name: 'ours', url, token: 'admin', ca, kubeconfig: '', stop });
}

describe('on a server with metrics', { timeout: 300_000 }, () => {
  let server: TestApiServer;
  let both: McSide;

  before(async () => {
    server = await startServer({ mounts: [mountMetrics(MEASURED)] });
    await using client = connectClient(server.access);
    for (const [name, status] of Object.entries(NODES)) {
      const labels = { pool: name === 'n1' ? 'a' : 'b' };
      const node = { apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, status };
      await client.create(Nodes, node as never);
    }
    both = sideOf(server);
  });
  after(async () => {
    await both[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  test('tables are printed as kubectl prints them, to the last space', async () => {
    for (const args of COMMANDS) {
      await assertSame(both, { args, ours: ['--cluster-column', 'none'] });
    }
  });

  test('the CLUSTER column is all that is added', async () => {
    for (const args of COMMANDS.filter((words) => !words.includes('--no-headers'))) {
      await assertSame(both, { args, adapt: withoutClusters });
    }
  });

  test('what there is not is told in the same words', async () => {
    for (const args of WORDS) await assertSame(both, { args });
  });
});

describe('on a server without metrics', { timeout: 60_000 }, () => {
  test('is told in the same words', async () => {
    await using server = await startServer();
    await using both = sideOf(server);

    await assertSame(both, { args: ['top', 'pods'] });
    await assertSame(both, { args: ['top', 'nodes'] });
  });
});
