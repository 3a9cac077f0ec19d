import { type KubeObject, parseJson } from '@flotilla/machinery';
import type { Change, Store, Tenant } from '../storage/store.ts';

const PREFIX = 'core/namespaces/';

/** What a write into a namespace must know about it. */
export type NamespaceState = 'active' | 'terminating' | 'missing';

/** Which namespaces there are; asked on every create, so it must not decode one each time. */
export interface NamespaceIndex extends Disposable {
  readonly state: (tenant: Tenant, name: string) => NamespaceState;
}

/** Follows the store; a tenant's namespaces are read when the tenant is first asked about. */
export function createNamespaceIndex(store: Store): NamespaceIndex {
  const tenants = new Map<Tenant, Map<string, NamespaceState>>();
  const subscription = store.changes((changes: readonly Change[]) => {
    for (const { tenant, key, value } of changes) {
      if (!key.startsWith(PREFIX)) continue;
      const names = tenants.get(tenant);
      if (names === undefined) continue;
      const name = key.slice(PREFIX.length);
      if (value === undefined) names.delete(name);
      else names.set(name, stateOf(value));
    }
  });
  const namesOf = (tenant: Tenant): Map<string, NamespaceState> => {
    let names = tenants.get(tenant);
    if (names === undefined) {
      using snapshot = store.snapshot(tenant);
      const entries = snapshot.range(PREFIX, { limit: Number.MAX_SAFE_INTEGER });
      names = new Map(entries.map(({ key, value }) => [key.slice(PREFIX.length), stateOf(value)]));
      tenants.set(tenant, names);
    }
    return names;
  };
  return {
    state: (tenant, name) => namesOf(tenant).get(name) ?? 'missing',
    [Symbol.dispose]: () => subscription[Symbol.dispose](),
  };
}

function stateOf(value: Buffer): NamespaceState {
  const { metadata } = parseJson(value, { strict: false }).value as unknown as KubeObject;
  return metadata.deletionTimestamp === undefined ? 'active' : 'terminating';
}
