import { type Clock, systemClock } from '@flotilla/machinery';
import type { Access, Impersonation } from '../access.ts';
import { CredentialError } from '../credentials/credential-error.ts';
import type { ExecHost } from '../credentials/exec/exec-plugin.ts';
import { type ReadFile, readBytes } from '../credentials/read-bytes.ts';
import { basic, bearer, noCredential, staticCredential } from '../credentials/static-credential.ts';
import type { Transport } from '../transport.ts';
import { type Chosen, chooseEntries, type Overrides } from './choose-entries.ts';
import type { CredentialPool } from './credential-pool.ts';
import { inClusterAccess, inClusterNamespace, isInCluster } from './in-cluster.ts';
import type { Kubeconfig, KubeconfigCluster, KubeconfigUser } from './kubeconfig.ts';
import { KubeconfigError } from './kubeconfig-error.ts';
import { readFromDisk } from './read-file.ts';
import { serverTls } from './server-tls.ts';
import { parseServerUrl } from './server-url.ts';
import { userCredential } from './user-credential.ts';

/** What kubectl asks where nothing names a server, unless KUBERNETES_MASTER does. */
export const KUBECTL_DEFAULT_SERVER = 'http://localhost:8080';

/** How a kubeconfig becomes an Access: what is chosen in it, and the machine its credentials live on. */
export interface ResolveOptions extends Overrides {
  /** What credential plugins inherit, and what tells that we are in a pod. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock?: Clock;
  readonly readFile?: ReadFile;
  /**
   * The server of a kubeconfig that names none. kubectl takes KUBERNETES_MASTER, else `KUBECTL_DEFAULT_SERVER`; without
   * one, such a kubeconfig is an error.
   */
  readonly defaultServer?: string | undefined;
  /** Which credential plugins may run, and how. */
  readonly exec?: Omit<ExecHost, 'env' | 'clock' | 'warn'>;
  /** Lets several contexts share the plugins they have in common. */
  readonly pool?: CredentialPool;
  /** Reaches identity providers. @default our own transport */
  readonly openTransport?: (access: Access) => Transport;
  /** Told what is worth knowing but no failure. */
  readonly warn?: (message: string) => void;
}

/**
 * Turns a context of a kubeconfig into what a client needs, exactly as kubectl does; files are read now, commands run
 * when a request needs them. Without any configuration, a pod uses its own cluster. Throws KubeconfigError.
 */
export async function resolveAccess(
  kubeconfig: Kubeconfig,
  options: ResolveOptions,
): Promise<Access> {
  const { readFile = readFromDisk } = options;
  try {
    const chosen = await chooseEntries(kubeconfig, { ...options, readFile });
    if (isDefault(chosen, options) && (await isInCluster(options)))
      return await ownCluster(options);
    return await accessOf(chosen, options);
  } catch (error) {
    if (error instanceof KubeconfigError && error.isEmpty && (await isInCluster(options))) {
      return await ownCluster(options);
    }
    // What is wrong with a certificate or a provider is wrong with the kubeconfig.
    if (error instanceof CredentialError) {
      throw new KubeconfigError(error.message, { cause: error.cause });
    }
    throw error;
  }
}

/** Whether nothing but the default server came of it: as good as no configuration. */
function isDefault({ cluster, user }: Chosen, { defaultServer }: ResolveOptions): boolean {
  const { server, ...rest } = cluster;
  if (defaultServer === undefined || server !== defaultServer) return false;
  return Object.keys(rest).length === 0 && user.as === undefined;
}

async function ownCluster(options: ResolveOptions): Promise<Access> {
  const access = await inClusterAccess(options);
  const token = options.userFields?.token;
  return {
    ...access,
    ...(options.namespace ? { namespace: options.namespace } : {}),
    ...(token ? { credential: staticCredential({ authorization: bearer(token) }) } : {}),
  };
}

async function accessOf(chosen: Chosen, options: ResolveOptions): Promise<Access> {
  const { cluster, user, context } = chosen;
  const { readFile = readFromDisk, clock = systemClock, env } = options;
  const url = parseServerUrl(cluster.server ?? '');
  const namespace =
    context.namespace ??
    ((await isInCluster(options)) ? await inClusterNamespace(options) : 'default');
  const impersonate = impersonationOf(user);
  const common = {
    server: url.server,
    namespace,
    ...(cluster['proxy-url'] === undefined ? {} : { proxyUrl: cluster['proxy-url'] }),
    ...(cluster['disable-compression'] === true ? { disableCompression: true } : {}),
    ...(impersonate === undefined ? {} : { impersonate }),
  };
  const fromUrl = url.basic === undefined ? undefined : { authorization: basic(url.basic) };
  // Nothing secret goes over a connection that anyone can read: kubectl does not even look at it.
  if (!url.isTls) {
    return {
      ...common,
      tls: {},
      credential: fromUrl === undefined ? noCredential() : staticCredential(fromUrl),
    };
  }
  const bundle = await bundleOf(cluster, readFile);
  const tls = serverTls(cluster, bundle);
  const credential = await userCredential(
    { ...chosen, bundle },
    {
      ...options,
      readFile,
      clock,
      env,
    },
  );
  return {
    ...common,
    tls,
    credential: fromUrl === undefined ? credential : overlaid(credential, fromUrl),
  };
}

/** A name in the server's address counts before any other, and beside a certificate. */
function overlaid(
  credential: Access['credential'],
  fromUrl: { authorization: string },
): Access['credential'] {
  return {
    present: async (signal) => ({ ...(await credential.present(signal)), ...fromUrl }),
    refused: credential.refused,
  };
}

async function bundleOf(
  cluster: KubeconfigCluster,
  readFile: ReadFile,
): Promise<Buffer | undefined> {
  const data = cluster['certificate-authority-data'];
  const path = cluster['certificate-authority'];
  if (data !== undefined) return data;
  if (path === undefined) return undefined;
  return await readBytes(path, readFile);
}

/** Who a user entry wants to act as; undefined when as nobody else. */
export function impersonationOf(user: KubeconfigUser): Impersonation | undefined {
  if (user.as === undefined) return undefined;
  const uid = user['as-uid'];
  const groups = user['as-groups'];
  const extra = user['as-user-extra'];
  return {
    user: user.as,
    ...(uid === undefined ? {} : { uid }),
    ...(groups === undefined ? {} : { groups }),
    ...(extra === undefined ? {} : { extra }),
  };
}
