import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseYaml } from '@flotilla/machinery';
import type { Target } from './target.ts';

/** Our server in a process of its own, as `flotilla up` runs it. */
export interface Ours {
  readonly target: Target;
  readonly pid: number;
  /** From spawning the process to its first ready answer. */
  readonly readyMs: number;
  readonly stop: () => Promise<void>;
}

interface Kubeconfig {
  readonly clusters: { cluster: { server: string; 'certificate-authority-data': string } }[];
  readonly users: { user: { token?: string } }[];
}

/** Starts it on fresh data and waits until it is ready. */
export async function startOurs(): Promise<Ours> {
  const folder = mkdtempSync(join(tmpdir(), 'flotilla-bench-'));
  const kubeconfigFile = join(folder, 'kubeconfig');
  const { NODE_EXTRA_CA_CERTS: _costsStartup, ...env } = process.env;
  const begun = performance.now();
  const child = spawn(
    process.execPath,
    [
      'packages/cli/bin/flotilla.mjs',
      ...['up', '--data', folder, '--port', '0', '--disable-controllers', 'hub'],
    ],
    { cwd: FLOTILLA_ROOT, stdio: ['ignore', 'ignore', 'inherit'], env },
  );
  const target = await ready(child, kubeconfigFile);
  const readyMs = performance.now() - begun;
  return {
    target,
    pid: child.pid ?? 0,
    readyMs,
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function ready(child: ChildProcess, kubeconfigFile: string): Promise<Target> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`flotilla up ended with ${child.exitCode}`);
    if (existsSync(kubeconfigFile)) {
      const target = readTarget(kubeconfigFile);
      if (target !== undefined && (await isReady(target))) return target;
    }
    await delay(2);
  }
}

function readTarget(kubeconfigFile: string): Target | undefined {
  const { value } = parseYaml(readFileSync(kubeconfigFile, 'utf8'));
  const config = value as unknown as Kubeconfig;
  const cluster = config.clusters?.[0]?.cluster;
  const token = config.users?.[0]?.user.token;
  if (cluster === undefined || token === undefined) return undefined;
  const url = new URL(cluster.server);
  return {
    name: 'ours',
    host: '127.0.0.1',
    port: Number(url.port),
    token,
    ca: Buffer.from(cluster['certificate-authority-data'], 'base64').toString(),
  };
}

function isReady({ port, ca }: Target): Promise<boolean> {
  return new Promise((resolve) => {
    const call = get(
      {
        host: '127.0.0.1',
        port,
        path: '/readyz',
        ca,
        servername: 'kubernetes.default.svc',
        agent: false,
      },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode === 200);
      },
    );
    call.on('error', () => resolve(false));
  });
}
