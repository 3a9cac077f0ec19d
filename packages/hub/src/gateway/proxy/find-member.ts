import type { MountedExchange } from '@flotilla/apiserver';
import type { Secret } from '@flotilla/client';
import { StatusError } from '@flotilla/machinery';
import { PROXY_CONFIGURATION_ANNOTATION } from '../../cluster-secret/names.ts';
import { type ClusterSecret, readClusterSecret } from '../../cluster-secret/read-cluster-secret.ts';
import { clusterGatewayOf } from '../cluster-gateway.ts';
import { hubObjects } from '../hub-objects.ts';
import { boundTo, exchangeIdentity, type MemberIdentity } from '../identity/exchange-identity.ts';
import {
  type ProxyConfiguration,
  ProxyConfigurationError,
  parseProxyConfiguration,
} from '../identity/proxy-configuration.ts';
import { dialFailure } from './dial-failure.ts';
import type { Member, Members } from './members.ts';

/** What finding a member takes. */
export interface FindMemberDeps {
  readonly namespace: string;
  readonly members: Members;
  /** Whether members see who asks even where the request does not say so. */
  readonly passesIdentityOn: boolean;
  /** For all clusters, after what a cluster says for itself. */
  readonly proxyConfiguration: ProxyConfiguration;
}

/** Where a request goes, and as whom. */
export interface Destination {
  readonly member: Member;
  readonly identity: MemberIdentity;
}

/** Looks up the cluster that a request is for, as it is now. */
export async function findMember(
  deps: FindMemberDeps,
  exchange: MountedExchange,
): Promise<Destination> {
  const { name } = exchange.info;
  const key = `${exchange.tenant}/${name}`;
  const secret = await hubObjects(exchange, deps.namespace).secret(name);
  // Whatever is wrong with the Secret, upstream says the same, and KubeVela looks for it.
  if (secret === undefined || clusterGatewayOf(secret) === undefined) {
    deps.members.drop(key);
    throw new StatusError(500, '', `no such cluster ${name}`);
  }
  // First of all: a request that might be sent as somebody else is not sent.
  const identity = identityOf(deps, exchange, secret);
  const access = accessOf(readClusterSecret(secret), name);
  const member = await deps.members.get(key, access).catch((error: unknown) => {
    throw dialFailure(error, { host: access.endpoint, port: 0 });
  });
  return { member, identity };
}

function accessOf(cluster: ClusterSecret | undefined, name: string) {
  if (cluster?.access !== undefined) return cluster.access;
  const text =
    cluster?.endpointType === 'ClusterProxy'
      ? `failed creating cluster proxy client config ${name}: this hub has no tunnel to the cluster`
      : cluster?.endpointType !== 'Const'
        ? `failed parsing endpoint for cluster ${name}: unsupported cluster gateway endpoint type`
        : `proxying cluster ${name} not support due to lacking credentials or a valid endpoint`;
  throw new StatusError(500, '', text);
}

/** The cluster's own credential, unless the hub or the request wants the member to see who asks. */
function identityOf(
  { passesIdentityOn, proxyConfiguration }: FindMemberDeps,
  { request, user, info }: MountedExchange,
  { metadata }: Secret,
): MemberIdentity {
  if (!passesIdentityOn && request.query.get('impersonate') !== 'true') return 'privileged';
  const written = metadata.annotations?.[PROXY_CONFIGURATION_ANNOTATION];
  try {
    const own = written === undefined ? [] : [boundTo(parseProxyConfiguration(written), info.name)];
    return exchangeIdentity([...own, proxyConfiguration], user, info.name);
  } catch (error) {
    if (!(error instanceof ProxyConfigurationError)) throw error;
    throw new StatusError(
      500,
      '',
      `Cannot tell as whom to send the request to cluster "${info.name}": ${error.message}; correct its proxy configuration`,
    );
  }
}
