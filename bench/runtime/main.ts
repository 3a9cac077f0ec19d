// How fast are 10,000 reconciles, on our runtime and on controller-runtime, against the same server?
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundle } from '../../tools/bundle.mjs';
import { startOurs } from '../api-server/ours.ts';
import { median, ownRow, type Row, ratioRow, tell } from '../compare.ts';
import { connectTo } from '../connect.ts';
import { plainEnvironment } from '../resources.ts';
import { fill } from './fill.ts';
import type { Job, Report } from './job.ts';
import { buildProgram, PROGRAM } from './program.ts';

const quick = process.argv.includes('--quick');
const TURNS = quick ? 1 : 5;
const COUNT = 10_000;
const CONCURRENCY = 8;
const JOB_LIMIT_MS = 180_000;

type Side = 'ours' | 'theirs';
type Measured = Readonly<Record<'reading' | 'writing', Record<Side, Report>>>;

buildProgram();
const folder = join(FLOTILLA_ROOT, '.cache', 'bench', String(process.pid));
mkdirSync(folder, { recursive: true });
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
await bundle({
  entries: { ours: 'bench/runtime/ours.ts' },
  outdir: folder,
  splitting: false,
  sourcemap: false,
});
const server = await startOurs();
try {
  await using client = connectTo(server.target);
  await fill(client, COUNT);
  const rows = rowsOf(await measureAll());
  const facts = `${COUNT.toLocaleString('en')} objects, ${CONCURRENCY} passes at a time.`;
  tell({ bench: 'runtime', peer: 'controller-runtime', rows, facts, isFull: !quick });
} finally {
  await server.stop();
}

async function measureAll(): Promise<Measured> {
  const reports = {
    reading: { ours: [] as Report[], theirs: [] as Report[] },
    writing: { ours: [] as Report[], theirs: [] as Report[] },
  };
  let round = 1;
  // The first status of an object is a transition, which our runtime tells in an event.
  await run('theirs', round, COUNT);
  // In turns, so that a slow minute of the machine is slow for both.
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const side of ['ours', 'theirs'] as const) {
      round += 1;
      // A new round is written into every status; the same once more finds it there.
      reports.writing[side].push(await run(side, round, COUNT));
      reports.reading[side].push(await run(side, round, 0));
    }
  }
  const { reading, writing } = reports;
  return {
    reading: { ours: medians(reading.ours), theirs: medians(reading.theirs) },
    writing: { ours: medians(writing.ours), theirs: medians(writing.theirs) },
  };
}

async function run(side: Side, round: number, writes: number): Promise<Report> {
  const job: Job = { target: server.target, round, count: COUNT, concurrency: CONCURRENCY };
  const [program, ...args] =
    side === 'ours' ? [process.execPath, join(folder, 'ours.mjs')] : [PROGRAM];
  const { stdout } = await promisify(execFile)(program, [...args, JSON.stringify(job)], {
    env: plainEnvironment(),
    timeout: JOB_LIMIT_MS,
  });
  console.error(`${side} round ${round}: ${stdout.trim()}`);
  const report = JSON.parse(stdout) as Report;
  if (report.writes !== writes) {
    throw new Error(`Cannot compare: ${side} wrote ${report.writes} times, wanted ${writes}`);
  }
  return report;
}

function medians(reports: readonly Report[]): Report {
  const of = (key: keyof Report) => median(reports.map((each) => each[key]));
  return {
    perSecond: of('perSecond'),
    cpuMs: of('cpuMs'),
    peakMb: of('peakMb'),
    writes: of('writes'),
  };
}

function rowsOf({ reading, writing }: Measured): Row[] {
  const both = (pair: Record<Side, Report>, key: keyof Report) => ({
    ours: pair.ours[key],
    theirs: pair.theirs[key],
  });
  return [
    ownRow('reconciles/s, nothing to write', {
      ...both(reading, 'perSecond'),
      unit: '/s',
      goal: '>= 5000',
    }),
    ratioRow('  CPU of each, with start and list', { ...both(reading, 'cpuMs'), unit: 'ms' }),
    ratioRow('  memory, with the process', { ...both(reading, 'peakMb'), unit: 'MB' }),
    ratioRow('reconciles/s, one status patch each', {
      ...both(writing, 'perSecond'),
      unit: '/s',
      goal: '>= 0.5',
    }),
    ratioRow('  CPU of each, with start and list', { ...both(writing, 'cpuMs'), unit: 'ms' }),
    ratioRow('  memory, with the process', { ...both(writing, 'peakMb'), unit: 'MB' }),
  ];
}
