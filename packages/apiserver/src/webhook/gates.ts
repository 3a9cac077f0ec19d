import type { Clock } from '../clock.ts';
import type { Tenant } from '../storage/store.ts';
import { WebhookFailure } from './failure.ts';

/** Calls of one webhook that may wait for it once it has stopped to answer. */
const MAX_PENDING = 100;
/** The same for all webhooks of a tenant: fewer than the requests it may have at work, so that others get through. */
const MAX_PENDING_OF_TENANT = 150;
/** A webhook that is merely busy answers something in this time. */
const SILENCE_MS = 1000;

interface Gate {
  pending: number;
  /** When it last answered, or was called after a pause. */
  heardMs: number;
}

/** Keeps a webhook that hangs from collecting all requests there may be. */
export interface Gates {
  /** Counts a call in; throws when too many wait for a webhook that does not answer. */
  readonly enter: (tenant: Tenant, key: string) => (outcome: 'answered' | 'failed') => void;
}

/** Fresh gates, all open. A gate exists while someone is in it. */
export function createGates(clock: Clock): Gates {
  const gates = new Map<string, Gate>();
  const tenants = new Map<Tenant, number>();
  return {
    enter: (tenant, key) => {
      const now = clock.now().getTime();
      const gate = gates.get(key) ?? { pending: 0, heardMs: now };
      const ofTenant = tenants.get(tenant) ?? 0;
      const isFull = gate.pending >= MAX_PENDING || ofTenant >= MAX_PENDING_OF_TENANT;
      if (isFull && gate.pending > 0 && now - gate.heardMs > SILENCE_MS) {
        throw new WebhookFailure(
          'call',
          `it does not answer, and ${gate.pending} calls wait for it already`,
        );
      }
      gate.pending += 1;
      gates.set(key, gate);
      tenants.set(tenant, ofTenant + 1);
      return (outcome) => {
        gate.pending -= 1;
        if (outcome === 'answered') gate.heardMs = clock.now().getTime();
        if (gate.pending === 0) gates.delete(key);
        const left = (tenants.get(tenant) ?? 1) - 1;
        if (left === 0) tenants.delete(tenant);
        else tenants.set(tenant, left);
      };
    },
  };
}
