// How long do 1,000 registrations take from apply to Ready on one hub process, what does it weigh, and what does an idle
// fleet cost it?
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { type ClusterRegistration, ClusterRegistrations } from '@flotilla/api';
import {
  type Client,
  createClient,
  createTransport,
  loadKubeconfig,
  Namespaces,
  resolveAccess,
  Secrets,
} from '@flotilla/client';
import { apiVersionOf, systemClock as clock, isNotFound } from '@flotilla/machinery';
import { ownRow, tell } from '../compare.ts';
import { plainEnvironment } from '../resources.ts';
import type { MemberLine } from './members.ts';

const quick = process.argv.includes('--quick');
const MEMBERS = quick ? 100 : 1_000;
/** With this interval an idle fleet of 1,000 has ten heartbeats a second. */
const HEARTBEAT_SECONDS = MEMBERS / 10;
/** Whole rounds: what joined together beats together. */
const STEADY_SECONDS = 2 * HEARTBEAT_SECONDS;
const NAMESPACE = 'vela-system';
const AT_ONCE = 16;
const WITHIN_MS = 600_000;

const folder = mkdtempSync(join(tmpdir(), 'flotilla-bench-'));
const children: ChildProcess[] = [];
try {
  console.error(`Starting ${MEMBERS} members`);
  const members = await startMembers();
  const { hub, client } = await startHub();
  const idleMb = resident(hub).now;
  console.error('Registering');
  const joined = await register(client, members, hub);
  console.error('Watching the idle fleet');
  const steady = await watchIdle(client, hub);
  const after = resident(hub);
  tell({
    bench: 'registration',
    peer: '–',
    rows: [
      ownRow(`${MEMBERS} registrations, from the first apply to the last Ready`, {
        ours: joined.seconds,
        unit: 's',
        ...(quick ? {} : { goal: '<= 30' }),
      }),
      ownRow('  processor time of the hub', { ours: joined.cpuSeconds, unit: 's' }),
      ownRow('memory of the hub, the most that was resident', {
        ours: after.peak,
        unit: 'MB',
        ...(quick ? {} : { goal: '<= 250' }),
      }),
      ownRow('  before the first registration', { ours: idleMb, unit: 'MB' }),
      ownRow('  after the idle minutes', { ours: after.now, unit: 'MB' }),
      ownRow('heartbeats of the idle fleet', { ours: steady.perSecond, unit: '/s' }),
      ownRow('  writes to the hub per heartbeat', {
        ours: steady.writesPerHeartbeat,
        unit: '',
        goal: '<= 1',
      }),
      ownRow('  processor time of the hub', { ours: steady.cpuPercent, unit: '% of a core' }),
      ownRow('  that were not Ready any more', { ours: steady.lost, unit: '', goal: '<= 0' }),
    ],
    facts: `${MEMBERS} members in one other process, each a TLS server of its own; heartbeats every ${HEARTBEAT_SECONDS} s; ${STEADY_SECONDS} s of idling.`,
    isFull: !quick,
  });
  await client[Symbol.asyncDispose]();
} finally {
  await stopAll();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

async function startMembers(): Promise<MemberLine[]> {
  const child = spawn(
    process.execPath,
    [
      '--max-old-space-size=8192',
      'tools/with-install.mjs',
      'bench/registration/members.ts',
      String(MEMBERS),
    ],
    { cwd: FLOTILLA_ROOT, stdio: ['pipe', 'pipe', 'inherit'], env: plainEnvironment() },
  );
  children.push(child);
  const members: MemberLine[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    members.push(JSON.parse(line) as MemberLine);
    if (members.length === MEMBERS) break;
  }
  if (members.length < MEMBERS) throw new Error(`Only ${members.length} members started`);
  return members;
}

/** The product as `npm start` starts it, without a fleet of its own. */
async function startHub(): Promise<{ hub: ChildProcess; client: Client }> {
  const hub = spawn(
    process.execPath,
    [...startArguments(), '--fleet', '0', '--port', '0', '--data', join(folder, 'hub')],
    { cwd: FLOTILLA_ROOT, stdio: ['ignore', 'pipe', 'inherit'], env: plainEnvironment() },
  );
  children.push(hub);
  for await (const line of createInterface({ input: hub.stdout })) {
    if (line.includes('kubeconfig')) break;
  }
  const path = join(folder, 'hub', 'kubeconfig');
  const kubeconfig = await loadKubeconfig({ env: {}, home: folder, path });
  const access = await resolveAccess(kubeconfig, { env: {} });
  const client = createClient(createTransport({ access, clock, random: Math.random }));
  await until(async () => {
    try {
      await client.list(ClusterRegistrations, { namespace: NAMESPACE });
      // The controllers make it, a moment after the kinds are there.
      await client.get(Namespaces, { name: NAMESPACE });
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  });
  return { hub, client };
}

/** What package.json has behind `node`, so that it is the same process with the same memory. */
function startArguments(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(FLOTILLA_ROOT, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  const [program, ...args] = scripts.start.split(' ');
  if (program !== 'node') throw new Error(`Cannot start "${scripts.start}": it is not Node`);
  return args;
}

async function register(
  client: Client,
  members: readonly MemberLine[],
  hub: ChildProcess,
): Promise<{ seconds: number; cpuSeconds: number }> {
  const cpu = cpuSeconds(hub);
  const begun = performance.now();
  const queue = members.map((member, index) => ({ member, name: `member-${index}` }));
  const apply = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [secret, registration] = manifests(next.name, next.member);
      await client.create(Secrets, secret);
      await client.create(ClusterRegistrations, registration);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, apply));
  console.error(`Applied after ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  const ready = new Set<string>();
  const { items, metadata } = await client.list(ClusterRegistrations, { namespace: NAMESPACE });
  const look = ({ metadata: { name = '' }, status }: ClusterRegistration): boolean => {
    if (status?.phase === 'Ready') ready.add(name);
    return ready.size === MEMBERS;
  };
  for (const item of items) look(item);
  const over = AbortSignal.timeout(WITHIN_MS);
  if (ready.size < MEMBERS) {
    const events = client.watch(ClusterRegistrations, {
      namespace: NAMESPACE,
      ...(metadata.resourceVersion === undefined
        ? {}
        : { resourceVersion: metadata.resourceVersion }),
      signal: over,
    });
    for await (const { object } of events) if (look(object)) break;
  }
  return { seconds: (performance.now() - begun) / 1000, cpuSeconds: cpuSeconds(hub) - cpu };
}

/** How many heartbeats there were, and what they wrote: the hub's revision counts every write there is. */
async function watchIdle(
  client: Client,
  hub: ChildProcess,
): Promise<{ perSecond: number; writesPerHeartbeat: number; cpuPercent: number; lost: number }> {
  // Events of the joins, and what follows them, are written by now.
  await delay(quick ? 5_000 : 30_000);
  const before = await readBeats(client);
  const cpu = cpuSeconds(hub);
  const begun = performance.now();
  let beats = 0;
  const last = new Map(before.beats);
  const stop = AbortSignal.timeout(STEADY_SECONDS * 1000);
  try {
    const events = client.watch(ClusterRegistrations, {
      namespace: NAMESPACE,
      resourceVersion: before.revision,
      signal: stop,
    });
    for await (const { object } of events) {
      const { name = '' } = object.metadata;
      const beat = object.status?.lastHeartbeatTime ?? '';
      if (beat !== last.get(name)) beats += 1;
      last.set(name, beat);
    }
  } catch (error) {
    if (!stop.aborted) throw error;
  }
  const seconds = (performance.now() - begun) / 1000;
  const after = await readBeats(client);
  return {
    perSecond: beats / seconds,
    writesPerHeartbeat: (Number(after.revision) - Number(before.revision)) / Math.max(beats, 1),
    cpuPercent: ((cpuSeconds(hub) - cpu) / seconds) * 100,
    lost: after.notReady,
  };
}

async function readBeats(
  client: Client,
): Promise<{ revision: string; beats: Map<string, string>; notReady: number }> {
  const { items, metadata } = await client.list(ClusterRegistrations, { namespace: NAMESPACE });
  return {
    revision: metadata.resourceVersion ?? '0',
    beats: new Map(
      items.map((item) => [item.metadata.name ?? '', item.status?.lastHeartbeatTime ?? '']),
    ),
    notReady: items.filter(({ status }) => status?.phase !== 'Ready').length,
  };
}

function manifests(name: string, { server, ca, token }: MemberLine) {
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name,
        cluster: { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') },
      },
    ],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  };
  const metadata = { namespace: NAMESPACE, name: `${name}-kubeconfig` };
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata,
    data: { kubeconfig: Buffer.from(JSON.stringify(kubeconfig)).toString('base64') },
  };
  const registration = {
    apiVersion: apiVersionOf(ClusterRegistrations),
    kind: ClusterRegistrations.kind,
    metadata: { namespace: NAMESPACE, name },
    spec: {
      credentialSource: { secretRef: { name: metadata.name } },
      config: { heartbeatInterval: `${HEARTBEAT_SECONDS}s` },
      labels: { env: 'bench', region: `region-${name.length}` },
    },
  } as unknown as ClusterRegistration;
  return [secret, registration] as const;
}

function resident({ pid }: ChildProcess): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (field: string) =>
    Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
  return { now: read('VmRSS'), peak: read('VmHWM') };
}

/** The kernel counts in hundredths of a second. */
function cpuSeconds({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function until(ask: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + WITHIN_MS;
  while (!(await ask())) {
    if (performance.now() > deadline) throw new Error('Cannot go on: it takes too long');
    await delay(50);
  }
}

async function stopAll(): Promise<void> {
  for (const child of children.reverse()) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), 20_000);
    await ended;
    clearTimeout(late);
  }
}
