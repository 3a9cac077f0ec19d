import type { Kubeconfig } from '@flotilla/client';
import { LOCAL_CLUSTER } from '@flotilla/hub';
import { matchesLabels, parseLabelSelector, toYaml } from '@flotilla/machinery';
import { type FleetCluster, listFleet } from './fleet.ts';
import { gatewayPath } from './gateway-path.ts';
import type { HubSession } from './hub-session.ts';

/** Prints the user's kubeconfig with a cluster entry for every member, each behind the gateway of the hub. */
export async function exportConfig(
  hub: HubSession,
  { selector = '', context }: { readonly selector?: string; readonly context?: string },
): Promise<number> {
  const { io } = hub;
  const wanted = parseLabelSelector(selector);
  const members = (await listFleet(hub)).filter(
    (each) => each.source !== 'hub' && each.isAccepted && matchesLabels(wanted, each.labels),
  );
  if (members.length === 0) throw new Error('no cluster found');
  io.out(toYaml(withMembers(hub.kubeconfig, members, context)));
  io.err(`${members.length} cluster loaded: [${members.map(({ name }) => name).join(', ')}]\n`);
  io.err('kubeconfig generated.\n');
  return 0;
}

/** Users and contexts stay as they are: `kubectl --cluster NAME` chooses a member. */
export function withMembers(
  kubeconfig: Kubeconfig,
  members: readonly FleetCluster[],
  context = kubeconfig.currentContext,
): object {
  if (context === '') throw new Error('Cannot export: the kubeconfig has no current context');
  const { cluster: baseName = '' } = kubeconfig.contexts.get(context) ?? {};
  const base = kubeconfig.clusters.get(baseName);
  if (base?.server === undefined) {
    throw new Error(`Cannot export: context "${context}" leads to no cluster of the kubeconfig`);
  }
  const server = base.server.replace(/\/+$/, '');
  const others = [...kubeconfig.clusters].filter(
    ([name]) => name !== baseName && name !== LOCAL_CLUSTER,
  );
  const taken = new Set(members.map(({ name }) => name));
  const clusters = [
    { name: LOCAL_CLUSTER, cluster: plain(base) },
    ...others
      .filter(([name]) => !taken.has(name))
      .map(([name, cluster]) => ({ name, cluster: plain(cluster) })),
    ...members.map(({ name }) => ({
      name,
      cluster: plain({ ...base, server: `${server}${gatewayPath(name)}` }),
    })),
  ];
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters,
    users: [...kubeconfig.users].map(([name, user]) => ({ name, user: plain(user) })),
    contexts: [...kubeconfig.contexts].map(([name, entry]) => ({
      name,
      context: plain(entry.cluster === baseName ? { ...entry, cluster: LOCAL_CLUSTER } : entry),
    })),
    'current-context': context,
  };
}

/** An entry as it stands in a file: bytes in base64, no trace of where it came from. */
function plain(entry: object): Record<string, unknown> {
  const fields = Object.entries(entry).filter(
    ([key, value]) => key !== 'origin' && key !== 'extensions' && value !== undefined,
  );
  return Object.fromEntries(
    fields.map(([key, value]) => [key, Buffer.isBuffer(value) ? value.toString('base64') : value]),
  );
}
