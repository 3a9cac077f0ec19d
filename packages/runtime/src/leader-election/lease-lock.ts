import { type Client, type Lease, Leases } from '@flotilla/client';
import { type Clock, isNotFound } from '@flotilla/machinery';
import { isSameRecord, type LeaseRecord, leaseTime, recordOf, withRecord } from './lease-record.ts';

/** Where the lease is, and who wants it. */
export interface LeaseLockOptions {
  readonly client: Pick<Client, 'get' | 'create' | 'replace'>;
  readonly clock: Clock;
  readonly namespace: string;
  readonly name: string;
  /** Different for every process. */
  readonly identity: string;
  readonly leaseMs: number;
}

/**
 * A lease and what this process has seen of it.
 *
 * Times in a lease come from other machines' clocks and are never compared with ours. A lease counts as expired when it
 * has not moved, for as long as it says, by the time that passes here; so no clock that is wrong or set anew makes two
 * leaders.
 */
export class LeaseLock {
  readonly #options: LeaseLockOptions;
  #lease: Lease | undefined;
  #seen: LeaseRecord | undefined;
  /** When the record was last seen to change. */
  #seenAt = 0;

  constructor(options: LeaseLockOptions) {
    this.#options = options;
  }

  /** Who held the lease when it was last seen; '' when nobody did. */
  get holder(): string {
    return this.#seen?.holder ?? '';
  }

  /** The Lease as it was last seen. */
  get lease(): Lease | undefined {
    return this.#lease;
  }

  get isOurs(): boolean {
    return this.holder === this.#options.identity;
  }

  /** Takes the lease or renews it; false when somebody else has it. Throws what the server or the way to it says. */
  async acquireOrRenew(signal: AbortSignal, timeoutMs: number): Promise<boolean> {
    const call = { signal, timeoutMs };
    // One request while all is well: nobody but us writes a lease that we hold.
    if (this.isOurs && this.#isValid() && (await this.#renewAtOnce(call))) return true;

    const { client, identity } = this.#options;
    const lease = await this.#read(call);
    if (lease === undefined) {
      const made = await client.create(Leases, this.#newLease(), call);
      this.#observe(made);
      return true;
    }
    this.#observe(lease);
    const record = recordOf(lease);
    if (record.holder !== '' && record.holder !== identity && this.#isValid()) return false;
    await this.#write(lease, record, call);
    return true;
  }

  /** Gives the lease up, so that another need not wait for it to expire. */
  async release(signal: AbortSignal, timeoutMs: number): Promise<void> {
    const call = { signal, timeoutMs };
    const lease = await this.#read(call);
    if (lease === undefined || recordOf(lease).holder !== this.#options.identity) return;
    const now = leaseTime(this.#options.clock.now());
    const released = withRecord(lease, {
      holder: '',
      durationSeconds: 1,
      acquireTime: now,
      renewTime: now,
      transitions: recordOf(lease).transitions,
    });
    this.#observe(await this.#options.client.replace(Leases, released, call));
  }

  async #renewAtOnce(call: { signal: AbortSignal; timeoutMs: number }): Promise<boolean> {
    if (this.#lease === undefined || this.#seen === undefined) return false;
    try {
      await this.#write(this.#lease, this.#seen, call);
      return true;
    } catch {
      // Whatever it was, reading the lease tells more.
      call.signal.throwIfAborted();
      return false;
    }
  }

  async #read(call: { signal: AbortSignal; timeoutMs: number }): Promise<Lease | undefined> {
    const { client, namespace, name } = this.#options;
    try {
      return await client.get(Leases, { namespace, name }, call);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #write(
    lease: Lease,
    record: LeaseRecord,
    call: { signal: AbortSignal; timeoutMs: number },
  ): Promise<void> {
    const { client, clock, identity } = this.#options;
    const isOurs = record.holder === identity;
    const now = leaseTime(clock.now());
    const next: LeaseRecord = {
      holder: identity,
      durationSeconds: this.#durationSeconds(),
      acquireTime: isOurs ? record.acquireTime : now,
      renewTime: now,
      transitions: isOurs ? record.transitions : record.transitions + 1,
    };
    const sentAt = clock.elapsed();
    const written = await client.replace(Leases, withRecord(lease, next), call);
    this.#observe(written, sentAt);
  }

  #newLease(): Lease {
    const { clock, namespace, name, identity } = this.#options;
    const now = leaseTime(clock.now());
    const record: LeaseRecord = {
      holder: identity,
      durationSeconds: this.#durationSeconds(),
      acquireTime: now,
      renewTime: now,
      transitions: 0,
    };
    const apiVersion = 'coordination.k8s.io/v1';
    return withRecord({ apiVersion, kind: 'Lease', metadata: { namespace, name } }, record);
  }

  #durationSeconds(): number {
    return Math.ceil(this.#options.leaseMs / 1000);
  }

  #observe(lease: Lease, at = this.#options.clock.elapsed()): void {
    const record = recordOf(lease);
    this.#lease = lease;
    if (this.#seen !== undefined && isSameRecord(this.#seen, record)) return;
    this.#seen = record;
    this.#seenAt = at;
  }

  #isValid(): boolean {
    const { durationSeconds = 0 } = this.#seen ?? {};
    return this.#options.clock.elapsed() < this.#seenAt + durationSeconds * 1000;
  }
}
