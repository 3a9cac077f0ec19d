import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Client,
  createClient,
  createTransport,
  loadKubeconfig,
  resolveAccess,
} from '@flotilla/client';
import { systemClock } from '@flotilla/machinery';
import { eventually } from '@flotilla/testkit';
import type { Io } from '../../io.ts';
import type { UpConfig } from '../config.ts';
import { up } from '../up.ts';

/** `flotilla up` in this process. */
export interface RunningUp {
  readonly output: () => string;
  /** A client by one of the contexts of the kubeconfig. */
  readonly connect: (context?: string) => Promise<Client>;
  /** Ends it as Ctrl-C does, and tells its exit code. */
  readonly stop: () => Promise<number>;
}

const random = (): number => 0.5;

/** Starts it and waits until the hub serves. */
export async function runUp(
  dataFolder: string,
  choices: Partial<UpConfig> = {},
): Promise<RunningUp> {
  const stop = new AbortController();
  let output = '';
  const write = (text: string): void => {
    output += text;
  };
  const io: Io = {
    out: write,
    err: write,
    env: {},
    homeFolder: dataFolder,
    signal: stop.signal,
    isTerminal: false,
    ask: async () => undefined,
  };
  const kubeconfigFile = join(dataFolder, 'kubeconfig');
  const config: UpConfig = {
    dataFolder,
    kubeconfigFile,
    host: '127.0.0.1',
    port: 0,
    advertiseAddress: undefined,
    serviceCidr: undefined,
    disabledControllers: [],
    isPlain: false,
    fleet: 0,
    dialsLoopback: true,
    execProfiles: [],
    simulates: false,
    ...choices,
  };
  const running = up(config, { io, random });
  running.catch(() => {});
  await Promise.race([
    eventually(() => output.includes('Flotilla serves'), Boolean, { withinMs: 60_000 }),
    running,
  ]);
  return {
    output: () => output,
    connect: async (context) => {
      const kubeconfig = await loadKubeconfig({ env: {}, home: dataFolder, path: kubeconfigFile });
      const access = await resolveAccess(kubeconfig, { env: {}, context });
      return createClient(createTransport({ access, clock: systemClock, random }));
    },
    stop: () => {
      stop.abort();
      return running;
    },
  };
}

/** Where each context of a kubeconfig leads, the current one first. */
export function serversIn(dataFolder: string): string[] {
  const text = readFileSync(join(dataFolder, 'kubeconfig'), 'utf8');
  return [...text.matchAll(/server: (\S+)/g)].map(([, server = '']) => server);
}

/** A folder that is gone after the test. */
export function temporaryFolder(): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'flotilla-up-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
