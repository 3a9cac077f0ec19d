// How does our API server compare with kube-apiserver and etcd, in one run on one machine?
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundle } from '../../tools/bundle.mjs';
import { ensureBinaries } from '../../tools/real-kubernetes/binaries.ts';
import { insideNetworkNamespace } from '../../tools/real-kubernetes/network-namespace.ts';
import { startReal } from '../../tools/real-kubernetes/start-real.ts';
import { type Figure, figure, printFigures, printTable, round } from '../figures.ts';
import { startOurs } from './ours.ts';
import type { Target } from './target.ts';

const quick = process.argv.includes('--quick');
const seconds = quick ? 2 : 6;
const largeCount = quick ? 20_000 : 100_000;
/** A load that hangs must not hang the benchmark. */
const LOAD_LIMIT_MS = 300_000;
const STARTS = quick ? 1 : 3;

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
const measured = { ours: await measure(ours), real: await measure(real) };
report(measured.ours, measured.real);

async function measure(start: () => Promise<Running>): Promise<Measured> {
  const starts: number[] = [];
  for (let i = 1; i < STARTS; i += 1) {
    const trial = await start();
    starts.push(trial.readyMs);
    await trial.stop();
  }
  const server = await start();
  starts.push(server.readyMs);
  starts.sort((a, b) => a - b);
  const { target } = server;
  try {
    await new Promise((resolve) => setTimeout(resolve, 3000));
    const emptyMb = server.memoryMb();
    for (const name of ['create', 'k1', 'k10', 'watch', 'large']) await namespace(target, name);
    const create1 = await load(target, { kind: 'create', clients: 1, namespace: 'create' });
    const create32 = await load(target, { kind: 'create', clients: 32, namespace: 'create' });
    await load(target, { kind: 'fill', clients: 32, count: 1000, namespace: 'k1' });
    await load(target, { kind: 'fill', clients: 32, count: 10_000, namespace: 'k10' });
    const get = await load(target, { kind: 'get', clients: 32, count: 1000, namespace: 'k1' });
    const list1k = await load(target, { kind: 'list', clients: 4, namespace: 'k1' });
    const list10k = await load(target, { kind: 'list', clients: 2, namespace: 'k10' });
    const under = await load(target, {
      kind: 'get-under-list',
      clients: 1,
      count: 1000,
      namespace: 'k10',
    });
    const fanout = await load(target, {
      kind: 'fanout',
      clients: 1000,
      count: quick ? 20 : 100,
      namespace: 'watch',
    });
    await load(target, {
      kind: 'fill',
      clients: 32,
      count: largeCount,
      bytes: 1700,
      namespace: 'large',
    });
    const fullMb = server.memoryMb();
    return {
      startMs: starts[Math.floor(starts.length / 2)] ?? 0,
      emptyMb,
      fullMb,
      create1: create1['perSecond'] ?? 0,
      create32: create32['perSecond'] ?? 0,
      get: get['perSecond'] ?? 0,
      list1k: list1k['perSecond'] ?? 0,
      list10k: list10k['perSecond'] ?? 0,
      fanout: fanout['perSecond'] ?? 0,
      p99: under['p99'] ?? 0,
    };
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
  const figures: Figure[] = rows.map(({ label, key, goal }) =>
    figure(label, mine[key] / theirs[key], { unit: 'ratio', goal }),
  );
  const table = rows.map(({ label, key, unit, goal }, index) => [
    label,
    `${round(mine[key])} ${unit}`,
    `${round(theirs[key])} ${unit}`,
    String(figures[index]?.value ?? ''),
    goal,
    figures[index]?.met === true ? 'met' : 'missed',
  ]);
  const header = ['', 'flotilla', 'kube-apiserver + etcd', 'ratio', 'goal', ''];
  printTable(header, table);
  if (!quick) writeAnswer(header, table);
  printFigures('api-server', figures);
}

/** Keeps the last full answer in the README, between the two marks. */
function writeAnswer(header: readonly string[], rows: readonly (readonly string[])[]): void {
  const file = join(FLOTILLA_ROOT, 'bench/api-server/README.md');
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const text = [
    `${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), Node ${process.version}, ${new Date().toISOString().slice(0, 10)}.`,
    '',
    line(header),
    line(header.map(() => '---')),
    ...rows.map(line),
  ].join('\n');
  const readme = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    readme.replace(
      /(<!-- answer -->)[\s\S]*?(<!-- end -->)/,
      (_all, open: string, close: string) => `${open}\n${text}\n${close}`,
    ),
  );
}
