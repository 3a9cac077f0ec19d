import { readFile as readFromDisk } from 'node:fs/promises';
import type { Kubeconfig, KubeconfigCluster, KubeconfigUser } from '@flotilla/client';
import { isDNS1123Label, toYaml } from '@flotilla/machinery';

/** One context of a user's kubeconfig, with everything in it that files held. */
export interface MemberKubeconfig {
  /** What the cluster is called in it. */
  readonly clusterName: string;
  readonly server: string;
  /** YAML without any path to a file. */
  readonly text: string;
  /** The command that makes its credential, where one does. */
  readonly command: string | undefined;
}

/** What the kubeconfig is flattened with. */
export interface FlattenOptions {
  /** @default current-context */
  readonly context?: string | undefined;
  /** Stands for the user's credential. */
  readonly token?: string | undefined;
  readonly readFile?: (path: string) => Promise<Uint8Array>;
}

/** Takes one context out of a kubeconfig: files become data, all else is left behind. */
export async function memberKubeconfig(
  kubeconfig: Kubeconfig,
  options: FlattenOptions = {},
): Promise<MemberKubeconfig> {
  const file = kubeconfig.files.join(', ');
  const fail = (problem: string): never => {
    throw new Error(`Cannot use kubeconfig "${file}": ${problem}`);
  };
  const contextName = options.context ?? kubeconfig.currentContext;
  if (contextName === '') {
    return fail('current-context is not set; choose a context with --member-context');
  }
  const context =
    kubeconfig.contexts.get(contextName) ?? fail(`context "${contextName}" not found`);
  const clusterName = context.cluster ?? '';
  const cluster =
    kubeconfig.clusters.get(clusterName) ?? fail(`cluster "${clusterName}" not found`);
  const userName = context.user ?? '';
  const user = kubeconfig.users.get(userName) ?? fail(`user "${userName}" not found`);
  const server = cluster.server ?? fail(`cluster "${clusterName}" has no server`);
  const read = options.readFile ?? readFromDisk;
  const flatUser =
    options.token === undefined ? await flattenUser(user, read) : { token: options.token };
  const text = toYaml({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: clusterName, cluster: await flattenCluster(cluster, read) }],
    users: [{ name: userName, user: flatUser }],
    contexts: [{ name: contextName, context: { cluster: clusterName, user: userName } }],
    'current-context': contextName,
  });
  const command = options.token === undefined ? user.exec?.command : undefined;
  return { clusterName, server, text, command };
}

/** A name for the member that the fleet can use, made from what its kubeconfig calls it; undefined when nothing is left. */
export function suggestName(clusterName: string): string | undefined {
  const last = clusterName.split(/[/:@]/).filter(Boolean).at(-1) ?? '';
  const label = last
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .slice(0, 63)
    .replaceAll(/^-+|-+$/g, '');
  return isDNS1123Label(label).length === 0 ? label : undefined;
}

type Read = (path: string) => Promise<Uint8Array>;

async function flattenCluster(cluster: KubeconfigCluster, read: Read): Promise<object> {
  const { origin: _, extensions: __, ...rest } = cluster;
  const flat = await withData(rest, ['certificate-authority'], read);
  return withoutBuffers(flat);
}

async function flattenUser(user: KubeconfigUser, read: Read): Promise<object> {
  const { origin: _, extensions: __, tokenFile, ...rest } = user;
  const flat = await withData(rest, ['client-certificate', 'client-key'], read);
  if (tokenFile === undefined) return withoutBuffers(flat);
  // A file wins over a token beside it, as in kubectl.
  return withoutBuffers({
    ...flat,
    token: Buffer.from(await read(tokenFile))
      .toString()
      .trim(),
  });
}

async function withData(
  entry: Record<string, unknown>,
  fields: readonly string[],
  read: Read,
): Promise<Record<string, unknown>> {
  const flat = { ...entry };
  for (const field of fields) {
    const path = flat[field];
    delete flat[field];
    if (typeof path !== 'string' || flat[`${field}-data`] !== undefined) continue;
    flat[`${field}-data`] = Buffer.from(await read(path));
  }
  return flat;
}

function withoutBuffers(entry: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(entry)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, Buffer.isBuffer(value) ? value.toString('base64') : value]),
  );
}
