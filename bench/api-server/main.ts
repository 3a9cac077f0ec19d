// How does our API server compare with kube-apiserver and etcd, in one run on one machine?
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundle } from '../../tools/bundle.mjs';
import { ensureBinaries } from '../../tools/real-kubernetes/binaries.ts';
import { insideNetworkNamespace } from '../../tools/real-kubernetes/network-namespace.ts';
import { startReal } from '../../tools/real-kubernetes/start-real.ts';
import { median, ratioRow, tell } from '../compare.ts';
import { startOurs } from './ours.ts';
import type { Target } from './target.ts';

const quick = process.argv.includes('--quick');
const seconds = quick ? 2 : 3;
const largeCount = quick ? 20_000 : 100_000;
/** A load that hangs must not hang the benchmark. */
const LOAD_LIMIT_MS = 300_000;
const TURNS = quick ? 1 : 5;
const FILL = { kind: 'fill', clients: 32 };

ensureBinaries(['etcd', 'kube-apiserver', 'kubectl']);
await insideNetworkNamespace();

interface Measured {
  readonly startMs: number;
  readonly emptyMb: number;
  readonly fullMb: number;
  readonly create1: number;
  readonly create32: number;
  readonly get: number;
  readonly list1k: number;
  readonly list10k: number;
  readonly fanout: number;
  readonly p99: number;
}

type Loaded = Omit<Measured, 'startMs' | 'fullMb'>;

interface Running {
  readonly target: Target;
  readonly readyMs: number;
  readonly memoryMb: () => number;
  readonly stop: () => Promise<void>;
}

const folder = join(FLOTILLA_ROOT, '.cache', 'bench', String(process.pid));
mkdirSync(folder, { recursive: true });
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
await bundle({ entries: { load: 'bench/api-server/load.ts' }, outdir: folder });

// Builds the bundle, so that no start is measured with a build in it.
await (await ours()).stop();
const startMs = { ours: await startUp(ours), real: await startUp(real) };
const [mine, theirs] = await measureBoth(await ours(), await real());
// Fresh ones, or the faster server would also have to hold what it was faster to create.
const fullMb = { ours: await fullMemory(await ours()), real: await fullMemory(await real()) };
report(
  { ...mine, startMs: startMs.ours, fullMb: fullMb.ours },
  { ...theirs, startMs: startMs.real, fullMb: fullMb.real },
);

/** The median time from nothing to ready. */
async function startUp(start: () => Promise<Running>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < TURNS; i += 1) {
    const trial = await start();
    times.push(trial.readyMs);
    await trial.stop();
  }
  return median(times);
}

/** Both run at once and take turns under load, so that a slow minute of the machine is slow for both. */
async function measureBoth(...servers: [Running, Running]): Promise<[Loaded, Loaded]> {
  const [first, second] = servers;
  const turns = async (job: Record<string, unknown>, figure: string): Promise<[number, number]> => {
    const results: [number[], number[]] = [[], []];
    for (let turn = 0; turn < TURNS; turn += 1) {
      results[0].push((await load(first.target, { ...job, turn }))[figure] ?? 0);
      results[1].push((await load(second.target, { ...job, turn }))[figure] ?? 0);
    }
    return [median(results[0]), median(results[1])];
  };
  const fill = async (job: Record<string, unknown>): Promise<void> => {
    for (const { target } of servers) await load(target, { ...FILL, ...job });
  };
  try {
    await new Promise((resolve) => setTimeout(resolve, 3000));
    const emptyMb = servers.map((server) => server.memoryMb());
    for (const name of ['create', 'k1', 'k10', 'watch']) {
      for (const { target } of servers) await namespace(target, name);
    }
    const create1 = await turns({ kind: 'create', clients: 1, namespace: 'create' }, 'perSecond');
    const create32 = await turns({ kind: 'create', clients: 32, namespace: 'create' }, 'perSecond');
    await fill({ count: 1000, namespace: 'k1' });
    await fill({ count: 10_000, namespace: 'k10' });
    const get = await turns(
      { kind: 'get', clients: 32, count: 1000, namespace: 'k1' },
      'perSecond',
    );
    const list1k = await turns({ kind: 'list', clients: 4, namespace: 'k1' }, 'perSecond');
    const list10k = await turns({ kind: 'list', clients: 2, namespace: 'k10' }, 'perSecond');
    const p99 = await turns(
      { kind: 'get-under-list', clients: 1, count: 1000, namespace: 'k10' },
      'p99',
    );
    const fanout = await turns(
      { kind: 'fanout', clients: 1000, count: quick ? 20 : 50, namespace: 'watch' },
      'perSecond',
    );
    const of = (index: 0 | 1): Loaded => ({
      emptyMb: emptyMb[index] ?? 0,
      create1: create1[index],
      create32: create32[index],
      get: get[index],
      list1k: list1k[index],
      list10k: list10k[index],
      fanout: fanout[index],
      p99: p99[index],
    });
    return [of(0), of(1)];
  } finally {
    for (const server of servers) await server.stop();
  }
}

/** What a server takes that holds the large collection and nothing else. */
async function fullMemory(server: Running): Promise<number> {
  try {
    await namespace(server.target, 'large');
    await load(server.target, { ...FILL, count: largeCount, bytes: 1700, namespace: 'large' });
    return server.memoryMb();
  } finally {
    await server.stop();
  }
}

async function ours(): Promise<Running> {
  const server = await startOurs();
  return {
    target: server.target,
    readyMs: server.readyMs,
    memoryMb: () => residentMb(server.pid),
    stop: server.stop,
  };
}

async function real(): Promise<Running> {
  const begun = performance.now();
  const server = await startReal();
  const readyMs = performance.now() - begun;
  const url = new URL(server.url);
  return {
    target: {
      name: 'real',
      host: '127.0.0.1',
      port: Number(url.port),
      token: server.token,
      ca: readFileSync(server.caFile, 'utf8'),
    },
    readyMs,
    memoryMb: () => Object.values(server.pids).reduce((sum, pid) => sum + residentMb(pid), 0),
    stop: server.stop,
  };
}

/** VmRSS, as the kernel counts it: mapped file pages included. */
function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

async function load(target: Target, job: Record<string, unknown>): Promise<Record<string, number>> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(folder, 'load.mjs'), JSON.stringify({ target, seconds, ...job })],
    { maxBuffer: 1 << 20, timeout: LOAD_LIMIT_MS },
  );
  console.error(`${target.name} ${String(job['kind'])}: ${stdout.trim()}`);
  return JSON.parse(stdout) as Record<string, number>;
}

async function namespace(target: Target, name: string): Promise<void> {
  const { RawConnection } = await import('./raw-client.ts');
  const connection = await RawConnection.open(target);
  const body = JSON.stringify({ kind: 'Namespace', apiVersion: 'v1', metadata: { name } });
  await connection.send('POST', '/api/v1/namespaces', body);
  connection.close();
}

function report(mine: Measured, theirs: Measured): void {
  const rows: { label: string; key: keyof Measured; unit: string; goal: string }[] = [
    { label: 'create/s, 1 client (durable)', key: 'create1', unit: '/s', goal: '>= 2' },
    { label: 'create/s, 32 clients (durable)', key: 'create32', unit: '/s', goal: '>= 3' },
    { label: 'get/s, 32 clients', key: 'get', unit: '/s', goal: '>= 4' },
    { label: 'list/s of 1,000 objects', key: 'list1k', unit: '/s', goal: '>= 4' },
    { label: 'list/s of 10,000 objects', key: 'list10k', unit: '/s', goal: '>= 4' },
    { label: 'watch events/s to 1,000 watchers', key: 'fanout', unit: '/s', goal: '>= 2' },
    { label: 'p99 of a get during 10,000-object lists', key: 'p99', unit: 'ms', goal: '<= 1' },
    { label: 'start-up', key: 'startMs', unit: 'ms', goal: '<= 0.1' },
    { label: 'resident memory, empty', key: 'emptyMb', unit: 'MB', goal: '<= 0.25' },
    {
      label: `resident memory, ${largeCount.toLocaleString('en')} objects of 2 KB`,
      key: 'fullMb',
      unit: 'MB',
      goal: '<= 0.25',
    },
  ];
  tell({
    bench: 'api-server',
    peer: 'kube-apiserver + etcd',
    rows: rows.map(({ label, key, unit, goal }) =>
      ratioRow(label, { ours: mine[key], theirs: theirs[key], unit, goal }),
    ),
    facts: `Medians of ${TURNS} alternating turns.`,
    isFull: !quick,
  });
}
