import { parseJson } from '@flotilla/machinery';
import type { Change, Store, Tenant } from '../storage/store.ts';
import type { ConvertRemotely } from './conversion.ts';
import { CRD_PREFIX, type CustomResourceDefinition } from './crd.ts';
import { type CrdHolder, holdCrd } from './crd-holder.ts';

/** The CRDs of every tenant, as far as anyone has asked about them. */
export interface CrdIndex extends Disposable {
  /** One CRD by its name, `PLURAL.GROUP`; no other is read for it. */
  readonly get: (tenant: Tenant, name: string) => CrdHolder | undefined;
  /** All CRDs of a tenant, in the order of their names. */
  readonly all: (tenant: Tenant) => readonly CrdHolder[];
  /** Those of one group, in the same order. */
  readonly ofGroup: (tenant: Tenant, group: string) => readonly CrdHolder[];
  /** Changes whenever `all` would give something else. */
  readonly revision: (tenant: Tenant) => number;
}

interface TenantCrds {
  readonly holders: Map<string, CrdHolder>;
  /** True once every CRD of the tenant has been read. */
  isWhole: boolean;
  revision: number;
  /** In the order of names, by group and all; until one comes or goes. */
  sorted: { all: readonly CrdHolder[]; groups: ReadonlyMap<string, CrdHolder[]> } | undefined;
}

/** Gives the webhook that converts a CRD's objects; undefined where none does. */
export type ConverterOf = (
  tenant: Tenant,
  crd: CustomResourceDefinition,
) => ConvertRemotely | undefined;

/** Follows the store; a CRD is read when it is first asked for, and its schema compiled by its first object. */
export function createCrdIndex(store: Store, converterOf: ConverterOf): CrdIndex {
  const tenants = new Map<Tenant, TenantCrds>();

  const hold = (tenant: Tenant, value: Buffer, revision: number): CrdHolder =>
    holdCrd(read(value), revision, (crd) => converterOf(tenant, crd));

  const apply = ({ tenant, key, value, revision }: Change): void => {
    const crds = tenants.get(tenant);
    if (crds === undefined) return;
    const name = key.slice(CRD_PREFIX.length);
    crds.revision = revision;
    const holder = crds.holders.get(name);
    if (value === undefined) {
      crds.holders.delete(name);
      crds.sorted = undefined;
      holder?.remove();
    } else if (holder !== undefined) holder.update(read(value), revision);
    else if (crds.isWhole) {
      crds.holders.set(name, hold(tenant, value, revision));
      crds.sorted = undefined;
    }
  };

  const subscription = store.changes((changes) => {
    for (const change of changes) {
      if (change.key.startsWith(CRD_PREFIX)) apply(change);
    }
  });

  const crdsOf = (tenant: Tenant): TenantCrds => {
    let crds = tenants.get(tenant);
    if (crds === undefined) {
      const revision = store.revision(tenant);
      crds = { holders: new Map(), isWhole: false, revision, sorted: undefined };
      tenants.set(tenant, crds);
    }
    return crds;
  };

  const sortedOf = (tenant: Tenant): NonNullable<TenantCrds['sorted']> => {
    const crds = crdsOf(tenant);
    if (crds.sorted !== undefined) return crds.sorted;
    if (!crds.isWhole) readAll(tenant, crds);
    const all: CrdHolder[] = [];
    const groups = new Map<string, CrdHolder[]>();
    for (const name of [...crds.holders.keys()].sort()) {
      const holder = crds.holders.get(name);
      if (holder === undefined) continue;
      all.push(holder);
      const group = name.slice(name.indexOf('.') + 1);
      const others = groups.get(group);
      if (others === undefined) groups.set(group, [holder]);
      else others.push(holder);
    }
    crds.sorted = { all, groups };
    return crds.sorted;
  };

  const readAll = (tenant: Tenant, crds: TenantCrds): void => {
    using snapshot = store.snapshot(tenant);
    for (const { key, value, revision } of snapshot.range(CRD_PREFIX, { limit: ALL })) {
      const name = key.slice(CRD_PREFIX.length);
      if (!crds.holders.has(name)) crds.holders.set(name, hold(tenant, value, revision));
    }
    crds.isWhole = true;
  };

  return {
    get: (tenant, name) => {
      const { holders, isWhole } = crdsOf(tenant);
      const known = holders.get(name);
      if (known !== undefined || isWhole) return known;
      const entry = store.read(tenant, `${CRD_PREFIX}${name}`);
      if (entry === undefined) return undefined;
      const holder = hold(tenant, entry.value, entry.revision);
      holders.set(name, holder);
      return holder;
    },
    all: (tenant) => sortedOf(tenant).all,
    ofGroup: (tenant, group) => sortedOf(tenant).groups.get(group) ?? [],
    revision: (tenant) => crdsOf(tenant).revision,
    [Symbol.dispose]: () => subscription[Symbol.dispose](),
  };
}

const ALL = Number.MAX_SAFE_INTEGER;

function read(value: Buffer): CustomResourceDefinition {
  return parseJson(value, { strict: false }).value as CustomResourceDefinition;
}
