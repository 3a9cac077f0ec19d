import type { Registry } from '../resources/registry.ts';
import type { ResourceDef } from '../resources/resource.ts';
import type { Tenant } from '../storage/store.ts';

/** Finds definitions by what objects say of others, and by where objects are stored. */
export interface KindLookup {
  /** The resource of a kind as references name it; undefined when that version does not serve it. */
  readonly byKind: (tenant: Tenant, apiVersion: string, kind: string) => ResourceDef | undefined;
  /** The stored resource that a key belongs to. */
  readonly byKey: (tenant: Tenant, key: string) => ResourceDef | undefined;
}

/** Looks into the registry of the tenant each time: custom kinds come and go. */
export function kindLookup(registryOf: (tenant: Tenant) => Registry): KindLookup {
  // A registry shows another list when its kinds change, so what was made from one stays right for it.
  const stored = new WeakMap<Registry['groupVersions'], ReadonlyMap<string, ResourceDef>>();
  const byPrefix = (registry: Registry): ReadonlyMap<string, ResourceDef> => {
    const { groupVersions } = registry;
    let defs = stored.get(groupVersions);
    if (defs === undefined) {
      defs = new Map(registry.stored().map((def) => [def.prefix, def]));
      stored.set(groupVersions, defs);
    }
    return defs;
  };
  return {
    byKind: (tenant, apiVersion, kind) => {
      const slash = apiVersion.indexOf('/');
      const group = slash < 0 ? '' : apiVersion.slice(0, slash);
      const version = apiVersion.slice(slash + 1);
      const registry = registryOf(tenant);
      const resource = registry.groupVersions
        .find((each) => each.group === group && each.version === version)
        ?.resources.find((each) => each.kind === kind && !each.name.includes('/'));
      return resource === undefined ? undefined : registry.find(group, version, resource.name);
    },
    byKey: (tenant, key) => {
      const [group = '', resource = ''] = key.split('/', 2);
      return byPrefix(registryOf(tenant)).get(`${group}/${resource}/`);
    },
  };
}
