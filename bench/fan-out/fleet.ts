import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { toYaml } from '@flotilla/machinery';
import { plainEnvironment } from '../resources.ts';
import type { ServerLine } from './members.ts';

/** The servers, in a process of their own, and home folders that lead to them. */
export interface Fleet extends AsyncDisposable {
  /** Names of the members, which are contexts and profiles too. */
  readonly names: readonly string[];
  /** Its hub has a profile for each member, its kubeconfig a context. */
  readonly home: string;
  /** Its hub has many profiles, its kubeconfig the hub alone. */
  readonly largeHome: string;
  /** Adds so much to each response of each server. */
  readonly delay: (ms: number) => Promise<void>;
  /** Has each member hold so many pods; the size of one as it is sent. */
  readonly pods: (count: number) => Promise<number>;
  /** Processor time of all servers so far. */
  readonly cpuMs: () => number;
}

/** Starts a hub with its members, and a hub with many profiles. */
export async function startFleet(options: {
  folder: string;
  members: number;
  profiles: number;
}): Promise<Fleet> {
  const { folder, members, profiles } = options;
  const child = spawn(
    process.execPath,
    [
      '--max-old-space-size=8192',
      'tools/with-install.mjs',
      'bench/fan-out/members.ts',
      String(members),
      String(profiles),
    ],
    { cwd: FLOTILLA_ROOT, stdio: ['pipe', 'pipe', 'inherit'], env: plainEnvironment() },
  );
  const lines = createInterface({ input: child.stdout });
  const answers = lines[Symbol.asyncIterator]();
  const read = async <T>(): Promise<T> => {
    const { value, done } = await answers.next();
    if (done === true) throw new Error('Cannot go on: the servers have ended');
    return JSON.parse(value) as T;
  };
  const ask = async (line: string): Promise<{ podBytes: number }> => {
    child.stdin.write(`${line}\n`);
    return await read();
  };
  const hub = await read<ServerLine>();
  const large = await read<ServerLine>();
  const servers: ServerLine[] = [];
  while (servers.length < members) servers.push(await read<ServerLine>());
  return {
    names: servers.map(({ name }) => name),
    home: writeHome(join(folder, 'home'), [hub, ...servers]),
    largeHome: writeHome(join(folder, 'large-home'), [large]),
    delay: async (ms) => void (await ask(`delay ${ms}`)),
    pods: async (count) => (await ask(`pods ${count}`)).podBytes,
    cpuMs: () => cpuMsOf(child.pid ?? 0),
    [Symbol.asyncDispose]: async () => await stop(child, lines),
  };
}

/** A tick is a hundredth of a second for whoever asks, whatever the kernel's own is. */
const TICK_MS = 10;

/** The 14th and 15th field; the second, which may hold blanks, ends with the last bracket. */
function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user = 0, system = 0] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12).map(Number);
  return (user + system) * TICK_MS;
}

async function stop(child: ChildProcess, lines: Interface): Promise<void> {
  lines.close();
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** A home folder as a user of the servers has it; the first one is the hub. */
function writeHome(home: string, servers: readonly ServerLine[]): string {
  const [hub, ...members] = servers;
  const kube = join(home, '.kube');
  mkdirSync(kube, { recursive: true });
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: servers.map(({ name, server, ca }) => ({
      name,
      cluster: { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') },
    })),
    users: servers.map(({ name, token }) => ({ name, user: { token } })),
    contexts: servers.map(({ name }) => ({ name, context: { cluster: name, user: name } })),
    'current-context': hub?.name ?? '',
  };
  const mapping = {
    apiVersion: 'kubectl-mc.k8s.io/v1alpha1',
    kind: 'ClusterMapping',
    hubContext: hub?.name ?? '',
    clusters: members.map(({ name }) => ({ name, context: name })),
  };
  const providers = {
    providers: [
      {
        name: 'bench',
        execConfig: { apiVersion: 'client.authentication.k8s.io/v1', command: 'fleet-token' },
      },
    ],
  };
  const write = (name: string, text: string) =>
    writeFileSync(join(kube, name), text, { mode: 0o600 });
  write('config', toYaml(kubeconfig));
  write('kubectl-mc-clusters.yaml', toYaml(mapping));
  // Who has no contexts reaches clusters by a command of their own.
  if (members.length === 0) write('clusterprofile-providers.json', JSON.stringify(providers));
  return home;
}
