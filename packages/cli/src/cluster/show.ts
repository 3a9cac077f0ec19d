import type { ClusterRegistration } from '@flotilla/api';
import { formatColumns, toYaml } from '@flotilla/machinery';
import { UsageError } from '../usage-error.ts';
import type { FleetCluster } from './fleet.ts';
import type { HubSession } from './hub-session.ts';
import { sourceText } from './list.ts';
import { requireCluster } from './require-cluster.ts';

/** Prints all that is known about one cluster, without any credential. */
export async function show(
  hub: HubSession,
  { name, output }: { readonly name: string; readonly output?: string },
): Promise<number> {
  const { io } = hub;
  const cluster = await requireCluster(hub, name);
  if (output === undefined) {
    io.out(formatCluster(cluster));
    return 0;
  }
  const object = withoutCredential(cluster);
  if (output === 'yaml') io.out(toYaml(object));
  else if (output === 'json') io.out(`${JSON.stringify(object, null, 2)}\n`);
  else throw new UsageError(`Cannot print as "${output}": there are yaml and json`);
  return 0;
}

/** One cluster as text. */
export function formatCluster(cluster: FleetCluster): string {
  const { registration } = cluster;
  const status = registration?.status;
  const rows = [
    ['Name:', cluster.name],
    ['Alias:', cluster.alias],
    ['Source:', sourceText(cluster)],
    ['Type:', cluster.type],
    ['Endpoint:', cluster.endpoint],
    ['Phase:', cluster.phase],
    ['Message:', status?.message],
    ['Version:', status?.clusterInfo?.version?.gitVersion],
    ['Cluster ID:', status?.clusterInfo?.clusterID],
    ['Authenticated as:', status?.clusterInfo?.authenticatedAs],
    ['Credential:', credentialText(registration)],
    ['Last heartbeat:', status?.lastHeartbeatTime],
    ...labelRows(cluster.labels),
  ].filter((row): row is [string, string] => row[1] !== undefined && row[1] !== '');
  const text = formatColumns(rows);
  const conditions = (status?.conditions ?? []).map(({ type, status: holds, reason, message }) => [
    `  ${type}`,
    holds,
    reason ?? '',
    message ?? '',
  ]);
  if (conditions.length === 0) return text;
  return `${text}Conditions:\n${formatColumns([['  TYPE', 'STATUS', 'REASON', 'MESSAGE'], ...conditions])}`;
}

function labelRows(labels: Readonly<Record<string, string>>): string[][] {
  return Object.entries(labels).map(([key, value], index) => [
    index === 0 ? 'Labels:' : '',
    `${key}=${value}`,
  ]);
}

function credentialText(registration: ClusterRegistration | undefined): string | undefined {
  const credential = registration?.status?.credential;
  if (credential === undefined) return undefined;
  const { source, revision, appliedAt, expiresAt } = credential;
  return [
    source,
    revision === undefined ? undefined : `revision ${revision}`,
    appliedAt === undefined ? undefined : `since ${appliedAt}`,
    expiresAt === undefined ? undefined : `until ${expiresAt}`,
  ]
    .filter((part) => part !== undefined)
    .join(', ');
}

/** The object behind a cluster; what opens its door is left out. */
function withoutCredential(cluster: FleetCluster): object {
  const { registration, secret, managedCluster } = cluster;
  if (registration !== undefined) {
    const { inline } = registration.spec.credentialSource;
    if (inline === undefined) return withoutManagedFields(registration);
    const { tokenData: _, clientKeyData: __, ...rest } = inline;
    const credentialSource = { inline: rest };
    return withoutManagedFields({
      ...registration,
      metadata: withoutLastApplied(registration.metadata),
      spec: { ...registration.spec, credentialSource },
    });
  }
  if (secret !== undefined) {
    const { data: _, stringData: __, ...rest } = secret;
    return withoutManagedFields({ ...rest, metadata: withoutLastApplied(secret.metadata) });
  }
  return managedCluster === undefined
    ? { name: cluster.name, type: cluster.type }
    : withoutManagedFields(managedCluster);
}

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** kubectl keeps a copy of everything it applied, credentials included. */
function withoutLastApplied<T extends { annotations?: Record<string, string> | undefined }>(
  metadata: T,
): T {
  const { [LAST_APPLIED]: _, ...annotations } = metadata.annotations ?? {};
  return { ...metadata, annotations };
}

function withoutManagedFields<T extends { metadata: object }>(object: T): object {
  const { managedFields: _, ...metadata } = object.metadata as { managedFields?: unknown };
  return { ...object, metadata };
}
