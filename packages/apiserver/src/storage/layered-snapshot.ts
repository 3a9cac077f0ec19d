import type { BaseLayer } from './base-layer.ts';
import { compareKeys } from './keys.ts';
import { mergedRange, type Overlay, overlayCount } from './merged-range.ts';
import type { Snapshot, Tenant } from './store.ts';
import { decodeTenant, isTombstone, TENANT_KEY } from './tenant-record.ts';

/** A snapshot with the base objects of the tenant, if it existed at that revision. */
export function layeredSnapshot(stored: Snapshot, tenant: Tenant, layer: BaseLayer): Snapshot {
  const created = stored.read(TENANT_KEY);
  const record = created && decodeTenant(tenant, created);
  const overlay: Overlay = {
    keys: layer.keys,
    show(key, own) {
      if (own) return isTombstone(own.value) ? undefined : own;
      return record && layer.entry(key, record);
    },
  };
  /** Beyond the tenant's own record, which no list shows. */
  const skip = (prefix: string, after: string | undefined): string | undefined => {
    const isInRange = created && TENANT_KEY.startsWith(prefix);
    if (!isInRange || (after !== undefined && compareKeys(after, TENANT_KEY) >= 0)) return after;
    return TENANT_KEY;
  };
  const from = (after: string | undefined) => (after === undefined ? {} : { after });
  return {
    revision: stored.revision,
    read(key) {
      const own = key === TENANT_KEY ? undefined : stored.read(key);
      return layer.has(key) ? overlay.show(key, own) : own;
    },
    range(prefix, { after, limit }) {
      const start = skip(prefix, after);
      if (!layer.hasPrefix(prefix)) return stored.range(prefix, { ...from(start), limit });
      return mergedRange({ prefix, after: start, limit }, overlay, (pageAfter, pageLimit) =>
        stored.range(prefix, { ...from(pageAfter), limit: pageLimit }),
      );
    },
    count(prefix, { after, atMost }) {
      const start = skip(prefix, after);
      const own = stored.count(prefix, {
        ...from(start),
        // A deleted base object is stored, too: counting must not stop before the others.
        ...(atMost !== undefined && { atMost: atMost + layer.keys.length }),
      });
      return own + overlayCount({ prefix, after: start }, overlay, (key) => stored.read(key));
    },
    [Symbol.dispose]: () => stored[Symbol.dispose](),
  };
}
