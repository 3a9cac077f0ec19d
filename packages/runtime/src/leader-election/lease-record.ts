import type { Lease } from '@flotilla/client';
import { rfc3339Micro } from '@flotilla/machinery';

/** Who holds a lease, as client-go and we write it into the spec of a Lease. */
export interface LeaseRecord {
  /** '' when nobody does. */
  readonly holder: string;
  readonly durationSeconds: number;
  readonly acquireTime: string | undefined;
  readonly renewTime: string | undefined;
  readonly transitions: number;
}

/** Reads who holds a lease. */
export function recordOf(lease: Lease): LeaseRecord {
  const { spec = {} } = lease;
  return {
    holder: spec.holderIdentity ?? '',
    durationSeconds: spec.leaseDurationSeconds ?? 0,
    acquireTime: spec.acquireTime,
    renewTime: spec.renewTime,
    transitions: spec.leaseTransitions ?? 0,
  };
}

/** The lease with another record; what else others wrote into it stays. */
export function withRecord(lease: Lease, record: LeaseRecord): Lease {
  return {
    ...lease,
    spec: {
      ...lease.spec,
      holderIdentity: record.holder,
      leaseDurationSeconds: record.durationSeconds,
      leaseTransitions: record.transitions,
      ...(record.acquireTime === undefined ? {} : { acquireTime: record.acquireTime }),
      ...(record.renewTime === undefined ? {} : { renewTime: record.renewTime }),
    },
  };
}

/** Whether two records are the same in everything, so that the lease has not moved between them. */
export function isSameRecord(one: LeaseRecord, other: LeaseRecord): boolean {
  return (
    one.holder === other.holder &&
    one.durationSeconds === other.durationSeconds &&
    one.acquireTime === other.acquireTime &&
    one.renewTime === other.renewTime &&
    one.transitions === other.transitions
  );
}

/** A moment as leases have it. */
export function leaseTime(now: number): string {
  return rfc3339Micro(new Date(now));
}
