import { ConfigMaps } from '@flotilla/client';
import { isJsonObject, isNotFound, parseYaml } from '@flotilla/machinery';
import { OcmProblem } from './ocm-problem.ts';
import type { OcmClient, OcmWanted } from './types.ts';

/** Where an agent finds the hub, and whom it trusts there. */
export interface HubAddress {
  readonly server: string;
  /** PEM; undefined trusts the public authorities. */
  readonly ca: string | undefined;
}

/** The address that the spec asks for: what the hub says of itself in kube-public, or the one we use. */
export async function hubAddress(
  hub: OcmClient,
  { inClusterBootstrap, hubAddress: own }: OcmWanted,
  signal: AbortSignal,
): Promise<HubAddress> {
  if (!inClusterBootstrap) return own;
  const key = { namespace: 'kube-public', name: 'cluster-info' };
  try {
    const { data = {} } = await hub.get(ConfigMaps, key, { signal });
    const address = readClusterInfo(data['kubeconfig'] ?? '');
    if (address !== undefined) return address;
    throw new OcmProblem('HubNotReady', withHint('it holds no kubeconfig with a server'));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof OcmProblem) throw error;
    throw new OcmProblem(
      'HubNotReady',
      withHint(isNotFound(error) ? 'it is not there' : (error as Error).message),
    );
  }
}

function withHint(problem: string): string {
  return `Cannot read ConfigMap kube-public/cluster-info of the hub: ${problem}; set spec.config.inClusterBootstrap to false to use the address of the controller`;
}

/** The first cluster of a kubeconfig, as kubeadm and clusteradm write it. */
function readClusterInfo(text: string): HubAddress | undefined {
  let config: unknown;
  try {
    config = parseYaml(text).value;
  } catch {
    return undefined;
  }
  const clusters: unknown = isJsonObject(config) ? config['clusters'] : undefined;
  const first: unknown = Array.isArray(clusters) ? clusters[0] : undefined;
  const cluster = isJsonObject(first) ? first['cluster'] : undefined;
  if (!isJsonObject(cluster)) return undefined;
  const { server, 'certificate-authority-data': authority } = cluster;
  if (typeof server !== 'string' || !/^https?:\/\/./.test(server)) return undefined;
  const ca = typeof authority === 'string' ? Buffer.from(authority, 'base64').toString() : '';
  return { server, ca: ca === '' ? undefined : ca };
}
