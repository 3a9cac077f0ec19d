// KubeVela's own programs, where somebody has them.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { eventually } from '@flotilla/testkit';
import { logTail, startProcess } from '../../tools/real-kubernetes/server-process.ts';

/** Where a program is; undefined where it is not on the PATH. */
export function onPath(program: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

/** A cluster-gateway at work. */
export interface RunningGateway extends AsyncDisposable {
  readonly url: string;
}

/** Starts a cluster-gateway on a hub's Secrets; it asks the hub who is who, and what they may. */
export async function startGateway(options: {
  readonly path: string;
  /** Of the hub, as its administrator. */
  readonly kubeconfig: string;
  readonly namespace: string;
  /** Whether it has read what is to be read. */
  readonly isReady: (url: string) => Promise<boolean>;
}): Promise<RunningGateway> {
  const { path, kubeconfig, namespace, isReady } = options;
  const folder = mkdtempSync(join(tmpdir(), 'flotilla-cluster-gateway-'));
  const port = await freePort();
  const server = startProcess({
    name: 'cluster-gateway',
    path,
    args: [
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      `--cert-dir=${folder}`,
      `--kubeconfig=${kubeconfig}`,
      `--authentication-kubeconfig=${kubeconfig}`,
      `--authorization-kubeconfig=${kubeconfig}`,
      '--authentication-skip-lookup=true',
      `--secret-namespace=${namespace}`,
      '--enable-priority-and-fairness=false',
      '--feature-gates=HealthinessCheck=true',
    ],
    logFile: join(folder, 'log'),
  });
  const url = `https://127.0.0.1:${port}`;
  const stop = async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await eventually(() => isReady(url), Boolean, {
      withinMs: 60_000,
      everyMs: 100,
      tolerates: () => server.ended() === undefined,
    });
  } catch (error) {
    const log = logTail(server.logFile);
    await stop();
    throw new Error(`Cannot use cluster-gateway: it does not answer\n${log}`, { cause: error });
  }
  return { url, [Symbol.asyncDispose]: stop };
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
