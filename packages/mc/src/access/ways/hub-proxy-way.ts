import type { Access } from '@flotilla/client';
import type { FleetCluster } from '../../fleet/cluster.ts';
import type { Settings } from '../../settings/settings.ts';
import { AccessError } from '../access-error.ts';
import { impersonationOf } from '../member-flags.ts';
import { once } from '../once.ts';
import type { RoutingDeps } from '../routing-deps.ts';
import { canonicalServer } from '../servers.ts';
import type { Way } from '../way.ts';

/** Paths below the hub's own address, where its API server hands requests on to members. */
const PATHS: Readonly<Record<string, string>> = {
  'cluster-gateway': '/apis/cluster.core.oam.dev/v1alpha1/clustergateways/{cluster}/proxy',
  karmada: '/apis/cluster.karmada.io/v1alpha1/clusters/{cluster}/proxy',
};

const OCM_NAME = 'open-cluster-management.io/cluster-name';
/** The provider under which OCM's cluster-proxy publishes its authority. */
const OCM_PROVIDER = 'open-cluster-management';

/**
 * Through the hub, as the user's own self there: off unless the settings say so, since a hub is otherwise only asked
 * which clusters there are. A template is a URL, or a path below the hub's address, with `{cluster}` in it.
 */
export function hubProxyWay(deps: RoutingDeps): Way {
  const { access } = deps.settings;
  return async (cluster) => {
    if (access.hubProxy === undefined && access.hubProxyTemplate === undefined) return undefined;
    // A member is named by the hub that proxies to it; what came from elsewhere has no such name.
    if (cluster.profile === undefined) return undefined;
    const template = templateOf(access);
    const hub = await deps.hub(cluster);
    const target = targetOf(cluster, template, hub);
    const namespace = cluster.mapping?.defaultNamespace ?? 'default';
    return {
      route: {
        kind: 'hub-proxy',
        source: `hub proxy${access.hubProxy === undefined ? '' : ` (${access.hubProxy})`}`,
        server: target.server,
        namespace,
        caSource: target.tls === hub.tls ? "the hub's context" : 'the profile',
        identity: `${canonicalServer(target.server)} `,
        open: once(async () => {
          const impersonate = impersonationOf(deps.settings.kubectl);
          return await Promise.resolve({
            ...hub,
            ...target,
            namespace,
            ...(impersonate === undefined ? {} : { impersonate }),
          });
        }),
      },
    };
  };
}

function templateOf({ hubProxy, hubProxyTemplate }: Settings['access']): string {
  const template = hubProxyTemplate ?? PATHS[hubProxy ?? ''];
  if (template === undefined) {
    throw new AccessError(
      'access.hubProxy is cluster-proxy, whose address outside the hub is not known',
      {
        hint: 'set access.hubProxyTemplate to the address of its user server, such as https://cluster-proxy.example.com/{cluster}',
      },
    );
  }
  if (!template.includes('{cluster}')) {
    throw new AccessError(`access.hubProxyTemplate has no {cluster} in it: "${template}"`);
  }
  return template;
}

function targetOf(
  { profile, name, labels, offers }: FleetCluster,
  template: string,
  hub: Access,
): Pick<Access, 'server' | 'tls'> {
  const member = labels[OCM_NAME] ?? profile?.name ?? name;
  const filled = template.replaceAll('{cluster}', encodeURIComponent(member)).replace(/\/+$/, '');
  if (filled.startsWith('/')) return { server: `${hub.server}${filled}`, tls: hub.tls };
  if (!URL.canParse(filled) || new URL(filled).protocol !== 'https:') {
    throw new AccessError(
      `access.hubProxyTemplate is neither an https URL nor a path below the hub: "${template}"`,
    );
  }
  if (new URL(filled).origin === new URL(hub.server).origin) {
    return { server: filled, tls: hub.tls };
  }
  // The address is the user's own; of the profile only the certificate to expect there is taken.
  const ca = offers.find((offer) => offer.name === OCM_PROVIDER)?.ca;
  return { server: filled, tls: ca === undefined ? {} : { ca } };
}
