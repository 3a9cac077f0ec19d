import { rangeStart, sortKeys } from './keys.ts';
import type { Change, Entry } from './store.ts';
import { decodeTenant, isTombstone, TENANT_KEY, type TenantRecord } from './tenant-record.ts';

/** An object every tenant has from its creation, until it is written or deleted there. */
export interface BaseEntry {
  readonly key: string;
  /** The bytes for one tenant; made when asked for, and not kept. */
  readonly value: (tenant: TenantRecord) => Buffer;
}

/** The base objects, and what stored changes mean on top of them. */
export class BaseLayer {
  /** Sorted. */
  readonly keys: readonly string[];
  readonly #entries: ReadonlyMap<string, BaseEntry>;

  constructor(base: readonly BaseEntry[]) {
    this.#entries = new Map(base.map((entry) => [entry.key, entry]));
    this.keys = sortKeys([...this.#entries.keys()]);
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** True when a base object has the prefix. */
  hasPrefix(prefix: string): boolean {
    return this.keys[rangeStart(this.keys, prefix)]?.startsWith(prefix) ?? false;
  }

  entry(key: string, tenant: TenantRecord): Entry | undefined {
    const base = this.#entries.get(key);
    return base && { key, value: base.value(tenant), revision: tenant.revision };
  }

  /** What one stored change is to a watch of the layer. */
  changes(change: Change, tenantEntry: () => Entry | undefined): readonly Change[] {
    const { tenant, key, value, previous, revision } = change;
    if (key === TENANT_KEY) return value ? this.#creation(change, value) : [];
    const base = this.#entries.get(key);
    if (!base) return [change];
    const before = () => {
      if (previous) return isTombstone(previous) ? undefined : previous;
      const entry = tenantEntry();
      const existed = entry !== undefined && entry.revision < revision;
      return existed ? base.value(decodeTenant(tenant, entry)) : undefined;
    };
    const after = value && !isTombstone(value) ? value : undefined;
    return [{ tenant, revision, key, value: after, previous: before() }];
  }

  /** The creation of a tenant is the creation of all its base objects, at one revision. */
  #creation({ tenant, revision }: Change, value: Buffer): Change[] {
    const record = decodeTenant(tenant, { key: TENANT_KEY, value, revision });
    return [...this.#entries.values()].map(({ key, value: make }) => {
      let made: Buffer | undefined;
      return {
        tenant,
        revision,
        key,
        // Few of them are ever looked at: made when they are.
        get value() {
          made ??= make(record);
          return made;
        },
        previous: undefined,
      };
    });
  }
}
