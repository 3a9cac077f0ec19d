import type { UserInfo } from '@flotilla/apiserver';
import type { Impersonation } from '@flotilla/client';
import {
  type ExchangeRule,
  type ExchangeSource,
  type ProxyConfiguration,
  ProxyConfigurationError,
} from './proxy-configuration.ts';

/** Whom a member is to see: somebody, or with `privileged` the cluster's own credential as it is. */
export type MemberIdentity = Impersonation | 'privileged';

/** The first configuration with a rule for the user decides; without one the member sees the user. */
export function exchangeIdentity(
  configurations: readonly ProxyConfiguration[],
  user: UserInfo,
  cluster: string,
): MemberIdentity {
  for (const { rules } of configurations) {
    const rule = rules.find(({ source }) => isMeant(source, user, cluster));
    if (rule !== undefined) return applied(rule);
  }
  const { name, groups, extra } = user;
  return { user: name, groups, ...(extra === undefined ? {} : { extra }) };
}

/** The same rules with the one cluster they stand at: those of an annotation cannot speak for others. */
export function boundTo(configuration: ProxyConfiguration, cluster: string): ProxyConfiguration {
  return {
    rules: configuration.rules.map((rule) =>
      rule.source === undefined ? rule : { ...rule, source: { ...rule.source, cluster } },
    ),
  };
}

function applied({ name, type, target }: ExchangeRule): MemberIdentity {
  switch (type) {
    case 'PrivilegedIdentityExchanger':
      return 'privileged';
    case 'StaticMappingIdentityExchanger': {
      // A member would take requests without a user for those of the credential's own.
      if (target === undefined || target.user === '') {
        throw new ProxyConfigurationError(`rule "${name}" has no target user`);
      }
      const { user, groups, uid } = target;
      return { user, groups, ...(uid === '' ? {} : { uid }) };
    }
    case 'ExternalIdentityExchanger':
      throw new ProxyConfigurationError('ExternalIdentityExchanger is not implemented');
    default:
      throw new ProxyConfigurationError(`unknown exchanger type: ${type}`);
  }
}

function isMeant(source: ExchangeSource | undefined, user: UserInfo, cluster: string): boolean {
  if (source === undefined) return false;
  const { userPattern, groupPattern, clusterPattern } = source;
  return (
    isEqual(source.user, user.name) &&
    (source.group === undefined || user.groups.includes(source.group)) &&
    isEqual(source.uid, user.uid ?? '') &&
    isEqual(source.cluster, cluster) &&
    (userPattern === undefined || userPattern(user.name)) &&
    (groupPattern === undefined || user.groups.some(groupPattern)) &&
    (clusterPattern === undefined || clusterPattern(cluster))
  );
}

function isEqual(wanted: string | undefined, actual: string): boolean {
  return wanted === undefined || wanted === actual;
}
