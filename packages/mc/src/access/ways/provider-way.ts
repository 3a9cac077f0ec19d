import { once } from '../once.ts';
import { pluginOfProvider } from '../provider-file/plugin-of-provider.ts';
import { findProviderFile } from '../provider-file/read-provider-file.ts';
import type { RoutingDeps } from '../routing-deps.ts';
import type { Way } from '../way.ts';
import { profileRoute } from './profile-route.ts';

/** Upstream's way: the user's provider file says which command logs in where, and the profile says where that is. */
export function providerWay(deps: RoutingDeps): Way {
  const load = once(() => findProviderFile(deps.settings.access.providerFile, deps.io.homeFolder));
  return async (cluster) => {
    if (cluster.offers.length === 0) return undefined;
    const file = await load();
    if (file === undefined) return undefined;
    // The file's order decides, not the profile's: the user prefers, the profile only offers.
    for (const provider of file.providers) {
      const offer = cluster.offers.find(({ name }) => name === provider.name);
      if (offer === undefined) continue;
      const plugin = pluginOfProvider(provider, offer);
      const source = `provider ${provider.name}`;
      return { route: profileRoute(cluster, { offer, kind: 'provider', source, plugin }, deps) };
    }
    return undefined;
  };
}
