import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toYaml } from '@flotilla/machinery';

/** What a command printed. */
export interface Output {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A server for a kubeconfig. */
export interface Server {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
}

/** A program with a kubeconfig and a home of its own. */
export interface Tool extends AsyncDisposable {
  /** Its kubeconfig, for others. */
  readonly kubeconfig: string;
  readonly run: (args: readonly string[], input?: string) => Promise<Output>;
  /** As `run`, for commands that go on: calls back with all that was printed so far until that says true, then ends it. */
  readonly until: (
    args: readonly string[],
    isEnough: (stdout: string) => boolean,
  ) => Promise<string>;
}

const COMMAND_MS = 60_000;

/** Prepares a program to talk to a server. */
export function tool(
  path: string,
  server: Server,
  env: Readonly<Record<string, string>> = {},
): Tool {
  const folder = mkdtempSync(join(tmpdir(), 'flotilla-gateway-'));
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, kubeconfigOf(server), { mode: 0o600 });
  const start = (args: readonly string[]) =>
    spawn(path, args, {
      cwd: folder,
      timeout: COMMAND_MS,
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        KUBECONFIG: kubeconfig,
        TZ: 'UTC',
        LANG: 'C',
        TERM: 'dumb',
        ...env,
      },
    });
  return {
    kubeconfig,
    run: (args, input = '') =>
      new Promise((resolve, reject) => {
        const child = start(args);
        const streams = { stdout: '', stderr: '' };
        child.stdout.on('data', (chunk: Buffer) => {
          streams.stdout += String(chunk);
        });
        child.stderr.on('data', (chunk: Buffer) => {
          streams.stderr += String(chunk);
        });
        child.once('error', reject);
        child.once('close', (code) => resolve({ code: code ?? -1, ...streams }));
        child.stdin.on('error', () => {});
        child.stdin.end(input);
      }),
    until: (args, isEnough) =>
      new Promise((resolve, reject) => {
        const child = start(args);
        let stdout = '';
        let stderr = '';
        child.stderr.on('data', (chunk: Buffer) => {
          stderr += String(chunk);
        });
        child.stdout.on('data', (chunk: Buffer) => {
          stdout += String(chunk);
          if (isEnough(stdout)) child.kill();
        });
        child.once('error', reject);
        child.once('close', () => {
          if (isEnough(stdout)) resolve(stdout);
          else reject(new Error(`${path} ${args.join(' ')} ended too early: ${stdout}${stderr}`));
        });
      }),
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A kubeconfig with one user on one server. */
export function kubeconfigOf({ url, ca, token }: Server): string {
  return toYaml({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'hub',
        cluster: {
          server: url,
          'certificate-authority-data': Buffer.from(ca).toString('base64'),
        },
      },
    ],
    users: [{ name: 'admin', user: { token } }],
    contexts: [{ name: 'hub', context: { cluster: 'hub', user: 'admin' } }],
    'current-context': 'hub',
  });
}
