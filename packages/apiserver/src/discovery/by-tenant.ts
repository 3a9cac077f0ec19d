import type { ApiRequest, ApiResponse } from '../http/exchange.ts';
import type { GroupVersion, Registry } from '../resources/registry.ts';
import type { Tenant } from '../storage/store.ts';
import { createDiscovery, type Discovery } from './discovery.ts';
import { serveDiscovery } from './serve.ts';

/** Answers discovery for every tenant; those that serve the same share the documents. */
export function discoveryByTenant(
  registries: { readonly of: (tenant: Tenant) => Registry },
  address: () => string,
): (tenant: Tenant, request: ApiRequest) => ApiResponse | undefined {
  // Lists of group versions are made anew when they change, so each is its documents' key.
  const made = new WeakMap<readonly GroupVersion[], Discovery>();
  return (tenant, request) => {
    if (!/^\/apis?(\/|$)/.test(request.path)) return undefined;
    const { groupVersions } = registries.of(tenant);
    let discovery = made.get(groupVersions);
    if (discovery === undefined) {
      discovery = createDiscovery(() => groupVersions);
      made.set(groupVersions, discovery);
    }
    return serveDiscovery(discovery, address)(request);
  };
}
