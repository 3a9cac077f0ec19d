// What does asking a whole fleet cost, beside a kubectl for each cluster and the other programs that do it?
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { buildMc } from '../../tools/build-mc.mjs';
import { binaryPath, ensureBinaries } from '../../tools/real-kubernetes/binaries.ts';
import { ownRow, type Row, ratioRow, tell } from '../compare.ts';
import { plainEnvironment } from '../resources.ts';
import { startFleet } from './fleet.ts';
import { type Command, type Cost, countLines, measureInTurns, peakMbOf } from './measure.ts';
import { findPeers, type Peer, xargsPeer } from './peers.ts';

const quick = process.argv.includes('--quick');
const MEMBERS = 50;
const PODS = 200;
const MANY_PODS = quick ? PODS : 1_000;
const PROFILES = 1_000;
const LATENCY_MS = 200;
const TURNS = quick ? 1 : 5;
/** Short ones, which a busy moment changes more. */
const SHORT_TURNS = quick ? 5 : 15;

ensureBinaries(['kubectl']);
const kubectl = binaryPath('kubectl');
const folder = mkdtempSync(join(tmpdir(), 'flotilla-bench-'));
try {
  const { found, absent } = findPeers(process.env['PATH'] ?? '');
  for (const name of absent) console.error(`Without ${name}: it is not on the PATH`);
  const mc = await installMc();
  console.error(`Starting ${MEMBERS} members`);
  await using fleet = await startFleet({ folder, members: MEMBERS, profiles: PROFILES });
  const podBytes = await fleet.pods(PODS);
  const peers = [
    xargsPeer(10, kubectl, fleet.names),
    xargsPeer(50, kubectl, fleet.names),
    ...found,
  ];
  const inFleet = (...words: string[]): Command => ({ words, env: environment(fleet.home) });
  const inLarge = (...words: string[]): Command => ({ words, env: environment(fleet.largeHome) });
  const get = [mc, 'get', 'pods', '-A'];

  const commands = new Map<string, Command>([
    ['ours', inFleet(...get)],
    ['ours 50', inFleet(...get, '--concurrency', '50')],
    ...peers.map(({ name, command }) => [name, inFleet(...command)] as const),
  ]);
  console.error(`Looking whether everyone finds ${MEMBERS * PODS} pods, and warming their caches`);
  for (const [name, command] of commands) checkOutput(name, command);
  const short = new Map<string, Command>([
    ['start', inFleet(mc, 'version', '--client')],
    ['start kubectl', inFleet(kubectl, 'version', '--client')],
    ['start as plugin', inFleet(kubectl, 'mc', 'version', '--client')],
    ['one', inFleet(...get, '--clusters', 'c01')],
    ['one kubectl', inFleet(kubectl, '--context', 'c01', 'get', 'pods', '-A')],
    ['large start', inLarge(mc, 'version', '--client')],
    ['large fresh', inLarge(mc, '--refresh')],
    ['large kept', inLarge(mc, 'clusters', '-o', 'name')],
  ]);
  for (const command of short.values()) countLines(command);

  console.error('Measuring short commands');
  const shortCost = measureInTurns(short, SHORT_TURNS, fleet.cpuMs);
  console.error('Measuring without latency');
  const near = measureInTurns(commands, TURNS, fleet.cpuMs);
  console.error(`Measuring with ${LATENCY_MS} ms of latency`);
  await fleet.delay(LATENCY_MS);
  const far = measureInTurns(commands, TURNS, fleet.cpuMs);
  await fleet.delay(0);
  console.error(`Filling the members with ${MANY_PODS} pods each`);
  await fleet.pods(MANY_PODS);
  // Answers that need not be made come faster, and more of them are there at once.
  countLines(inFleet(...get));
  const memory = peakMbOf(inFleet(...get), folder);
  if (memory.lines < MEMBERS * MANY_PODS) throw new Error(`Only ${memory.lines} lines`);

  tell({
    bench: 'fan-out',
    peer: 'theirs',
    rows: [...fleetRows(peers, near, far), ...shortRows(shortCost), ...memoryRows(memory.mb)],
    facts: `${MEMBERS} members with ${PODS} pods of ${podBytes} bytes; kubectl v1.34.4; beside xargs with kubectl: ${found.map(({ name }) => name).join(', ') || 'nobody'}; not on the PATH: ${absent.join(', ') || 'none'}.`,
    isFull: !quick,
  });
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** The one file that is shipped, under the name that kubectl looks for. */
async function installMc(): Promise<string> {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const program = join(bin, 'kubectl-mc');
  copyFileSync(await buildMc(join(folder, 'build')), program);
  chmodSync(program, 0o755);
  return program;
}

/** Of a user with this home folder; their kubectl is the one that is measured. */
function environment(home: string): NodeJS.ProcessEnv {
  const { PATH = '', ...rest } = plainEnvironment();
  const { KUBECONFIG: _other, KUBECACHEDIR: _cache, ...kept } = rest;
  return {
    ...kept,
    HOME: home,
    PATH: [join(folder, 'bin'), dirname(kubectl), dirname(process.execPath), PATH].join(delimiter),
  };
}

function checkOutput(name: string, command: Command): void {
  const lines = countLines(command);
  if (lines < MEMBERS * PODS) throw new Error(`Cannot compare with ${name}: ${lines} lines`);
}

type Costs = (name: string) => Cost;

function fleetRows(peers: readonly Peer[], near: Costs, far: Costs): Row[] {
  const against = (title: string, costs: Costs, figure: keyof Cost): Row[] =>
    peers.map(({ name }) =>
      ratioRow(`${title}, and ${name}`, {
        ours: costs('ours')[figure] / 1000,
        theirs: costs(name)[figure] / 1000,
        unit: 's',
        goal: '<= 0.1',
      }),
    );
  const theirs = Math.min(...peers.map(({ name }) => far(name).wallMs)) / 1000;
  return [
    ...against('time', near, 'wallMs'),
    ...against('CPU', near, 'cpuMs'),
    ...against(`CPU at ${LATENCY_MS} ms`, far, 'cpuMs'),
    ownRow('CPU of the servers meanwhile, and most with others', {
      ours: near('ours').serversMs / 1000,
      theirs: Math.max(...peers.map(({ name }) => near(name).serversMs)) / 1000,
      unit: 's',
    }),
    ownRow(`time at ${LATENCY_MS} ms, and the fastest of the others`, {
      ours: far('ours').wallMs / 1000,
      theirs,
      unit: 's',
      goal: '<= 1.8',
    }),
    ownRow('  with --concurrency 50', {
      ours: far('ours 50').wallMs / 1000,
      theirs,
      unit: 's',
      goal: '<= 0.7',
    }),
  ];
}

function shortRows(costs: Costs): Row[] {
  const wall = (name: string): number => costs(name).wallMs;
  const added = (name: string): number => wall(name) - wall('large start');
  return [
    ownRow('get pods -A of one cluster, and kubectl', {
      ours: wall('one'),
      theirs: wall('one kubectl'),
      unit: 'ms',
    }),
    ownRow('  more than kubectl', {
      ours: wall('one') - wall('one kubectl'),
      unit: 'ms',
      goal: '<= 80',
    }),
    ratioRow('version --client, and kubectl', {
      ours: wall('start'),
      theirs: wall('start kubectl'),
      unit: 'ms',
      goal: '<= 1.5',
    }),
    ownRow('  as kubectl mc', { ours: wall('start as plugin'), unit: 'ms' }),
    ownRow(`finding ${PROFILES} profiles on a hub`, {
      ours: added('large fresh'),
      unit: 'ms',
      goal: '<= 1000',
    }),
    ownRow('  with the whole process', { ours: wall('large fresh'), unit: 'ms' }),
    ownRow(`finding ${PROFILES} profiles in the cache`, {
      ours: added('large kept'),
      unit: 'ms',
      goal: '<= 50',
    }),
    ownRow('  with the whole process', { ours: wall('large kept'), unit: 'ms' }),
  ];
}

function memoryRows(mb: number): Row[] {
  return [
    ownRow(`memory of get pods -A with ${MEMBERS * MANY_PODS} pods`, {
      ours: mb,
      unit: 'MB',
      ...(quick ? {} : { goal: '<= 300' }),
    }),
  ];
}
