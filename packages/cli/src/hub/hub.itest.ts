import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type ClusterRegistration, ClusterRegistrations } from '@flotilla/api';
import { createClient, createTransport, Secrets } from '@flotilla/client';
import { systemClock as clock, isNotFound } from '@flotilla/machinery';
import { eventually, startServer, type TestApiServer } from '@flotilla/testkit';
import { hubConfig } from './config.ts';
import { runHub } from './hub.ts';

const random = () => 0.5;

test('flotilla hub installs our kinds, joins a cluster, tells how it does, and ends when told to', async () => {
  await using server = await startServer();
  await using member = await startServer();
  await using client = createClient(createTransport({ access: server.access, clock, random }));
  const folder = await mkdtemp(join(tmpdir(), 'flotilla-hub-'));
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, kubeconfigOf(server));
  const port = await freePort();
  const config = hubConfig(
    { kubeconfig, allowLoopback: true, metricsAddress: String(port), leaderElect: true },
    { hostname: 'test', readFile: () => '' },
  );
  const stop = new AbortController();
  const lines: string[] = [];
  const io = {
    env: {},
    homeFolder: folder,
    signal: stop.signal,
    err: (line: string) => void lines.push(line),
  };
  const running = runHub(config, io, random);

  await eventually(() => client.list(ClusterRegistrations), Boolean, { tolerates: isNotFound });
  await client.create(Secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: 'default', name: 'one' },
    data: { kubeconfig: Buffer.from(kubeconfigOf(member)).toString('base64') },
  });
  await client.create(ClusterRegistrations, {
    apiVersion: 'multicluster.oam.dev/v1alpha1',
    kind: 'ClusterRegistration',
    metadata: { namespace: 'default', name: 'one' },
    spec: { credentialSource: { secretRef: { name: 'one' } } },
  } as unknown as ClusterRegistration);
  await eventually(
    () => client.get(ClusterRegistrations, { namespace: 'default', name: 'one' }),
    ({ status }) => status?.phase === 'Ready',
    { withinMs: 30_000 },
  );
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  assert.match(text, /flotilla_registration_phase\{phase="Ready"\} 1/);
  assert.match(text, /flotilla_registration_heartbeat_seconds_count 1/);
  assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200);

  stop.abort();
  assert.equal(await running, 0);
  await rm(folder, { recursive: true });
  assert.ok(!lines.join('').includes('admin'), lines.join(''));
});

function kubeconfigOf({ access }: TestApiServer): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'it',
    contexts: [{ name: 'it', context: { cluster: 'it', user: 'it' } }],
    users: [{ name: 'it', user: { token: 'admin' } }],
    clusters: [
      {
        name: 'it',
        cluster: {
          server: access.server,
          'certificate-authority-data': Buffer.from(access.tls.ca ?? '').toString('base64'),
        },
      },
    ],
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
