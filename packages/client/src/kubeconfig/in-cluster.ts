import { isIPv6 } from 'node:net';
import { type Clock, systemClock } from '@flotilla/machinery';
import type { Access } from '../access.ts';
import { CredentialError } from '../credentials/credential-error.ts';
import { authoritiesOf } from '../credentials/pem.ts';
import { type ReadFile, readBytes } from '../credentials/read-bytes.ts';
import { tokenFileCredential } from '../credentials/token-file.ts';
import { KubeconfigError } from './kubeconfig-error.ts';
import { readFromDisk } from './read-file.ts';

const FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

/** What a pod knows about its cluster. */
export interface InClusterOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock?: Clock;
  readonly readFile?: ReadFile;
  readonly warn?: ((message: string) => void) | undefined;
}

/** Access to the cluster this process runs in, as the service account of its pod; the token is read again as it is renewed. */
export async function inClusterAccess(options: InClusterOptions): Promise<Access> {
  const { env, clock = systemClock, readFile = readFromDisk, warn } = options;
  const host = env['KUBERNETES_SERVICE_HOST'] ?? '';
  const port = env['KUBERNETES_SERVICE_PORT'] ?? '';
  if (host === '' || port === '') {
    throw new KubeconfigError(
      'unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined',
    );
  }
  const path = `${FOLDER}/token`;
  const token = (await readBytes(path, readFile)).toString().trim() || undefined;
  const ca = await authorities(readFile, warn);
  return {
    server: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`,
    tls: ca === undefined ? {} : { ca },
    credential: tokenFileCredential({ path, readFile, clock, token }),
    namespace: await inClusterNamespace({ env, readFile }),
  };
}

/** Whether this process runs in a pod that has a service account. */
export async function isInCluster({
  env,
  readFile = readFromDisk,
}: InClusterOptions): Promise<boolean> {
  if ((env['KUBERNETES_SERVICE_HOST'] ?? '') === '') return false;
  if ((env['KUBERNETES_SERVICE_PORT'] ?? '') === '') return false;
  return readFile(`${FOLDER}/token`).then(
    () => true,
    () => false,
  );
}

/** The pod's namespace: what POD_NAMESPACE says, else that of its service account. */
export async function inClusterNamespace(options: InClusterOptions): Promise<string> {
  const { env, readFile = readFromDisk } = options;
  const named = env['POD_NAMESPACE'] ?? '';
  if (named !== '') return named;
  const text = await readFile(`${FOLDER}/namespace`).catch(() => undefined);
  return (text === undefined ? '' : Buffer.from(text).toString().trim()) || 'default';
}

async function authorities(
  readFile: ReadFile,
  warn: InClusterOptions['warn'],
): Promise<string | undefined> {
  const path = `${FOLDER}/ca.crt`;
  try {
    return authoritiesOf((await readBytes(path, readFile)).toString());
  } catch (error) {
    if (!(error instanceof CredentialError)) throw error;
    warn?.(`Expected to load root CA config from ${path}, but got err: ${error.message}`);
    return undefined;
  }
}
