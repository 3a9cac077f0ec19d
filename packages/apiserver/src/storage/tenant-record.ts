import type { Entry, Tenant } from './store.ts';

/** Keys that begin with this belong to the layer itself; they sort before every other. */
export const RESERVED = '\0';

/** Where a tenant's creation is stored; no list shows it. */
export const TENANT_KEY = `${RESERVED}tenant`;

/** Stored in place of a base object that was deleted. No object begins with a NUL byte. */
export const TOMBSTONE = Buffer.from('\0deleted');

/** True for what stands in place of a deleted base object. */
export function isTombstone(value: Buffer): boolean {
  return value.length === TOMBSTONE.length && value.equals(TOMBSTONE);
}

/** A tenant's identity, from which its base objects are made. */
export interface TenantRecord {
  readonly tenant: Tenant;
  readonly uid: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** The revision of its creation, which is the revision of its base objects. */
  readonly revision: number;
}

/** The stored form. */
export function encodeTenant(record: { uid: string; createdAt: number }): Buffer {
  return Buffer.from(JSON.stringify({ uid: record.uid, createdAt: record.createdAt }));
}

/** From the stored form. */
export function decodeTenant(tenant: Tenant, entry: Entry): TenantRecord {
  const { uid, createdAt } = JSON.parse(entry.value.toString()) as TenantRecord;
  return { tenant, uid, createdAt, revision: entry.revision };
}
