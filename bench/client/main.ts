// How do our client and @kubernetes/client-node compare, against the same server, each in a process of its own?
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient, createTransport } from '@flotilla/client';
import { systemClock as clock } from '@flotilla/machinery';
import { installClient } from '../../e2e/client-node/install.ts';
import { bundle } from '../../tools/bundle.mjs';
import { median, writeAnswer } from '../answer.ts';
import { startOurs } from '../api-server/ours.ts';
import type { Target } from '../api-server/target.ts';
import { type Figure, figure, printFigures, printTable, round } from '../figures.ts';
import type { Job, Report } from './job.ts';
import { fill, podBytes, sweep } from './pods.ts';

const quick = process.argv.includes('--quick');
const TURNS = quick ? 1 : 5;
const SECONDS = quick ? 2 : 4;
const INFORMERS = 50;
/** Whole objects of all of them would not fit into a default heap of client-node. */
const FULL_INFORMERS = 5;
const JOB_LIMIT_MS = 180_000;

const UNITS: Readonly<Record<keyof Report, string>> = {
  perSecond: '/s',
  cpuMs: 'ms',
  peakMb: 'MB',
  seconds: 's',
};

type Program = 'nothing' | 'ours' | 'client-node';
type Asked = Omit<Job, 'target' | 'seconds'>;

installClient();
const folder = join(FLOTILLA_ROOT, '.cache', 'bench', String(process.pid));
mkdirSync(folder, { recursive: true });
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const programs: readonly Program[] = ['nothing', 'ours', 'client-node'];
await bundle({
  entries: Object.fromEntries(programs.map((name) => [name, `bench/client/load-${name}.ts`])),
  outdir: folder,
  splitting: false,
  // A shipped bundle has none, and they count as memory.
  sourcemap: false,
});
const server = await startOurs();
try {
  await measureAll(server.target);
} finally {
  await server.stop();
}

async function measureAll(target: Target): Promise<void> {
  const client = connect(target);
  await fill(client);
  const bytes = await podBytes(client);
  const empty = await run('nothing', target, { kind: 'nothing', atOnce: 1 });
  const both = async (asked: Asked): Promise<Pair> => {
    const pair: { ours: Report[]; theirs: Report[] } = { ours: [], theirs: [] };
    // In turns, so that a slow minute of the machine is slow for both.
    for (let turn = 0; turn < TURNS; turn += 1) {
      pair.ours.push(await run('ours', target, asked));
      pair.theirs.push(await run('client-node', target, asked));
      if (asked.kind === 'create') await sweep(client);
    }
    return { ours: medians(pair.ours, empty), theirs: medians(pair.theirs, empty) };
  };
  const load = await both({ kind: 'nothing', atOnce: 1 });
  const get = await both({ kind: 'get', atOnce: 16 });
  const list = await both({ kind: 'list', atOnce: 2 });
  const create = await both({ kind: 'create', atOnce: 16 });
  const full = await both({ kind: 'informers', atOnce: FULL_INFORMERS });
  const metadata: Report[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    metadata.push(
      await run('ours', target, { kind: 'informers', atOnce: INFORMERS, mode: 'metadata' }),
    );
  }
  await client[Symbol.asyncDispose]();
  report({ load, get, list, create, full }, { bytes, empty, metadata });
}

/** Medians of both clients; memory is above that of an empty process. */
interface Pair {
  readonly ours: Report;
  readonly theirs: Report;
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

async function run(program: Program, target: Target, asked: Asked): Promise<Report> {
  const job: Job = { target, seconds: SECONDS, ...asked };
  // Reading the machine's own authorities costs memory that is no client's.
  const { NODE_EXTRA_CA_CERTS: _unneeded, NODE_OPTIONS: __, ...env } = process.env;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(folder, `${program}.mjs`), JSON.stringify(job)],
    { env, timeout: JOB_LIMIT_MS },
  );
  console.error(`${program} ${asked.kind} ${asked.mode ?? ''}: ${stdout.trim()}`);
  return JSON.parse(stdout) as Report;
}

function connect(target: Target) {
  const presented = { authorization: `Bearer ${target.token}` };
  const access = {
    server: `https://${target.host}:${target.port}`,
    tls: { ca: target.ca },
    credential: { present: async () => presented, refused: async () => false },
    namespace: 'default',
  };
  return createClient(createTransport({ access, clock, random: Math.random }));
}

interface Row {
  readonly figure: Figure;
  readonly ours: string;
  readonly theirs: string;
}

function report(
  pairs: Readonly<Record<'load' | 'get' | 'list' | 'create' | 'full', Pair>>,
  rest: { readonly bytes: number; readonly empty: Report; readonly metadata: readonly Report[] },
): void {
  const { load, get, list, create, full } = pairs;
  const whole = median(rest.metadata.map(({ peakMb }) => peakMb));
  const cpu = median(rest.metadata.map(({ cpuMs }) => cpuMs));
  const rows: Row[] = [
    ratio('get/s of a pod, 16 at a time', get, { key: 'perSecond', goal: '>= 5' }),
    ratio('CPU per get', get, { key: 'cpuMs', goal: '<= 0.2' }),
    ratio('memory of gets', get, { key: 'peakMb', goal: '<= 0.334' }),
    ratio('list/s of 2,000 pods, 2 at a time', list, { key: 'perSecond', goal: '' }),
    ratio('CPU per list', list, { key: 'cpuMs', goal: '' }),
    ratio('memory of lists', list, { key: 'peakMb', goal: '<= 0.334' }),
    ratio('create/s of a ConfigMap, 16 at a time', create, { key: 'perSecond', goal: '' }),
    ratio('CPU per create', create, { key: 'cpuMs', goal: '' }),
    ratio('memory of creates', create, { key: 'peakMb', goal: '<= 0.334' }),
    ratio('CPU of loading it', load, { key: 'cpuMs', goal: '' }),
    ratio('memory of loading it', load, { key: 'peakMb', goal: '<= 0.334' }),
    ratio(`memory of ${FULL_INFORMERS} informers, whole pods`, full, { key: 'peakMb', goal: '' }),
    ratio(`CPU of ${FULL_INFORMERS} informers, whole pods`, full, { key: 'cpuMs', goal: '' }),
    {
      figure: figure(`memory of ${INFORMERS} informers, metadata, and the process`, whole, {
        unit: 'MB',
        goal: '<= 150',
      }),
      ours: `${round(whole)} MB`,
      theirs: '–',
    },
    {
      figure: figure(`CPU of ${INFORMERS} informers, metadata`, cpu, { unit: 'ms' }),
      ours: `${round(cpu)} ms`,
      theirs: '–',
    },
  ];
  const header = ['', 'flotilla', 'client-node', 'ratio', 'goal', ''];
  const table = rows.map((row) => [
    row.figure.name,
    row.ours,
    row.theirs,
    row.figure.unit === 'ratio' ? String(row.figure.value) : '',
    row.figure.goal,
    row.figure.met === null ? '' : row.figure.met ? 'met' : 'missed',
  ]);
  console.log(`a pod is ${rest.bytes} bytes; an empty process ${round(rest.empty.peakMb)} MB`);
  printTable(header, table);
  if (!quick) writeAnswer('client', header, table);
  printFigures(
    'client',
    rows.map((row) => row.figure),
  );
}

function ratio(
  name: string,
  { ours, theirs }: Pair,
  { key, goal }: { readonly key: keyof Report; readonly goal: string },
): Row {
  return {
    figure: figure(name, ours[key] / theirs[key], { unit: 'ratio', goal }),
    ours: `${round(ours[key])} ${UNITS[key]}`,
    theirs: `${round(theirs[key])} ${UNITS[key]}`,
  };
}
