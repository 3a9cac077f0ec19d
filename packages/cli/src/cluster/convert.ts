import {
  type ClusterRegistration,
  type ClusterRegistrationSpecInput,
  ClusterRegistrations,
} from '@flotilla/api';
import { LOCAL_CLUSTER, readClusterSecret } from '@flotilla/hub';
import { apiVersionOf, toYaml } from '@flotilla/machinery';
import { UsageError } from '../usage-error.ts';
import { type FleetCluster, listFleet } from './fleet.ts';
import type { HubSession } from './hub-session.ts';
import { requireCluster } from './require-cluster.ts';

/** What `convert` is told. */
export interface ConvertOptions {
  readonly name?: string;
  readonly all?: boolean;
  /** Copies the credential into the registration, where everyone who reads it sees it. */
  readonly inline?: boolean;
  /** Prints instead of writing. */
  readonly output?: string;
}

/** Makes registrations of clusters that were joined without one; nothing is interrupted. */
export async function convert(hub: HubSession, options: ConvertOptions): Promise<number> {
  const { io } = hub;
  const clusters = await chosen(hub, options);
  if (options.inline === true) {
    io.err(
      'Warning: with --inline the credential can be read by everyone who can read the registration, or the repository it is kept in\n',
    );
  }
  const registrations = clusters.map((cluster) =>
    conversionOf(cluster, hub.namespace, options.inline),
  );
  if (options.output !== undefined) {
    if (!['yaml', 'json'].includes(options.output)) {
      throw new UsageError(`Cannot print as "${options.output}": there are yaml and json`);
    }
    io.out(
      options.output === 'yaml'
        ? registrations.map((each) => toYaml(each)).join('---\n')
        : `${JSON.stringify(registrations.length === 1 ? registrations[0] : { apiVersion: 'v1', kind: 'List', items: registrations }, null, 2)}\n`,
    );
    return 0;
  }
  for (const registration of registrations) {
    await hub.client.create(ClusterRegistrations, registration, {
      fieldManager: 'flotilla-cli',
      signal: io.signal,
    });
    const { namespace = '', name = '' } = registration.metadata;
    io.out(
      `Converted cluster ${registration.spec.clusterName ?? name}: clusterregistration ${namespace}/${name}\n`,
    );
  }
  if (registrations.length === 0) io.err('Nothing to convert: every cluster has a registration\n');
  return 0;
}

/** The registration that takes a joined cluster over as it is. */
export function conversionOf(
  { name, secret }: FleetCluster,
  namespace: string,
  isInline = false,
): ClusterRegistration {
  const read = secret === undefined ? undefined : readClusterSecret(secret);
  if (secret === undefined || read?.access === undefined) {
    throw new Error(
      `Cannot convert cluster "${name}": a credential of type ${read?.credentialType ?? 'ManagedCluster'} cannot be kept in a registration; join it anew`,
    );
  }
  const spec: ClusterRegistrationSpecInput = {
    clusterName: name,
    ...(read.alias === undefined ? {} : { alias: read.alias }),
    credentialSource: isInline
      ? { inline: inlineOf(secret.data ?? {}, read.credentialType) }
      : { existingSecret: {} },
    config: { createNamespace: 'vela-system', validateCredentials: false },
    labels: { ...read.labels, 'migrated-from': 'secret' },
  };
  return {
    apiVersion: apiVersionOf(ClusterRegistrations),
    kind: ClusterRegistrations.kind,
    metadata: { name, namespace },
    spec: spec as ClusterRegistration['spec'],
  };
}

function inlineOf(
  data: Readonly<Record<string, string>>,
  credentialType: string,
): NonNullable<ClusterRegistrationSpecInput['credentialSource']['inline']> {
  const text = (key: string) => Buffer.from(data[key] ?? '', 'base64').toString();
  const ca = data['ca.crt'] ?? data['ca'];
  const isInsecure = ca === undefined;
  return {
    endpoint: text('endpoint').trim(),
    credentialType: credentialType as 'ServiceAccountToken' | 'X509Certificate',
    ...(ca === undefined || ca === '' ? {} : { caData: ca }),
    ...(isInsecure ? { insecureSkipTLSVerify: true } : {}),
    ...(data['proxy-url'] === undefined ? {} : { proxyURL: text('proxy-url') }),
    ...(credentialType === 'X509Certificate'
      ? { clientCertData: data['tls.crt'] ?? '', clientKeyData: data['tls.key'] ?? '' }
      : { tokenData: data['token'] ?? '' }),
  };
}

async function chosen(
  hub: HubSession,
  { name, all = false }: ConvertOptions,
): Promise<FleetCluster[]> {
  const { io } = hub;
  if ((name === undefined) !== all) throw new UsageError('Give the name of a cluster, or --all');
  if (name === undefined) {
    const fleet = await listFleet(hub);
    const registered = registeredNames(fleet);
    const joined = fleet.filter(
      ({ source, name: each }) => source === 'secret' && !registered.has(each),
    );
    const usable = joined.filter(({ secret }) => secret && readClusterSecret(secret)?.access);
    for (const each of joined.filter((other) => !usable.includes(other))) {
      io.err(
        `Skipped cluster ${each.name}: a credential of type ${each.type} cannot be kept in a registration\n`,
      );
    }
    return usable;
  }
  const cluster = await requireCluster(hub, name);
  if (name === LOCAL_CLUSTER)
    throw new UsageError('Cannot convert cluster "local": it is the hub itself');
  if (cluster.registration !== undefined || registeredNames(await listFleet(hub)).has(name)) {
    throw new UsageError(`Cannot convert cluster "${name}": it has a registration already`);
  }
  return [cluster];
}

/** Names that registrations have or want: one that was made a moment ago does not have its Secret yet. */
function registeredNames(fleet: readonly FleetCluster[]): ReadonlySet<string> {
  return new Set(fleet.flatMap(({ source, name }) => (source === 'registration' ? [name] : [])));
}
