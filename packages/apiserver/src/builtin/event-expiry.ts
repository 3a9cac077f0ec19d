import { type KubeObject, parseJson } from '@flotilla/machinery';
import type { Clock } from '../clock.ts';
import { type Change, type Store, type Tenant, WriteConflict } from '../storage/store.ts';

const PREFIX = 'core/events/';
/** Upstream's --event-ttl. */
const EVENT_TTL_MS = 3_600_000;
/** Expired events removed in one go. */
const BATCH = 500;
/** What could not be removed is tried again after this long. */
const RETRY_MS = 60_000;

interface Expiring {
  readonly tenant: Tenant;
  readonly key: string;
  readonly revision: number;
  readonly at: number;
}

/**
 * Deletes events an hour after they were last written. All live equally long, so the order of writes
 * is the order of expiry: one queue, one timer, nothing per tenant.
 */
export function expireEvents(deps: {
  store: Store;
  clock: Clock;
  report: (error: unknown) => void;
}): AsyncDisposable & { adopt: (tenant: Tenant) => void } {
  const { store, clock, report } = deps;
  let queue: Expiring[] = [];
  let cancel: (() => void) | undefined;
  let working: Promise<void> = Promise.resolve();
  let stopped = false;

  const arm = (): void => {
    const [first] = queue;
    if (cancel !== undefined || first === undefined || stopped) return;
    cancel = clock.after(Math.max(0, first.at - clock.now().getTime()), () => {
      cancel = undefined;
      working = sweep().catch(report).finally(arm);
    });
  };

  const sweep = async (): Promise<void> => {
    const now = clock.now().getTime();
    let due = 0;
    while (due < queue.length && due < BATCH && (queue[due]?.at ?? 0) <= now) due += 1;
    const expired = queue.slice(0, due);
    queue = queue.slice(due);
    const failed: Expiring[] = [];
    let failure: unknown;
    await Promise.all(
      expired.map(async (event) => {
        const { tenant, key, revision } = event;
        try {
          await store.write(tenant, { key, expect: revision, value: undefined });
        } catch (error) {
          // Written or deleted since: its newer entry stands further back in the queue.
          if (error instanceof WriteConflict) return;
          failed.push({ ...event, at: now + RETRY_MS });
          failure = error;
        }
      }),
    );
    if (failed.length === 0) return;
    // In front: nothing else is tried before the store has had time to recover.
    queue = [...failed, ...queue];
    throw failure;
  };

  const subscription = store.changes((changes: readonly Change[]) => {
    for (const { tenant, key, revision, value } of changes) {
      if (value === undefined || !key.startsWith(PREFIX)) continue;
      queue.push({ tenant, key, revision, at: clock.now().getTime() + EVENT_TTL_MS });
    }
    arm();
  });

  /** Takes in events that were there before; what was written since then is in the queue already. */
  const enter = (tenant: Tenant, found: readonly Expiring[]): void => {
    const known = new Set(
      queue.filter((each) => each.tenant === tenant).map(({ revision }) => revision),
    );
    const unknown = found.filter(({ revision }) => !known.has(revision));
    queue = [...unknown, ...queue].sort((a, b) => a.at - b.at);
    // The timer may stand for an event of another tenant that expires later than these.
    cancel?.();
    cancel = undefined;
    arm();
  };

  /** Reads a tenant's events a little at a time: there may be an hour's worth of a busy cluster. */
  const adopt = (tenant: Tenant, after = '', found: Expiring[] = []): void => {
    if (stopped) return;
    try {
      using snapshot = store.snapshot(tenant);
      const entries = snapshot.range(PREFIX, { ...(after === '' ? {} : { after }), limit: BATCH });
      for (const { key, revision, value } of entries) {
        const at = lastWritten(value, clock.now()) + EVENT_TTL_MS;
        found.push({ tenant, key, revision, at });
      }
      const last = entries.at(-1);
      if (entries.length === BATCH && last !== undefined) {
        setImmediate(() => adopt(tenant, last.key, found));
        return;
      }
    } catch (error) {
      report(error);
    }
    enter(tenant, found);
  };

  return {
    adopt: (tenant) => adopt(tenant),
    [Symbol.asyncDispose]: async () => {
      stopped = true;
      subscription[Symbol.dispose]();
      cancel?.();
      await working;
    },
  };
}

/** After a restart the time of the last write is gone; the event's own latest time stands for it. */
function lastWritten(value: Buffer, now: Date): number {
  const event = parseJson(value).value as KubeObject & {
    lastTimestamp?: string | null;
    eventTime?: string | null;
    series?: { lastObservedTime?: string | null } | null;
  };
  const times = [
    event.series?.lastObservedTime,
    event.lastTimestamp,
    event.eventTime,
    event.metadata.creationTimestamp,
  ]
    .map((time) => (time === undefined || time === null ? Number.NaN : new Date(time).getTime()))
    .filter((time) => !Number.isNaN(time));
  // Clients write these times: an event of the future would never go.
  return times.length === 0 ? now.getTime() : Math.min(now.getTime(), Math.max(...times));
}
