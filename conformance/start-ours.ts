import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { load } from 'js-yaml';
import { valueAt } from './paths.ts';
import { connect, type Server } from './server.ts';

const READY_WITHIN_MS = 30_000;
const POLL_MS = 50;

/** Our own server as a user starts it, with an empty data folder of its own. */
export interface Ours extends AsyncDisposable {
  readonly server: Server;
  readonly kubeconfig: string;
  /** All it has printed: after its greeting, only failures of its own. */
  readonly output: () => string;
}

/** Starts `flotilla up` on a free port and waits until it is ready. */
export async function startOurs(): Promise<Ours> {
  const folder = mkdtempSync(join(tmpdir(), 'flotilla-ours-'));
  const kubeconfig = join(folder, 'kubeconfig');
  const port = await freePort();
  const launcher = join(FLOTILLA_ROOT, 'packages', 'cli', 'bin', 'flotilla.mjs');
  const args = ['up', '--data', join(folder, 'data'), '--port', String(port)];
  // What a hub has beside the API of Kubernetes is nothing to compare.
  const plain = ['--disable-controllers', 'hub'];
  const child = spawn(process.execPath, [launcher, ...args, ...plain, '--kubeconfig', kubeconfig], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(String(chunk)));
  child.stderr.on('data', (chunk: Buffer) => output.push(String(chunk)));
  const killAtExit = () => child.kill('SIGKILL');
  process.on('exit', killAtExit);
  const dispose = async () => {
    await stopped(child);
    process.off('exit', killAtExit);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const server = await untilReady(kubeconfig, child);
    return { server, kubeconfig, output: () => output.join(''), [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw new Error(`Cannot start our server: ${output.join('')}`, { cause: error });
  }
}

async function untilReady(kubeconfig: string, child: ChildProcess): Promise<Server> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (Date.now() < deadline && child.exitCode === null) {
    if (existsSync(kubeconfig)) {
      const server = readKubeconfig(kubeconfig);
      if (await isReady(server)) return server;
    }
    await pause(POLL_MS);
  }
  throw new Error(child.exitCode === null ? 'not ready in time' : `exit ${child.exitCode}`);
}

async function isReady(server: Server): Promise<boolean> {
  const connection = connect(server);
  try {
    const wire = { method: 'GET', path: '/readyz', headers: {}, token: server.token };
    return (await connection.send(wire)).code === 200;
  } catch {
    return false;
  } finally {
    connection.close();
  }
}

/** The server that a kubeconfig with a bearer token and an inline CA leads to. */
export function readKubeconfig(file: string): Server {
  const content = load(readFileSync(file, 'utf8'));
  const text = (path: string) => {
    const value = valueAt(content, path);
    return typeof value === 'string' ? value : '';
  };
  const cluster = 'clusters.0.cluster';
  const inline = text(`${cluster}.certificate-authority-data`);
  return {
    name: 'ours',
    url: text(`${cluster}.server`),
    token: text('users.0.user.token'),
    ca:
      inline === ''
        ? readFileSync(text(`${cluster}.certificate-authority`), 'utf8')
        : Buffer.from(inline, 'base64').toString(),
  };
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await Promise.race([gone, pause(5_000, undefined, { ref: false })]);
  child.kill('SIGKILL');
  await gone;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
