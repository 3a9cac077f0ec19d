import type { KubeObject } from '@flotilla/machinery';
import type { KindBehaviour } from '../kinds/behaviour.ts';
import type { Column, ResourceDef, SubresourceDef } from './resource.ts';

/** One line of data/resources.json. */
export interface ResourceData {
  readonly name: string;
  readonly kind: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly group?: string;
  readonly version?: string;
  /** Set for kinds a CRD defines: the version they are stored in, '' where none is told. */
  readonly custom?: { readonly storageVersion: string };
}

/** One group version of data/resources.json. */
export interface GroupVersionData {
  readonly group: string;
  readonly version: string;
  readonly preferred: boolean;
  readonly resources: readonly ResourceData[];
}

/** A group version and what it serves, in discovery's order. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
  readonly preferred: boolean;
  readonly resources: readonly ResourceData[];
}

/** What the registry needs to turn names into something that reads and writes. */
export interface RegistryDeps {
  readonly groupVersions: readonly GroupVersionData[];
  readonly behaviours: Readonly<Record<string, KindBehaviour>>;
  readonly columns: () => Readonly<Record<string, readonly Column[]>>;
  /** How objects of a kind take their canonical form. */
  readonly formOf: (group: string, version: string, kind: string) => Form;
  readonly encode: (object: KubeObject) => Buffer;
  readonly conversions: Readonly<Record<string, NonNullable<ResourceDef['conversion']> & StoredAs>>;
}

/** The part of a definition that comes from the type tables. */
export type Form = Pick<
  ResourceDef,
  'canonicalize' | 'storedForm' | 'decodePatched' | 'strategicMerge' | 'mergeSchema' | 'emptyObject'
>;

/** Where a version that is not the stored one keeps its objects. */
export interface StoredAs {
  readonly storedAs: { readonly group: string; readonly resource: string };
}

/** Every resource the server serves. */
export interface Registry {
  readonly groupVersions: readonly GroupVersion[];
  find: (group: string, version: string, resource: string) => ResourceDef | undefined;
  /** Resources that hold objects, one per kind (the stored version). */
  stored: () => readonly ResourceDef[];
}

/** Builds the table of built-in resources; definitions are made on first use. */
export function createRegistry(deps: RegistryDeps): Registry {
  const defs = new Map<string, ResourceDef>();
  const data = new Map<string, { gv: GroupVersionData; resource: ResourceData }>();
  for (const gv of deps.groupVersions) {
    for (const resource of gv.resources) {
      if (!resource.name.includes('/')) {
        data.set(`${gv.group}/${gv.version}/${resource.name}`, { gv, resource });
      }
    }
  }
  const find = (group: string, version: string, resource: string): ResourceDef | undefined => {
    const key = `${group}/${version}/${resource}`;
    const known = defs.get(key);
    if (known !== undefined) return known;
    const found = data.get(key);
    if (found === undefined) return undefined;
    const def: ResourceDef = {
      ...define(deps, found.gv, found.resource),
      inVersion: (apiVersion) => sibling(def, apiVersion),
    };
    defs.set(key, def);
    return def;
  };
  /** Two versions are one kind when their objects are kept in one place. */
  const sibling = (def: ResourceDef, apiVersion: string): ResourceDef | undefined => {
    const slash = apiVersion.indexOf('/');
    const group = slash < 0 ? '' : apiVersion.slice(0, slash);
    const other = find(group, apiVersion.slice(slash + 1), def.resource);
    return other?.prefix === def.prefix ? other : undefined;
  };
  return {
    groupVersions: deps.groupVersions,
    find,
    stored: () =>
      [...data.values()]
        .map(({ gv, resource }) => find(gv.group, gv.version, resource.name))
        .filter((def) => def !== undefined)
        .filter((def) => def.conversion === undefined && def.verbs.includes('list')),
  };
}

function define(deps: RegistryDeps, gv: GroupVersionData, data: ResourceData): ResourceDef {
  const { group, version } = gv;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const conversion = deps.conversions[`${group}/${version}/${data.name}`];
  const stored = conversion?.storedAs ?? { group, resource: data.name };
  let columns: readonly Column[] | undefined;
  return {
    group,
    version,
    apiVersion,
    resource: data.name,
    kind: data.kind,
    listKind: `${data.kind}List`,
    singular: data.singular,
    namespaced: data.namespaced,
    verbs: data.verbs,
    shortNames: data.shortNames ?? [],
    categories: data.categories ?? [],
    subresources: subresourcesOf(gv, data.name),
    behaviour: deps.behaviours[`${group}/${version}/${data.kind}`] ?? {},
    errorKind: { group: stored.group, kind: data.kind },
    prefix: `${stored.group === '' ? 'core' : stored.group}/${stored.resource}/`,
    builtIn: true,
    typeMetaBytes: Buffer.from(`{"kind":"${data.kind}","apiVersion":"${apiVersion}",`),
    ...(conversion === undefined ? {} : { conversion }),
    columns: () => {
      columns ??= deps.columns()[`${group === '' ? 'core' : group}/${version}/${data.name}`] ?? [];
      return columns;
    },
    ...deps.formOf(group, version, data.kind),
    encode: deps.encode,
  };
}

function subresourcesOf(gv: GroupVersionData, resource: string): Map<string, SubresourceDef> {
  const prefix = `${resource}/`;
  return new Map(
    gv.resources
      .filter(({ name }) => name.startsWith(prefix))
      .map((sub) => [
        sub.name.slice(prefix.length),
        {
          name: sub.name.slice(prefix.length),
          kind: sub.kind,
          group: sub.group ?? gv.group,
          version: sub.version ?? gv.version,
          verbs: sub.verbs,
        },
      ]),
  );
}
