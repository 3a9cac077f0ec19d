import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseYaml } from '@flotilla/machinery';
import type { Target } from './client.ts';

/** Where and how to run `flotilla up`. */
export interface UpOptions {
  readonly dataFolder: string;
  /** @default a file beside the data folder */
  readonly kubeconfigFile?: string;
  /** Instead of `--data`, `--port` and `--kubeconfig`. */
  readonly flags?: readonly string[];
  /** @default '0', a free one */
  readonly port?: string;
  /** Members beside the hub. @default an API server alone */
  readonly fleet?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** A program that runs the server as its last act, such as `['sh', '-c', 'ulimit …; exec "$0" "$@"']`. */
  readonly within?: readonly [string, ...string[]];
}

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A `flotilla up` of its own process, ready to be asked and to be ill-treated. */
export interface Flotilla extends AsyncDisposable {
  readonly pid: number;
  readonly target: Target;
  readonly kubeconfigFile: string;
  /** Everything it has printed, both streams. */
  readonly output: () => string;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly exited: Promise<Exit>;
  /** Ends without a chance to do anything about it. */
  readonly crash: () => Promise<void>;
}

const LAUNCHER = join('packages', 'cli', 'bin', 'flotilla.mjs');
const READY = /^Flotilla serves the Kubernetes API/m;
const READY_WITHIN_MS = 60_000;

/** Starts it and waits until it says that it serves. */
export async function startFlotilla(options: UpOptions): Promise<Flotilla> {
  const { child, output, exited, kubeconfigFile } = launch(options);
  const killAtExit = (): void => void child.kill('SIGKILL');
  process.once('exit', killAtExit);
  void exited.then(() => process.off('exit', killAtExit));
  const crash = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  const ready = new Promise<boolean>((resolve) => {
    child.stdout?.on('data', () => {
      if (READY.test(output())) resolve(true);
    });
    void exited.then(() => resolve(false));
  });
  const isReady = await Promise.race([ready, delay(READY_WITHIN_MS, false, { ref: false })]);
  if (!isReady) {
    await crash();
    throw new Error(`Cannot start flotilla: ${output()}`);
  }
  return {
    pid: child.pid ?? 0,
    target: readTarget(kubeconfigFile),
    kubeconfigFile,
    output,
    kill: (signal) => void child.kill(signal),
    exited,
    crash,
    [Symbol.asyncDispose]: crash,
  };
}

/** Runs it to its end, for starts that must fail. */
export async function runFlotilla(options: UpOptions): Promise<Exit & { output: string }> {
  const { child, output, exited } = launch(options);
  const timer = setTimeout(() => child.kill('SIGKILL'), READY_WITHIN_MS);
  child.stdout?.on('data', () => {
    // It was not to start: end it, so that the test fails by its exit rather than by time.
    if (READY.test(output())) child.kill('SIGKILL');
  });
  const exit = await exited;
  clearTimeout(timer);
  return { ...exit, output: output() };
}

/** Starts it and kills it so much later, ready or not. */
export async function crashWhileStarting(options: UpOptions, afterMs: number): Promise<void> {
  const { child, exited } = launch(options);
  const { signal } = await Promise.race([
    exited,
    delay(afterMs).then(() => {
      child.kill('SIGKILL');
      return exited;
    }),
  ]);
  if (signal !== 'SIGKILL') throw new Error('Cannot kill flotilla: it had ended by itself');
}

function launch(options: UpOptions) {
  const kubeconfigFile = options.kubeconfigFile ?? `${options.dataFolder}.kubeconfig`;
  const [program, ...before] = options.within ?? [];
  const { dataFolder, port = '0' } = options;
  const usual = ['--data', dataFolder, '--port', port, '--kubeconfig', kubeconfigFile];
  const extent =
    options.fleet === undefined
      ? ['--disable-controllers', 'hub']
      : ['--fleet', String(options.fleet)];
  const args = [LAUNCHER, 'up', ...(options.flags ?? usual), ...extent];
  const child: ChildProcess = spawn(
    program ?? process.execPath,
    program === undefined ? args : [...before, process.execPath, ...args],
    {
      cwd: FLOTILLA_ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...withoutTestRunner(process.env), ...options.env },
    },
  );
  const chunks: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
  const exited = new Promise<Exit>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  return { child, exited, kubeconfigFile, output: () => Buffer.concat(chunks).toString() };
}

/** node:test tells its children to report to it, and NODE_EXTRA_CA_CERTS costs every start 40 ms. */
function withoutTestRunner(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _reports, NODE_EXTRA_CA_CERTS: _slow, ...rest } = env;
  return rest;
}

interface Kubeconfig {
  readonly clusters: { cluster: { server: string; 'certificate-authority-data': string } }[];
  readonly users: { user: { token: string } }[];
}

/** Where a kubeconfig of ours leads. */
export function readTarget(kubeconfigFile: string): Target {
  const config = parseYaml(readFileSync(kubeconfigFile, 'utf8')).value as Kubeconfig;
  const [{ cluster } = { cluster: undefined }] = config.clusters;
  const [{ user } = { user: undefined }] = config.users;
  if (cluster === undefined || user === undefined) throw new Error('Cannot read the kubeconfig');
  return {
    port: Number(new URL(cluster.server).port),
    ca: Buffer.from(cluster['certificate-authority-data'], 'base64').toString(),
    token: user.token,
  };
}

/** A folder that is gone after the test. */
export function temporaryFolder(): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'flotilla-robust-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
