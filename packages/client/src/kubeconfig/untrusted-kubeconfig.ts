import {
  getOwn,
  isDNS1123Label,
  isJsonObject,
  ParseError,
  parseYamlDocuments,
} from '@flotilla/machinery';
import type { Access, Credential, Presented, ServerTls } from '../access.ts';
import { CredentialError } from '../credentials/credential-error.ts';
import { checkKeyPair, KEY_MISMATCH } from '../credentials/key-pair.ts';
import { basic, bearer, noCredential, staticCredential } from '../credentials/static-credential.ts';
import { execPluginOf } from './exec-plugin-of.ts';
import type {
  KubeconfigCluster,
  KubeconfigContext,
  KubeconfigEntries,
  KubeconfigUser,
} from './kubeconfig.ts';
import { entriesOf } from './kubeconfig-entries.ts';
import { joinProblems, KubeconfigError, kubeconfigRefusals } from './kubeconfig-error.ts';
import { impersonationOf } from './resolve-access.ts';
import { serverTls } from './server-tls.ts';
import { parseServerUrl, proxyUrlProblem, type ServerUrl } from './server-url.ts';
import {
  type UntrustedChoice,
  type UntrustedPolicy,
  type UntrustedProblem,
  untrustedProblems,
} from './untrusted-fields.ts';

/** Kubeconfigs of one cluster are a few KB. */
const MAX_BYTES = 1024 * 1024;
/** Nobody writes kubeconfigs with aliases; a few are no danger. */
const MAX_ALIASES = 16;
/** The public authorities are about 150. */
const MAX_AUTHORITIES = 1000;

/**
 * Reads a kubeconfig that somebody else wrote. Only listed fields are accepted; no file is read, no command run, no
 * identity provider asked, and nothing of the environment is used. Of the entries only those of the chosen context are
 * looked at. Every refusal names the field and what to do; none quotes what the text holds.
 */
export function parseUntrustedKubeconfig(text: string, policy: UntrustedPolicy = {}): Access {
  const value = documentOf(text);
  const chosen = choose(value, policy.context);
  const problems = untrustedProblems(value, chosen, policy);
  if (problems.length > 0) throw refused(problems);
  try {
    return accessOf(chosen.entries, chosen.contextName, policy);
  } catch (error) {
    if (!(error instanceof CredentialError)) throw error;
    throw new KubeconfigError(error.message, {
      refusal: error.message === KEY_MISMATCH ? 'KeyPairMismatch' : 'Invalid',
    });
  }
}

/** All that is wrong, as one error; of its kinds the gravest counts. */
function refused(all: readonly UntrustedProblem[]): KubeconfigError {
  const problems = all.map(({ text }) => text);
  const kinds = new Set(all.map(({ refusal }) => refusal));
  const refusal = kubeconfigRefusals.find((kind) => kinds.has(kind));
  return new KubeconfigError(joinProblems(problems), { problems, refusal });
}

function documentOf(text: string): Record<string, unknown> {
  if (Buffer.byteLength(text) > MAX_BYTES) {
    throw new KubeconfigError(
      'Cannot read the kubeconfig: it is larger than 1 MiB; give the one context that is meant (kubectl config view --minify --flatten --raw)',
    );
  }
  const documents = parse(text);
  const [first] = documents;
  if (documents.length > 1) {
    throw new KubeconfigError('Cannot read the kubeconfig: it holds more than one YAML document');
  }
  if (first?.strictError !== undefined) {
    throw new KubeconfigError(
      `Cannot read the kubeconfig: a key stands twice${lineOf(first.strictError)}; leave one of them`,
    );
  }
  const value = first?.value ?? null;
  if (value === null) throw new KubeconfigError('Cannot read the kubeconfig: it is empty');
  if (!isJsonObject(value)) {
    throw new KubeconfigError('Cannot read the kubeconfig: it is not a YAML or JSON object');
  }
  return value;
}

function parse(text: string) {
  try {
    return parseYamlDocuments(text, { maxAliases: MAX_ALIASES });
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    const hasAliases = /alias/.test(error.message);
    throw new KubeconfigError(
      hasAliases
        ? 'Cannot read the kubeconfig: it uses YAML aliases; write the values out'
        : `Cannot read the kubeconfig: it is not valid YAML${lineOf(error.message)}`,
    );
  }
}

/** Only the line: what else parsers say quotes the text. */
function lineOf(message: string): string {
  const line = /line (\d+)/.exec(message)?.[1];
  return line === undefined ? '' : ` (line ${line})`;
}

function choose(value: Record<string, unknown>, asked: string | undefined): UntrustedChoice {
  const named = asked || getOwn(value, 'current-context');
  if (typeof named !== 'string' || named === '') {
    throw new KubeconfigError(
      'Cannot use the kubeconfig: it has no current-context; set it, or say which context is meant',
      { refusal: 'ContextNotFound' },
    );
  }
  const context = indexOf(value, 'contexts', named);
  if (context < 0) {
    throw new KubeconfigError(
      asked
        ? 'Cannot use the kubeconfig: it has no context of the name asked for'
        : 'Cannot use the kubeconfig: its current-context is not among its contexts',
      { refusal: 'ContextNotFound' },
    );
  }
  const { cluster, user } = referencesOf(value, context);
  const entries = decodeChosen(value, { context, cluster, user });
  return { entries, contextName: named, context, cluster, user };
}

function referencesOf(value: Record<string, unknown>, context: number) {
  const body = getOwn(itemOf(value, 'contexts', context), 'context');
  const find = (list: 'clusters' | 'users', field: 'cluster' | 'user') => {
    const name = isJsonObject(body) ? getOwn(body, field) : undefined;
    const index = typeof name === 'string' ? indexOf(value, list, name) : -1;
    if (index >= 0) return index;
    throw new KubeconfigError(
      `Cannot use contexts[${context}].context.${field}: there is no such entry in ${list}`,
    );
  };
  return { cluster: find('clusters', 'cluster'), user: find('users', 'user') };
}

/** Decodes what the context means and nothing else. */
function decodeChosen(
  value: Record<string, unknown>,
  at: { context: number; cluster: number; user: number },
): KubeconfigEntries {
  try {
    return entriesOf({
      apiVersion: getOwn(value, 'apiVersion') ?? null,
      kind: getOwn(value, 'kind') ?? null,
      contexts: [itemOf(value, 'contexts', at.context)],
      clusters: [itemOf(value, 'clusters', at.cluster)],
      users: [itemOf(value, 'users', at.user)],
    });
  } catch (error) {
    if (!(error instanceof KubeconfigError)) throw error;
    throw new KubeconfigError(`Cannot read the kubeconfig: ${describe(error.message)}`);
  }
}

/** Types and places of kubectl's message, never a name out of the text. */
function describe(message: string): string {
  const [, field] = /Go struct field \w*\.([\w.-]+) of type/.exec(message) ?? [];
  if (field !== undefined) return `${field} is not of its type`;
  if (message.startsWith('illegal base64')) return `a field of data is not base64 (${message})`;
  return 'it is not of kind Config, version v1';
}

function indexOf(value: Record<string, unknown>, list: string, name: string): number {
  const items = getOwn(value, list);
  if (!Array.isArray(items)) return -1;
  return items.findIndex((item) => isJsonObject(item) && getOwn(item, 'name') === name);
}

function itemOf(
  value: Record<string, unknown>,
  list: string,
  index: number,
): Record<string, unknown> {
  return (getOwn(value, list) as Record<string, unknown>[])[index] ?? {};
}

function accessOf(
  entries: KubeconfigEntries,
  contextName: string,
  policy: UntrustedPolicy,
): Access {
  const [cluster = {}] = entries.clusters.values();
  const [user = {}] = entries.users.values();
  const url = serverOf(cluster);
  if (url.basic !== undefined) {
    throw new KubeconfigError(
      'Cannot use the server of the cluster: a user name does not belong into it; put it into the user entry',
    );
  }
  if (!url.isTls && policy.plainHttp !== true) {
    throw new KubeconfigError(
      'Cannot use the server of the cluster: it is not https; write https:// before the host',
      { refusal: 'InsecureTls' },
    );
  }
  const impersonate = impersonationOf(user);
  return {
    server: url.server,
    tls: url.isTls ? untrustedTls(cluster) : {},
    namespace: namespaceOf(entries.contexts.get(contextName) ?? {}),
    credential: url.isTls ? credentialOf(user, cluster, policy) : noCredential(),
    ...proxyOf(cluster),
    ...(cluster['disable-compression'] === true ? { disableCompression: true } : {}),
    ...(impersonate === undefined ? {} : { impersonate }),
  };
}

function serverOf(cluster: KubeconfigCluster): ServerUrl {
  try {
    return parseServerUrl(cluster.server ?? '');
  } catch (error) {
    if (!(error instanceof KubeconfigError)) throw error;
    throw new KubeconfigError('Cannot use the server of the cluster: it is not an https URL');
  }
}

function namespaceOf({ namespace = 'default' }: KubeconfigContext): string {
  if (isDNS1123Label(namespace).length === 0) return namespace;
  throw new KubeconfigError(
    'Cannot use the namespace of the context: it is not a DNS label (lower-case letters, digits, dashes)',
  );
}

function proxyOf(cluster: KubeconfigCluster): { proxyUrl?: string } {
  const proxyUrl = cluster['proxy-url'];
  if (proxyUrl === undefined) return {};
  if (proxyUrlProblem(proxyUrl) === undefined) return { proxyUrl };
  throw new KubeconfigError(
    'Cannot use the proxy-url of the cluster: it is not a URL with scheme http, https or socks5',
  );
}

/** A text of 1 MiB holds tens of thousands of blocks that are none; each of them costs as much as a certificate. */
function untrustedTls(cluster: KubeconfigCluster): ServerTls {
  const bundle = cluster['certificate-authority-data'];
  if (bundle !== undefined && countOf(bundle, '-----BEGIN') > MAX_AUTHORITIES) {
    throw new KubeconfigError(
      `Cannot use certificate-authority-data: it has more than ${MAX_AUTHORITIES} certificates`,
    );
  }
  return serverTls(cluster, bundle);
}

function countOf(bytes: Buffer, text: string): number {
  let count = 0;
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + text.length)) count++;
  return count;
}

function credentialOf(
  user: KubeconfigUser,
  cluster: KubeconfigCluster,
  { exec: accept }: UntrustedPolicy,
): Credential {
  if (user.exec === undefined || accept === undefined) return staticCredential(presentedOf(user));
  const { exec, token, username, 'client-certificate-data': cert, 'client-key-data': key } = user;
  if ([token, username, cert, key].some((other) => other !== undefined)) {
    throw new KubeconfigError(
      'Cannot use the user: it has a command and another credential; leave one of them',
    );
  }
  return accept(execPluginOf(exec, { cluster, bundle: cluster['certificate-authority-data'] }));
}

function presentedOf(user: KubeconfigUser): Presented {
  const { token, username, password } = user;
  const cert = user['client-certificate-data']?.toString();
  const key = user['client-key-data']?.toString();
  if (token !== undefined && (username !== undefined || password !== undefined)) {
    throw new KubeconfigError(
      'Cannot use the user: it has a token and a password; leave one of them',
    );
  }
  if ((cert === undefined) !== (key === undefined)) {
    throw new KubeconfigError(
      'Cannot use the user: client-certificate-data and client-key-data belong together; give both',
    );
  }
  if (cert !== undefined && key !== undefined) {
    checkKeyPair({ cert, key, keyName: 'client-key-data' });
  }
  const presented: Presented = {
    ...(token === undefined ? {} : { authorization: bearer(token.trim()) }),
    ...(username === undefined ? {} : { authorization: basic(`${username}:${password ?? ''}`) }),
    ...(cert === undefined || key === undefined ? {} : { certificate: { cert, key } }),
  };
  if (presented.authorization === undefined && presented.certificate === undefined) {
    throw new KubeconfigError(
      'Cannot use the user: it has no credential; give a token, or client-certificate-data and client-key-data',
      { refusal: 'NoCredential' },
    );
  }
  return presented;
}
