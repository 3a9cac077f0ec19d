// How do our client and @kubernetes/client-node compare, against the same server, each in a process of its own?
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installClient } from '../../e2e/client-node/install.ts';
import { bundle } from '../../tools/bundle.mjs';
import { startOurs } from '../api-server/ours.ts';
import type { Target } from '../api-server/target.ts';
import { median, ownRow, type Row, ratioRow, tell } from '../compare.ts';
import { connectTo } from '../connect.ts';
import { round } from '../figures.ts';
import { plainEnvironment } from '../resources.ts';
import type { Job, Report } from './job.ts';
import { fill, podBytes, sweep } from './pods.ts';

const quick = process.argv.includes('--quick');
const TURNS = quick ? 1 : 5;
const SECONDS = quick ? 2 : 4;
const INFORMERS = 50;
/** The same work for both, whoever does it faster. */
const SAME_REQUESTS = 2000;
/** Whole objects of all of them would not fit into client-node's default heap. */
const FULL_INFORMERS = 5;
const JOB_LIMIT_MS = 180_000;
const A_THIRD = '<= 0.333';
const PROGRAMS = ['nothing', 'ours', 'client-node'] as const;

type Program = (typeof PROGRAMS)[number];
type Asked = Omit<Job, 'target' | 'seconds'>;

/** Medians of both clients; memory is above that of an empty process. */
interface Pair {
  readonly ours: Report;
  readonly theirs: Report;
}

interface Measured {
  readonly load: Pair;
  readonly get: Pair;
  readonly sameGets: Pair;
  readonly list: Pair;
  readonly create: Pair;
  readonly wholePods: Pair;
  /** Ours alone: client-node knows no such thing. */
  readonly metadata: Report;
}

installClient();
const folder = join(FLOTILLA_ROOT, '.cache', 'bench', String(process.pid));
mkdirSync(folder, { recursive: true });
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
await bundle({
  entries: Object.fromEntries(PROGRAMS.map((name) => [name, `bench/client/load-${name}.ts`])),
  outdir: folder,
  splitting: false,
  // A shipped bundle has none, and they count as memory.
  sourcemap: false,
});
const server = await startOurs();
try {
  await using client = connectTo(server.target);
  await fill(client);
  const empty = await run('nothing', { kind: 'nothing', atOnce: 1 });
  const measured = await measureAll(empty, () => sweep(client));
  const facts = `A pod is ${await podBytes(client)} bytes, an empty process ${round(empty.peakMb)} MB.`;
  tell({
    bench: 'client',
    peer: 'client-node',
    rows: rowsOf(measured, empty),
    facts,
    isFull: !quick,
  });
} finally {
  await server.stop();
}

async function measureAll(empty: Report, afterTurn: () => Promise<void>): Promise<Measured> {
  const both = async (asked: Asked): Promise<Pair> => {
    const ours: Report[] = [];
    const theirs: Report[] = [];
    // In turns, so that a slow minute of the machine is slow for both.
    for (let turn = 0; turn < TURNS; turn += 1) {
      ours.push(await run('ours', asked));
      theirs.push(await run('client-node', asked));
      await afterTurn();
    }
    return { ours: medians(ours, empty), theirs: medians(theirs, empty) };
  };
  const load = await both({ kind: 'nothing', atOnce: 1 });
  const get = await both({ kind: 'get', atOnce: 16 });
  const sameGets = await both({ kind: 'get', atOnce: 16, requests: SAME_REQUESTS });
  const list = await both({ kind: 'list', atOnce: 2 });
  const create = await both({ kind: 'create', atOnce: 16 });
  const wholePods = await both({ kind: 'informers', atOnce: FULL_INFORMERS });
  const metadata: Report[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    metadata.push(await run('ours', { kind: 'informers', atOnce: INFORMERS, mode: 'metadata' }));
  }
  return { load, get, sameGets, list, create, wholePods, metadata: medians(metadata, empty) };
}

function medians(reports: readonly Report[], empty: Report): Report {
  const of = (key: keyof Report) => median(reports.map((each) => each[key]));
  return {
    perSecond: of('perSecond'),
    cpuMs: of('cpuMs'),
    seconds: of('seconds'),
    peakMb: of('peakMb') - empty.peakMb,
  };
}

async function run(program: Program, asked: Asked): Promise<Report> {
  const job: Job = { target: server.target as Target, seconds: SECONDS, ...asked };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(folder, `${program}.mjs`), JSON.stringify(job)],
    { env: plainEnvironment(), timeout: JOB_LIMIT_MS },
  );
  console.error(`${program} ${asked.kind} ${asked.mode ?? ''}: ${stdout.trim()}`);
  return JSON.parse(stdout) as Report;
}

function rowsOf(measured: Measured, empty: Report): Row[] {
  const { load, get, sameGets, list, create, wholePods, metadata } = measured;
  const row = (
    name: string,
    { ours, theirs }: Pair,
    { key, goal = '' }: { key: keyof Report; goal?: string },
  ): Row => ratioRow(name, { ours: ours[key], theirs: theirs[key], unit: unitOf(key), goal });
  const whole = `${FULL_INFORMERS} informers of 2,000 whole pods`;
  const partial = `${INFORMERS} informers of the metadata of 2,000 pods`;
  return [
    row('get/s of a pod, 16 at a time', get, { key: 'perSecond', goal: '>= 5' }),
    row('  CPU of each', get, { key: 'cpuMs' }),
    row('  memory', get, { key: 'peakMb', goal: A_THIRD }),
    row('  memory of 2,000 gets, however fast', sameGets, { key: 'peakMb', goal: A_THIRD }),
    row('create/s of a ConfigMap of 1 KB, 16 at a time', create, {
      key: 'perSecond',
      goal: '>= 5',
    }),
    row('  CPU of each', create, { key: 'cpuMs' }),
    row('  memory', create, { key: 'peakMb', goal: A_THIRD }),
    row('list/s of 2,000 pods, 2 at a time', list, { key: 'perSecond', goal: '>= 5' }),
    row('  CPU of each', list, { key: 'cpuMs' }),
    row('  memory', list, { key: 'peakMb', goal: A_THIRD }),
    row('CPU of loading the client', load, { key: 'cpuMs' }),
    row('  memory', load, { key: 'peakMb', goal: A_THIRD }),
    row(`CPU of ${whole}`, wholePods, { key: 'cpuMs' }),
    row('  memory', wholePods, { key: 'peakMb' }),
    ownRow(`CPU of ${partial}`, { ours: metadata.cpuMs, unit: 'ms' }),
    ownRow('  memory, with the process', {
      ours: metadata.peakMb + empty.peakMb,
      unit: 'MB',
      goal: '<= 150',
    }),
  ];
}

function unitOf(key: keyof Report): string {
  return { perSecond: '/s', cpuMs: 'ms', peakMb: 'MB', seconds: 's' }[key];
}
