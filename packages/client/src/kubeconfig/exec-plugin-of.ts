import type { ExecCluster, ExecPlugin } from '../credentials/exec/exec-plugin.ts';
import type { KubeconfigCluster, KubeconfigExec } from './kubeconfig.ts';
import { withoutQuery } from './server-url.ts';

/** The extension of a cluster that is handed to credential plugins. */
const EXEC_EXTENSION = 'client.authentication.k8s.io/exec';

/** The server that a plugin makes a credential for. */
export interface PluginServer {
  readonly cluster: KubeconfigCluster;
  /** The authority's certificates as they are in the kubeconfig or its file. */
  readonly bundle: Buffer | undefined;
}

/** The command of a user entry, with what it is told about the server when the entry asks for that. */
export function execPluginOf(exec: KubeconfigExec, server: PluginServer): ExecPlugin {
  return {
    command: exec.command ?? '',
    args: exec.args ?? [],
    env: (exec.env ?? []).map(({ name = '', value = '' }) => ({ name, value })),
    apiVersion: exec.apiVersion ?? '',
    interactiveMode: exec.interactiveMode as ExecPlugin['interactiveMode'],
    installHint: exec.installHint,
    cluster: exec.provideClusterInfo === true ? clusterInfo(server) : undefined,
  };
}

function clusterInfo({ cluster, bundle }: PluginServer): ExecCluster {
  const authority = bundle?.toString('base64');
  return {
    server: withoutQuery(cluster.server ?? ''),
    ...(cluster['tls-server-name'] === undefined
      ? {}
      : { 'tls-server-name': cluster['tls-server-name'] }),
    ...(cluster['insecure-skip-tls-verify'] === true
      ? { 'insecure-skip-tls-verify': true as const }
      : {}),
    ...(authority === undefined ? {} : { 'certificate-authority-data': authority }),
    ...(cluster['proxy-url'] === undefined ? {} : { 'proxy-url': cluster['proxy-url'] }),
    ...(cluster['disable-compression'] === true ? { 'disable-compression': true as const } : {}),
    // Written as null where there is none, as kubectl does.
    config: cluster.extensions?.get(EXEC_EXTENSION) ?? null,
  };
}
