// How long does a test suite wait for its control plane: our stand-ins, or kube-apiserver and etcd?
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get as httpGet } from 'node:http';
import { get as httpsGet } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createSigningKey } from '../../packages/apiserver/src/authn/jwt.ts';
import { binaryPath, ensureBinaries } from '../../tools/real-kubernetes/binaries.ts';
import { insideNetworkNamespace } from '../../tools/real-kubernetes/network-namespace.ts';
import { median, ownRow, ratioRow, tell } from '../compare.ts';

const quick = process.argv.includes('--quick');
const TURNS = quick ? 3 : 9;
const WITHIN_MS = 60_000;

ensureBinaries(['etcd', 'kube-apiserver']);
await insideNetworkNamespace();

/** What one start and stop took, in milliseconds. */
interface Times {
  readonly server: number;
  readonly both: number;
  readonly stop: number;
  /** Processor time of both until ready, which a busy machine hardly changes. */
  readonly cpu: number;
}

const ASSETS = {
  ours: join(FLOTILLA_ROOT, 'packages', 'cli', 'envtest'),
  real: dirname(binaryPath('kube-apiserver')),
};

// Builds the bundle, so that no start is measured with a build in it.
await measure(ASSETS.ours);
const ours: Times[] = [];
const real: Times[] = [];
// In turns, so that a slow minute of the machine is slow for both.
for (let turn = 0; turn < TURNS; turn += 1) {
  ours.push(await measure(ASSETS.ours));
  real.push(await measure(ASSETS.real));
}
report(medians(ours), medians(real));

/** Starts etcd and kube-apiserver one after the other, as envtest does, and stops them. */
async function measure(assets: string): Promise<Times> {
  const folder = mkdtempSync(join(tmpdir(), 'flotilla-bench-'));
  const children: ChildProcess[] = [];
  const start = (name: string, flags: readonly string[]): ChildProcess => {
    const child = spawn(join(assets, name), flags, { stdio: 'ignore', env: plainEnvironment() });
    children.push(child);
    return child;
  };
  try {
    const [port, client, peer] = await freePorts(3);
    const { pem, publicKey } = createSigningKey();
    const key = join(folder, 'sa.key');
    const verifier = join(folder, 'sa.pub');
    writeFileSync(key, pem);
    writeFileSync(verifier, publicKey.export({ type: 'spki', format: 'pem' }));
    mkdirSync(join(folder, 'certificates'));
    const begun = performance.now();
    const etcd = start('etcd', [
      `--data-dir=${join(folder, 'etcd')}`,
      `--listen-client-urls=http://127.0.0.1:${client}`,
      `--advertise-client-urls=http://127.0.0.1:${client}`,
      `--listen-peer-urls=http://127.0.0.1:${peer}`,
      '--unsafe-no-fsync=true',
    ]);
    await until(etcd, () => status(httpGet, `http://127.0.0.1:${client}/health`));
    const serverBegun = performance.now();
    const server = start('kube-apiserver', [
      `--etcd-servers=http://127.0.0.1:${client}`,
      '--bind-address=127.0.0.1',
      '--advertise-address=192.0.2.1',
      `--secure-port=${port}`,
      `--cert-dir=${join(folder, 'certificates')}`,
      `--service-account-key-file=${verifier}`,
      `--service-account-signing-key-file=${key}`,
      `--service-account-issuer=https://127.0.0.1:${port}/`,
      '--authorization-mode=RBAC',
      '--service-cluster-ip-range=10.0.0.0/24',
      '--disable-admission-plugins=ServiceAccount',
      '--allow-privileged=true',
    ]);
    await until(server, () => status(httpsGet, `https://127.0.0.1:${port}/readyz`));
    const ready = performance.now();
    const cpu = processorMs(etcd) + processorMs(server);
    await stop(server);
    await stop(etcd);
    return {
      server: ready - serverBegun,
      both: ready - begun,
      stop: performance.now() - ready,
      cpu,
    };
  } finally {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** User and system time so far; the kernel counts in hundredths of a second. */
function processorMs({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

async function until(child: ChildProcess, ask: () => Promise<number>): Promise<void> {
  const deadline = performance.now() + WITHIN_MS;
  while ((await ask()) !== 200) {
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}`);
    if (performance.now() > deadline) throw new Error('It is not ready in time');
    await delay(2);
  }
}

function status(get: typeof httpGet, url: string): Promise<number> {
  return new Promise((resolve) => {
    const options = { agent: false as const, rejectUnauthorized: false };
    get(url, options, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    }).on('error', () => resolve(0));
  });
}

/** Reading the machine's own authorities costs a Node process 40 ms that are not ours. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS: _slow, ...rest } = process.env;
  return rest;
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return ports;
}

function medians(all: readonly Times[]): Times {
  const of = (key: keyof Times): number => median(all.map((times) => times[key]));
  return { server: of('server'), both: of('both'), stop: of('stop'), cpu: of('cpu') };
}

function report(mine: Times, theirs: Times): void {
  const rows: { label: string; key: keyof Times; goal: string }[] = [
    { label: 'kube-apiserver, from nothing to /readyz', key: 'server', goal: '<= 0.15' },
    { label: 'etcd, then kube-apiserver, as envtest starts them', key: 'both', goal: '<= 0.2' },
    { label: 'processor time of both until then', key: 'cpu', goal: '<= 0.2' },
    { label: 'SIGTERM to the end of both', key: 'stop', goal: '<= 1' },
  ];
  tell({
    bench: 'envtest',
    peer: 'kube-apiserver + etcd',
    rows: [
      ...rows.map(({ label, key, goal }) =>
        ratioRow(label, { ours: mine[key], theirs: theirs[key], unit: 'ms', goal }),
      ),
      ownRow('start-up of our kube-apiserver', { ours: mine.server, unit: 'ms', goal: '<= 500' }),
    ],
    facts: `Medians of ${TURNS} alternating turns.`,
    isFull: !quick,
  });
}
