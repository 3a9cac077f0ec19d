import { type BaseEntry, BaseLayer } from './base-layer.ts';
import { layeredSnapshot } from './layered-snapshot.ts';
import {
  type Change,
  type Entry,
  type Snapshot,
  type Store,
  type Tenant,
  type Write,
  WriteConflict,
} from './store.ts';
import {
  decodeTenant,
  encodeTenant,
  isTombstone,
  RESERVED,
  TENANT_KEY,
  type TenantRecord,
  TOMBSTONE,
} from './tenant-record.ts';

export type { BaseEntry } from './base-layer.ts';
export type { TenantRecord } from './tenant-record.ts';

/** A store whose tenants are created, and then have the base objects. */
export interface LayeredStore extends Store {
  /**
   * Makes a tenant: from this write on it shows the base objects. Does nothing but answer when the
   * tenant exists; `uid` and `createdAt` are then those of its creation.
   */
  createTenant(tenant: Tenant, options: { uid: string; createdAt: number }): Promise<TenantRecord>;
  /** What is known about a tenant; undefined when it was never created. */
  tenant(tenant: Tenant): TenantRecord | undefined;
}

/**
 * Shows a shared, immutable set of objects in every tenant without storing them.
 *
 * A base object has the revision of its tenant's creation, so a write that expects this revision
 * succeeds and stores a version of the tenant's own. A deletion stores a tombstone in its place.
 * The creation itself is one stored record; to watches it is the creation of all base objects.
 */
export function withBaseLayer(store: Store, base: readonly BaseEntry[]): LayeredStore {
  const layer = new BaseLayer(base);
  const toLayer = changeMapper(store, layer);

  const tenantOf = (tenant: Tenant): TenantRecord | undefined => {
    const entry = store.read(tenant, TENANT_KEY);
    return entry && decodeTenant(tenant, entry);
  };

  /** What readers see of a base key, given what is stored. */
  const show = (tenant: Tenant, key: string, stored: Entry | undefined): Entry | undefined => {
    if (stored) return isTombstone(stored.value) ? undefined : stored;
    const record = tenantOf(tenant);
    return record && layer.entry(key, record);
  };

  const read = (tenant: Tenant, key: string): Entry | undefined => {
    const stored = key === TENANT_KEY ? undefined : store.read(tenant, key);
    return layer.has(key) ? show(tenant, key, stored) : stored;
  };

  const writeBase = async (tenant: Tenant, write: Write): Promise<Entry> => {
    const { key, expect, value } = write;
    const stored = store.read(tenant, key);
    const current = show(tenant, key, stored);
    if ((current?.revision ?? 0) !== expect || (!current && !value)) {
      throw new WriteConflict(key, current);
    }
    try {
      const written = await store.write(tenant, {
        key,
        expect: stored?.revision ?? 0,
        value: value ?? (() => TOMBSTONE),
      });
      if (value || !current) return written;
      return { key, value: current.value, revision: written.revision };
    } catch (err) {
      if (!(err instanceof WriteConflict)) throw err;
      throw new WriteConflict(key, show(tenant, key, err.current));
    }
  };

  return {
    revision: (tenant) => store.revision(tenant),
    oldestRevision: (tenant) => store.oldestRevision(tenant),
    read,
    snapshot(tenant, revision): Snapshot {
      return layeredSnapshot(store.snapshot(tenant, revision), tenant, layer);
    },
    write(tenant, write) {
      if (write.key.startsWith(RESERVED)) {
        return Promise.reject(new TypeError(`Cannot write "${write.key}": the key is reserved`));
      }
      return layer.has(write.key) ? writeBase(tenant, write) : store.write(tenant, write);
    },
    watch(tenant, options, listener) {
      const created = tenantOf(tenant)?.revision ?? Number.POSITIVE_INFINITY;
      // A watch that will see the tenant's creation must not filter it out.
      const seesCreation = options.after < created && layer.hasPrefix(options.prefix);
      const prefix = seesCreation ? '' : options.prefix;
      const isWanted = (change: Change) => change.key.startsWith(options.prefix);
      return store.watch(tenant, { ...options, prefix }, (changes) => {
        const mapped = toLayer(changes);
        const wanted = prefix === options.prefix ? mapped : mapped.filter(isWanted);
        if (wanted.length > 0) listener(wanted);
      });
    },
    changes: (listener) =>
      store.changes((changes) => {
        const mapped = toLayer(changes);
        if (mapped.length > 0) listener(mapped);
      }),
    compact: (tenant, revision) => store.compact(tenant, revision),
    tenants: () => store.tenants(),
    async createTenant(tenant, { uid, createdAt }) {
      for (;;) {
        const known = tenantOf(tenant);
        if (known) return known;
        try {
          const value = () => encodeTenant({ uid, createdAt });
          return decodeTenant(
            tenant,
            await store.write(tenant, { key: TENANT_KEY, expect: 0, value }),
          );
        } catch (err) {
          // Somebody else created it at the same moment.
          if (!(err instanceof WriteConflict)) throw err;
        }
      }
    },
    tenant: tenantOf,
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

/** Turns stored changes into what watches of the layer see; one change stays one object for all. */
function changeMapper(
  store: Store,
  layer: BaseLayer,
): (changes: readonly Change[]) => readonly Change[] {
  const ofChange = new WeakMap<Change, readonly Change[]>();
  const ofBatch = new WeakMap<readonly Change[], readonly Change[]>();
  const mapOne = (change: Change): readonly Change[] => {
    const known = ofChange.get(change);
    if (known) return known;
    const mapped = layer.changes(change, () => store.read(change.tenant, TENANT_KEY));
    ofChange.set(change, mapped);
    return mapped;
  };
  const isPlain = ({ key }: Change) => !key.startsWith(RESERVED) && !layer.has(key);
  return (changes) => {
    const known = ofBatch.get(changes);
    if (known) return known;
    const mapped = changes.every(isPlain) ? changes : changes.flatMap(mapOne);
    ofBatch.set(changes, mapped);
    return mapped;
  };
}
