import { type Clock, goQuote } from '@flotilla/machinery';
import type { Access, Credential } from '../access.ts';
import { certificateFilesCredential } from '../credentials/certificate-files.ts';
import { combineCredentials } from '../credentials/combine-credentials.ts';
import { execCredential } from '../credentials/exec/exec-credential.ts';
import type { ExecHost } from '../credentials/exec/exec-plugin.ts';
import { checkKeyPair } from '../credentials/key-pair.ts';
import { oidcCredential } from '../credentials/oidc/oidc-credential.ts';
import { type ReadFile, readBytes } from '../credentials/read-bytes.ts';
import { basic, bearer, noCredential, staticCredential } from '../credentials/static-credential.ts';
import { tokenFileCredential } from '../credentials/token-file.ts';
import { createTransport } from '../transport/create-transport.ts';
import type { Transport } from '../transport.ts';
import { authProviderStore } from './auth-provider-store.ts';
import { decodeBase64 } from './base64.ts';
import type { Chosen } from './choose-entries.ts';
import type { CredentialPool } from './credential-pool.ts';
import { execPluginOf } from './exec-plugin-of.ts';
import type { KubeconfigAuthProvider, KubeconfigExec, KubeconfigUser } from './kubeconfig.ts';
import { KubeconfigError } from './kubeconfig-error.ts';

/** The user, and the server to be a user of. */
export interface Subject extends Chosen {
  /** The authority's certificates as they are in the kubeconfig or its file. */
  readonly bundle: Buffer | undefined;
}

/** The machine that credentials live on. */
export interface CredentialHost {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly readFile: ReadFile;
  readonly exec?: Omit<ExecHost, 'env' | 'clock' | 'warn'>;
  readonly pool?: CredentialPool;
  readonly openTransport?: (access: Access) => Transport;
  readonly warn?: (message: string) => void;
}

/**
 * All that a user entry can prove: a certificate, and beside it one Authorization header. A token or password of its own
 * counts before an auth-provider; any of the three before a plugin, which then never runs.
 */
export async function userCredential(subject: Subject, host: CredentialHost): Promise<Credential> {
  const { user } = subject;
  const certificate = await certificateOf(user, host);
  const authorization = await authorizationOf(user, host);
  const plugin = user.exec === undefined ? undefined : pluginOf(user.exec, subject, host);
  const provider =
    user['auth-provider'] === undefined
      ? undefined
      : await providerOf(user['auth-provider'], subject, host);
  const parts = [certificate, authorization ?? provider].filter((part) => part !== undefined);
  if (parts.length > 0) return combineCredentials(parts);
  return plugin ?? noCredential();
}

async function certificateOf(
  user: KubeconfigUser,
  { readFile, clock }: CredentialHost,
): Promise<Credential | undefined> {
  const certFile = user['client-certificate'];
  const keyFile = user['client-key'];
  const certData = user['client-certificate-data'];
  const keyData = user['client-key-data'];
  if (certData === undefined && certFile === undefined) return undefined;
  if (certData === undefined && keyData === undefined && certFile && keyFile) {
    const files = certificateFilesCredential({ cert: certFile, key: keyFile, readFile, clock });
    // Once now, so that a wrong file is found before a request is.
    await files.present();
    return files;
  }
  const [cert, key] = await Promise.all([
    certData?.toString() ?? readText(certFile ?? '', readFile),
    keyData?.toString() ?? readText(keyFile ?? '', readFile),
  ]);
  checkKeyPair({ cert, key, keyName: keyData === undefined ? String(keyFile) : 'client-key-data' });
  return staticCredential({ certificate: { cert, key } });
}

async function authorizationOf(
  user: KubeconfigUser,
  { readFile, clock }: CredentialHost,
): Promise<Credential | undefined> {
  const { token, tokenFile, username, password = '' } = user;
  if (tokenFile !== undefined) {
    // With a token beside it, kubectl takes the file where it can be read, and the token where it cannot.
    if (token === undefined) await readText(tokenFile, readFile);
    if (username !== undefined) throw twoHeaders();
    const fromFile = tokenFileCredential({ path: tokenFile, readFile, clock, token });
    if (token === undefined) await fromFile.present();
    return fromFile;
  }
  if (token !== undefined) return staticCredential({ authorization: bearer(token) });
  if (username === undefined) return undefined;
  return staticCredential({ authorization: basic(`${username}:${password}`) });
}

function twoHeaders(): KubeconfigError {
  return new KubeconfigError('username/password or bearer token may be set, but not both');
}

function pluginOf(exec: KubeconfigExec, subject: Subject, host: CredentialHost): Credential {
  const plugin = execPluginOf(exec, subject);
  const { env, clock, warn } = host;
  const make = () =>
    execCredential(plugin, { ...host.exec, env, clock, ...(warn === undefined ? {} : { warn }) });
  return host.pool?.share(plugin, make) ?? make();
}

const REMOVED: Readonly<Record<string, string>> = {
  gcp: `The gcp auth plugin has been removed.
Please use the "gke-gcloud-auth-plugin" kubectl/client-go credential plugin instead.
See https://cloud.google.com/blog/products/containers-kubernetes/kubectl-auth-changes-in-gke for further details`,
  azure: `The azure auth plugin has been removed.
Please use the https://github.com/Azure/kubelogin kubectl/client-go credential plugin instead.
See https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins for further details`,
};

async function providerOf(
  provider: KubeconfigAuthProvider,
  subject: Subject,
  host: CredentialHost,
): Promise<Credential> {
  const { name = '', config = {} } = provider;
  if (name !== 'oidc') {
    throw new KubeconfigError(REMOVED[name] ?? `no Auth Provider found for name ${goQuote(name)}`);
  }
  const { clock, env, warn } = host;
  const openTransport =
    host.openTransport ??
    // Chance spreads retries of many clients; a refresh is one client's.
    ((access) => createTransport({ access, clock, env, random: () => 0.5 }));
  const file = subject.user.origin;
  const store =
    file === undefined ? undefined : authProviderStore({ file, user: subject.userName, clock });
  const ca = await providerAuthority(config, host.readFile);
  return oidcCredential({ config, ca, clock, openTransport, store, warn });
}

async function providerAuthority(
  config: Readonly<Record<string, string>>,
  readFile: ReadFile,
): Promise<string | undefined> {
  const data = config['idp-certificate-authority-data'] ?? '';
  if (data !== '') {
    const decoded = decodeBase64(data);
    if (typeof decoded !== 'number') return decoded.toString();
    throw new KubeconfigError(`illegal base64 data at input byte ${decoded}`);
  }
  const path = config['idp-certificate-authority'] ?? '';
  return path === '' ? undefined : readText(path, readFile);
}

async function readText(path: string, readFile: ReadFile): Promise<string> {
  return (await readBytes(path, readFile)).toString();
}
