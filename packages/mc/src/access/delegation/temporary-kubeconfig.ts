import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Access } from '@flotilla/client';
import { toYaml } from '@flotilla/machinery';
import { writePrivateFile } from '../../files/private-file.ts';
import type { FleetCluster } from '../../fleet/cluster.ts';
import type { Route } from '../../fleet/route.ts';
import type { Io } from '../../io.ts';
import { readPluginPolicy } from '../credentials/plugin-policy.ts';
import { serveCredentials } from './credential-socket.ts';
import { type DelegatedCluster, kubeconfigOf } from './kubeconfig-of.ts';

/** A kubeconfig for programs that a run starts; it and all it needs are gone when it is disposed of. */
export interface TemporaryKubeconfig extends AsyncDisposable {
  readonly path: string;
  /** A file that leads to one of them and to no other, for programs that take no flags; undefined for a failure. */
  readonly fileOf: (cluster: string) => Promise<string | undefined>;
  /** What such programs must find in their environment beside what we have. */
  readonly env: Readonly<Record<string, string>>;
  /** Clusters that are not in it, and why. */
  readonly failures: ReadonlyMap<string, unknown>;
}

/**
 * Writes a kubeconfig whose contexts are called like the clusters, in a folder that only the user can look into. Its
 * users ask this run for their credentials: no token is written anywhere, and no helper runs a second time.
 *
 * @example
 * await using kubeconfig = await temporaryKubeconfig(routed, session.io);
 * spawn(kubectl, ['--kubeconfig', kubeconfig.path, '--context', cluster.name, 'describe', …], { env: { ...io.env, ...kubeconfig.env } });
 */
export async function temporaryKubeconfig(
  clusters: readonly { readonly cluster: FleetCluster; readonly route: Route }[],
  io: Pick<Io, 'env' | 'homeFolder' | 'self'>,
): Promise<TemporaryKubeconfig> {
  const { opened, failures } = await openAll(clusters);
  const [command = 'kubectl-mc', ...before] = io.self ?? [];
  const folder = await mkdtemp(join(tmpdir(), 'kubectl-mc-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const byName = new Map(opened.map((each) => [each.name, each.access.credential]));
    const socket = socketIn(folder);
    const server = await serveCredentials(socket, (name) => byName.get(name));
    const path = join(folder, 'config');
    try {
      const stanzaOf = (name: string) => ({
        command,
        args: [...before, 'credential', '--socket', socket, '--cluster', name],
        interactiveMode: 'Never' as const,
      });
      await writePrivateFile(path, toYaml(kubeconfigOf(opened, stanzaOf)));
      const single = new Map<string, Promise<string>>();
      return {
        path,
        fileOf: async (name) => {
          const at = opened.findIndex((each) => each.name === name);
          const only = opened[at];
          if (only === undefined) return undefined;
          const file = join(folder, `config-${at}`);
          const known =
            single.get(name) ??
            writePrivateFile(file, toYaml(kubeconfigOf([only], stanzaOf))).then(() => file);
          single.set(name, known);
          return await known;
        },
        env: await environment(io),
        failures,
        [Symbol.asyncDispose]: async () => {
          await server[Symbol.asyncDispose]();
          await remove();
        },
      };
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error;
    }
  } catch (error) {
    await remove();
    throw error;
  }
}

async function openAll(
  clusters: readonly { readonly cluster: FleetCluster; readonly route: Route }[],
): Promise<{ opened: DelegatedCluster[]; failures: Map<string, unknown> }> {
  const opened: DelegatedCluster[] = [];
  const failures = new Map<string, unknown>();
  for (const { cluster, route } of clusters) {
    let access: Access;
    try {
      access = await route.open();
    } catch (error) {
      failures.set(cluster.name, error);
      continue;
    }
    const { isAnonymous } = route;
    const namespace = cluster.mapping?.defaultNamespace ?? route.namespace;
    opened.push({ name: cluster.name, route: { isAnonymous, namespace }, access });
  }
  return { opened, failures };
}

/** Windows has pipes with names instead; nobody guesses this one. */
function socketIn(folder: string): string {
  if (process.platform !== 'win32') return join(folder, 'socket');
  return `\\\\.\\pipe\\kubectl-mc-${randomBytes(16).toString('hex')}`;
}

/**
 * A kuberc that lists which plugins may run does not list us. Whose credentials we hand on has been checked against it
 * already, so kubectl need not look again.
 */
async function environment(
  io: Pick<Io, 'env' | 'homeFolder'>,
): Promise<Readonly<Record<string, string>>> {
  const { policy } = await readPluginPolicy(io).catch(() => ({ policy: 'DenyAll' }));
  return policy === 'AllowAll' ? {} : { KUBERC: 'off' };
}
