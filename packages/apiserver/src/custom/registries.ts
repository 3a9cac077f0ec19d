import type { GroupVersion, Registry, ResourceData } from '../resources/registry.ts';
import type { ResourceDef } from '../resources/resource.ts';
import type { Tenant } from '../storage/store.ts';
import {
  type CrdVersion,
  type CustomResourceDefinition,
  hasCondition,
  isNamespaced,
  isServed,
  storageVersion,
} from './crd.ts';
import type { CrdHolder } from './crd-holder.ts';
import type { CrdIndex } from './crd-index.ts';
import { CUSTOM_VERBS, SUBRESOURCE_VERBS } from './custom-resource.ts';
import { compareVersions } from './version-priority.ts';

/** What each tenant serves: the built-in kinds, shared by all, and what its own CRDs add. */
export interface Registries {
  /** The kinds of Kubernetes itself. */
  readonly builtin: Registry;
  readonly of: (tenant: Tenant) => Registry;
}

/** Looks built-in kinds up first: they are most of all requests, and no CRD can take their place. */
export function createRegistries(builtin: Registry, crds: CrdIndex): Registries {
  const registries = new Map<Tenant, Registry>();
  const make = (tenant: Tenant): Registry => {
    let seen = -1;
    let groupVersions = builtin.groupVersions;
    const isBuiltin = (group: string, resource: string): boolean =>
      builtin.groupVersions.some(
        (gv) => gv.group === group && builtin.find(group, gv.version, resource) !== undefined,
      );
    return {
      get groupVersions() {
        const revision = crds.revision(tenant);
        if (revision === seen) return groupVersions;
        groupVersions = merged(builtin.groupVersions, crds.all(tenant));
        seen = revision;
        return groupVersions;
      },
      find: (group, version, resource) => {
        const found = builtin.find(group, version, resource);
        if (found !== undefined || group === '' || isBuiltin(group, resource)) return found;
        return crds.get(tenant, `${resource}.${group}`)?.find(version);
      },
      stored: () => [
        ...builtin.stored(),
        ...crds
          .all(tenant)
          .filter((holder) => isServed(holder.crd()))
          .map((holder) => holder.stored())
          .filter((def): def is ResourceDef => def !== undefined)
          .filter((def) => !isBuiltin(def.group, def.resource)),
      ],
    };
  };
  return {
    builtin,
    of: (tenant) => {
      let registry = registries.get(tenant);
      if (registry === undefined) {
        registry = make(tenant);
        registries.set(tenant, registry);
      }
      return registry;
    },
  };
}

/** Built-in group versions and then the custom ones, in the order upstream lists them. */
function merged(
  builtin: readonly GroupVersion[],
  holders: readonly CrdHolder[],
): readonly GroupVersion[] {
  const added = new Map<string, { group: string; version: string; resources: ResourceData[] }>();
  for (const holder of holders) {
    const crd = holder.crd();
    if (!isServed(crd)) continue;
    const { group } = crd.spec;
    for (const version of crd.spec.versions) {
      if (!version.served) continue;
      const key = `${version.name}.${group}`;
      const gv = added.get(key) ?? { group, version: version.name, resources: [] };
      added.set(key, gv);
      gv.resources.push(...resourcesOf(crd, version));
    }
  }
  if (added.size === 0) return builtin;
  // A group stands where the first of its version names would, by the alphabet.
  const groups = [...new Set([...added.keys()].sort().map((key) => added.get(key)?.group ?? ''))];
  const custom = groups.flatMap((group) => {
    const versions = [...added.values()]
      .filter((gv) => gv.group === group)
      .sort((a, b) => compareVersions(a.version, b.version));
    return versions.map((gv, index) => ({ ...gv, preferred: index === 0 }));
  });
  const own = builtin.map((gv) => {
    const more = custom.find((each) => each.group === gv.group && each.version === gv.version);
    return more === undefined ? gv : { ...gv, resources: [...gv.resources, ...more.resources] };
  });
  const isNew = ({ group, version }: GroupVersion): boolean =>
    !builtin.some((gv) => gv.group === group && gv.version === version);
  return [...own, ...custom.filter(isNew)];
}

/** Verbs while a CRD is going away, as discovery shows them. */
const TERMINATING_VERBS = ['delete', 'deletecollection', 'get', 'list', 'watch'];

/** What discovery says of one version of a CRD; nothing is compiled for it. */
function resourcesOf(crd: CustomResourceDefinition, version: CrdVersion): ResourceData[] {
  const names = crd.status?.acceptedNames ?? crd.spec.names;
  const { plural, kind, singular = '', shortNames = [], categories = [] } = names;
  const stored = storageVersion(crd);
  const isStoredServed = crd.spec.versions.some(({ name, served }) => served && name === stored);
  const namespaced = isNamespaced(crd);
  const resource: ResourceData = {
    name: plural,
    kind,
    singular,
    namespaced,
    verbs: hasCondition(crd, 'Terminating') ? TERMINATING_VERBS : CUSTOM_VERBS,
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
    custom: { storageVersion: isStoredServed ? stored : '' },
  };
  const sub = {
    singular: '',
    namespaced,
    verbs: SUBRESOURCE_VERBS,
    custom: { storageVersion: '' },
  };
  const scale = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
  const { subresources } = version;
  return [
    resource,
    ...(subresources?.status === undefined ? [] : [{ ...sub, name: `${plural}/status`, kind }]),
    ...(subresources?.scale === undefined ? [] : [{ ...sub, name: `${plural}/scale`, ...scale }]),
  ];
}
