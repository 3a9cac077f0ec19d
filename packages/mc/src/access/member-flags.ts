import type { Impersonation, KubeconfigCluster, KubeconfigUser } from '@flotilla/client';
import type { ClusterMappingEntry } from '../fleet/cluster.ts';
import type { KubectlFlags } from '../settings/settings.ts';

/** What counts before a context's own entries: kubectl's flags, then what the mapping says of the cluster. */
export interface MemberOverrides {
  readonly clusterFields: KubeconfigCluster;
  readonly userFields: KubeconfigUser;
}

/** kubectl's flags under the names of the fields they set; they are for members and never for the hub. */
export function memberOverrides(
  flags: KubectlFlags,
  mapping: ClusterMappingEntry | undefined,
): MemberOverrides {
  const proxyUrl = proxyUrlOf(flags, mapping);
  return {
    clusterFields: {
      ...(flags.insecureSkipTlsVerify ? { 'insecure-skip-tls-verify': true } : {}),
      ...(flags.tlsServerName === undefined ? {} : { 'tls-server-name': flags.tlsServerName }),
      ...(proxyUrl === undefined ? {} : { 'proxy-url': proxyUrl }),
    },
    userFields: {
      ...(flags.token === undefined ? {} : { token: flags.token }),
      ...(flags.as === undefined ? {} : { as: flags.as }),
      ...(flags.asUid === undefined ? {} : { 'as-uid': flags.asUid }),
      ...(flags.asGroups.length === 0 ? {} : { 'as-groups': flags.asGroups }),
    },
  };
}

/** The proxy that the user names for a cluster. */
export function proxyUrlOf(
  flags: KubectlFlags,
  mapping: ClusterMappingEntry | undefined,
): string | undefined {
  return flags.proxyUrl ?? mapping?.proxyUrl;
}

/** Who the flags ask to act as; undefined when as nobody else. */
export function impersonationOf(flags: KubectlFlags): Impersonation | undefined {
  if (flags.as === undefined) return undefined;
  return {
    user: flags.as,
    ...(flags.asUid === undefined ? {} : { uid: flags.asUid }),
    ...(flags.asGroups.length === 0 ? {} : { groups: flags.asGroups }),
  };
}
