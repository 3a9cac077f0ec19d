import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient, createTransport, Namespaces } from '@flotilla/client';
import {
  createHub,
  DEFAULT_GATEWAY_NAMESPACE,
  defaultHubConfig,
  installKinds,
  mountGateway,
} from '@flotilla/hub';
import { systemClock as clock, isNotFound, toYaml } from '@flotilla/machinery';
import { eventually, startServer, type TestApiServer } from '@flotilla/testkit';
import type { Io } from '../../io.ts';
import { type HubSession, openHub } from '../hub-session.ts';

/** A hub with its controllers and its gateway, as `flotilla up` has them, and what a command is given. */
export interface JoinedHub extends AsyncDisposable {
  readonly client: Client;
  /** Of the hub, as users have it. */
  readonly kubeconfigFile: string;
  /** Writes a kubeconfig that leads to a member, and says where it is. */
  readonly kubeconfigOf: (member: TestApiServer, name: string, token?: string) => Promise<string>;
  /** Runs a command as the command line would. */
  readonly run: (
    command: (hub: HubSession) => Promise<number>,
    answers?: readonly string[],
  ) => Promise<Ran>;
  /** Stops the controllers, for commands that must do without. */
  readonly stopControllers: () => Promise<void>;
}

/** How a command ended. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Starts it. */
export async function startJoinedHub(): Promise<JoinedHub> {
  const random = () => 0.5;
  const folder = await mkdtemp(join(tmpdir(), 'flotilla-cluster-'));
  const server = await startServer({
    mounts: [mountGateway({ namespace: DEFAULT_GATEWAY_NAMESPACE, clock })],
  });
  const client = createClient(createTransport({ access: server.access, clock, random }));
  await installKinds(client, { clusterProfiles: true }, AbortSignal.timeout(30_000));
  const hub = createHub({
    client,
    clock,
    random,
    config: {
      ...defaultHubConfig,
      sourceNamespaces: 'all',
      endpoints: { allow: [], deny: [], allowsLoopback: true },
    },
  });
  const stop = new AbortController();
  const running = hub.run(stop.signal);
  // The controllers make it, and nothing can be joined before.
  await eventually(() => client.get(Namespaces, { name: DEFAULT_GATEWAY_NAMESPACE }), Boolean, {
    tolerates: isNotFound,
  });
  const stopControllers = async () => {
    stop.abort();
    await running;
  };
  const kubeconfigFile = join(folder, 'hub.kubeconfig');
  await writeFile(kubeconfigFile, await kubeconfigText(server, 'hub'));
  return {
    client,
    kubeconfigFile,
    stopControllers,
    kubeconfigOf: async (member, name, token) => {
      const file = join(folder, `${name}.kubeconfig`);
      await writeFile(file, await kubeconfigText(member, name, token));
      return file;
    },
    run: async (command, answers = []) => {
      const printed = { out: '', err: '' };
      const waiting = [...answers];
      const io: Io = {
        out: (text) => {
          printed.out += text;
        },
        err: (text) => {
          printed.err += text;
        },
        env: {},
        homeFolder: folder,
        signal: AbortSignal.timeout(60_000),
        isTerminal: false,
        ask: async () => waiting.shift(),
      };
      await using session = await openHub({ kubeconfig: kubeconfigFile }, io);
      const code = await command(session);
      return { code, ...printed };
    },
    [Symbol.asyncDispose]: async () => {
      await stopControllers();
      await client[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

async function kubeconfigText(
  server: TestApiServer,
  name: string,
  token?: string,
): Promise<string> {
  const { authorization = '' } = await server.access.credential.present();
  return toYaml({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name,
        cluster: {
          server: server.url,
          'certificate-authority-data': Buffer.from(server.access.tls.ca ?? '').toString('base64'),
        },
      },
    ],
    users: [{ name, user: { token: token ?? authorization.replace('Bearer ', '') } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  });
}
