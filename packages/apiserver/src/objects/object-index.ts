import { parseJson } from '@flotilla/machinery';
import type { Change, Store, Tenant } from '../storage/store.ts';

/** What admission must know about all objects of one kind without decoding them again for every request. */
export interface ObjectIndex<T> extends Disposable {
  /** By storage key without the kind's prefix: `name`, or `namespace/name`. */
  readonly get: (tenant: Tenant, key: string) => T | undefined;
  readonly all: (tenant: Tenant) => Iterable<T>;
  /** Those of one namespace, in the order of their names. */
  readonly in: (tenant: Tenant, namespace: string) => readonly T[];
}

/** Follows the store; a tenant's objects are read when the tenant is first asked about. */
export function createObjectIndex<T>(
  store: Store,
  prefix: string,
  digest: (object: Record<string, unknown>) => T,
): ObjectIndex<T> {
  /** By tenant and namespace; kinds outside namespaces have the empty one. */
  const tenants = new Map<Tenant, Map<string, Map<string, T>>>();
  const read = (value: Buffer): T =>
    digest(parseJson(value, { strict: false }).value as Record<string, unknown>);
  const put = (places: Map<string, Map<string, T>>, key: string, value: Buffer): void => {
    const [namespace, name] = split(key);
    const objects = places.get(namespace) ?? new Map<string, T>();
    places.set(namespace, objects.set(name, read(value)));
  };
  const subscription = store.changes((changes: readonly Change[]) => {
    for (const { tenant, key, value } of changes) {
      if (!key.startsWith(prefix)) continue;
      const places = tenants.get(tenant);
      if (places === undefined) continue;
      const place = key.slice(prefix.length);
      if (value !== undefined) put(places, place, value);
      else remove(places, place);
    }
  });
  const placesOf = (tenant: Tenant): Map<string, Map<string, T>> => {
    let places = tenants.get(tenant);
    if (places === undefined) {
      using snapshot = store.snapshot(tenant);
      places = new Map();
      for (const { key, value } of snapshot.range(prefix, { limit: Number.MAX_SAFE_INTEGER })) {
        put(places, key.slice(prefix.length), value);
      }
      tenants.set(tenant, places);
    }
    return places;
  };
  return {
    get: (tenant, key) => {
      const [namespace, name] = split(key);
      return placesOf(tenant).get(namespace)?.get(name);
    },
    all: function* (tenant) {
      for (const objects of placesOf(tenant).values()) yield* objects.values();
    },
    in: (tenant, namespace) => {
      const objects = placesOf(tenant).get(namespace);
      if (objects === undefined) return [];
      return [...objects.keys()].sort().map((name) => objects.get(name) as T);
    },
    [Symbol.dispose]: () => subscription[Symbol.dispose](),
  };
}

function split(key: string): [namespace: string, name: string] {
  const slash = key.indexOf('/');
  return slash < 0 ? ['', key] : [key.slice(0, slash), key.slice(slash + 1)];
}

function remove(places: Map<string, Map<string, unknown>>, key: string): void {
  const [namespace, name] = split(key);
  const objects = places.get(namespace);
  objects?.delete(name);
  if (objects?.size === 0) places.delete(namespace);
}
