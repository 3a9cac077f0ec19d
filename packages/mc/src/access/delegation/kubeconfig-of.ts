import type { Access } from '@flotilla/client';
import type { Route } from '../../fleet/route.ts';

/** A cluster that other programs shall be able to reach. */
export interface DelegatedCluster {
  /** Of its context, cluster and user. */
  readonly name: string;
  readonly route: Pick<Route, 'isAnonymous' | 'namespace'>;
  readonly access: Access;
}

/** The command that gets a credential, as a kubeconfig has it. */
export interface ExecStanza {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly interactiveMode: 'Never' | 'IfAvailable';
}

/**
 * A kubeconfig with a context for each cluster, whose users are commands that ask us: addresses and authorities are in
 * it, and nothing secret.
 */
export function kubeconfigOf(
  clusters: readonly DelegatedCluster[],
  stanzaOf: (name: string) => ExecStanza,
) {
  const [only, ...others] = clusters;
  return {
    apiVersion: 'v1',
    kind: 'Config',
    // Of several none is current: a command must not go to the first by accident.
    ...(only === undefined || others.length > 0 ? {} : { 'current-context': only.name }),
    clusters: clusters.map(({ name, access }) => ({ name, cluster: clusterEntry(access) })),
    users: clusters.map(({ name, access, route }) => ({
      name,
      user: {
        ...impersonation(access),
        ...(route.isAnonymous === true ? {} : { exec: execEntry(stanzaOf(name)) }),
      },
    })),
    contexts: clusters.map(({ name, route }) => ({
      name,
      context: { cluster: name, user: name, namespace: route.namespace },
    })),
  };
}

function clusterEntry({ server, tls, proxyUrl, disableCompression }: Access) {
  const { ca, serverName, insecure } = tls;
  return {
    server,
    ...(insecure === true ? { 'insecure-skip-tls-verify': true } : {}),
    ...(ca === undefined || insecure === true
      ? {}
      : { 'certificate-authority-data': Buffer.from(ca).toString('base64') }),
    ...(serverName === undefined ? {} : { 'tls-server-name': serverName }),
    ...(proxyUrl === undefined ? {} : { 'proxy-url': proxyUrl }),
    ...(disableCompression === true ? { 'disable-compression': true } : {}),
  };
}

function impersonation({ impersonate }: Access) {
  if (impersonate === undefined) return {};
  const { user, uid, groups, extra } = impersonate;
  return {
    as: user,
    ...(uid === undefined ? {} : { 'as-uid': uid }),
    ...(groups === undefined ? {} : { 'as-groups': groups }),
    ...(extra === undefined ? {} : { 'as-user-extra': extra }),
  };
}

function execEntry({ command, args, env, interactiveMode }: ExecStanza) {
  return {
    apiVersion: 'client.authentication.k8s.io/v1',
    command,
    args,
    ...(env === undefined || env.length === 0 ? {} : { env }),
    interactiveMode,
    provideClusterInfo: false,
  };
}
