import type { Change, Store, Tenant } from '../../storage/store.ts';

/** Which namespaces have quotas: asked for every object that goes, so it is kept in memory. */
export class QuotaIndex {
  readonly #store: Store;
  readonly #prefix: string;
  readonly #tenants = new Map<Tenant, Map<string, Set<string>>>();

  constructor(store: Store, prefix: string) {
    this.#store = store;
    this.#prefix = prefix;
  }

  /** `NAMESPACE/NAME` of every quota of a tenant. */
  all(tenant: Tenant): string[] {
    return [...this.#of(tenant).values()].flatMap((paths) => [...paths]);
  }

  inNamespace(tenant: Tenant, namespace: string): string[] {
    return [...(this.#of(tenant).get(namespace) ?? [])];
  }

  follow({ tenant, key, value }: Change): void {
    const namespaces = this.#of(tenant);
    if (value !== undefined) this.#add(namespaces, key);
    else {
      const path = key.slice(this.#prefix.length);
      const namespace = path.split('/')[0] ?? '';
      const paths = namespaces.get(namespace);
      paths?.delete(path);
      if (paths?.size === 0) namespaces.delete(namespace);
    }
  }

  #of(tenant: Tenant): Map<string, Set<string>> {
    let namespaces = this.#tenants.get(tenant);
    if (namespaces === undefined) {
      namespaces = new Map();
      this.#tenants.set(tenant, namespaces);
      using snapshot = this.#store.snapshot(tenant);
      const entries = snapshot.range(this.#prefix, { limit: Number.MAX_SAFE_INTEGER });
      for (const { key } of entries) this.#add(namespaces, key);
    }
    return namespaces;
  }

  #add(namespaces: Map<string, Set<string>>, key: string): void {
    const path = key.slice(this.#prefix.length);
    const namespace = path.split('/')[0] ?? '';
    const paths = namespaces.get(namespace) ?? new Set();
    namespaces.set(namespace, paths.add(path));
  }
}
