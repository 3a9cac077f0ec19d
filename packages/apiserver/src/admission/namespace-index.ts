import { createObjectIndex } from '../objects/object-index.ts';
import type { Store, Tenant } from '../storage/store.ts';

/** What a write into a namespace must know about it. */
export type NamespaceState = 'active' | 'terminating' | 'missing';

/** Which namespaces there are; asked on every create, so it must not decode one each time. */
export interface NamespaceIndex extends Disposable {
  readonly state: (tenant: Tenant, name: string) => NamespaceState;
}

/** Follows the store. */
export function createNamespaceIndex(store: Store): NamespaceIndex {
  const states = createObjectIndex(store, 'core/namespaces/', (object): NamespaceState => {
    const { deletionTimestamp } = object['metadata'] as { deletionTimestamp?: string };
    return deletionTimestamp === undefined ? 'active' : 'terminating';
  });
  return {
    state: (tenant, name) => states.get(tenant, name) ?? 'missing',
    [Symbol.dispose]: () => states[Symbol.dispose](),
  };
}
