import { type KubeObject, parseJson } from '@flotilla/machinery';
import type { Clock } from '../clock.ts';
import { type Change, type Store, type Tenant, WriteConflict } from '../storage/store.ts';

const PREFIX = 'core/events/';
/** Upstream's --event-ttl. */
const EVENT_TTL_MS = 3_600_000;
/** Expired events removed in one go. */
const BATCH = 500;

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
    await Promise.all(
      expired.map(async ({ tenant, key, revision }) => {
        try {
          await store.write(tenant, { key, expect: revision, value: undefined });
        } catch (error) {
          // Written or deleted since: its newer entry stands further back in the queue.
          if (!(error instanceof WriteConflict)) throw error;
        }
      }),
    );
  };

  const subscription = store.changes((changes: readonly Change[]) => {
    for (const { tenant, key, revision, value } of changes) {
      if (value === undefined || !key.startsWith(PREFIX)) continue;
      queue.push({ tenant, key, revision, at: clock.now().getTime() + EVENT_TTL_MS });
    }
    arm();
  });

  return {
    adopt: (tenant) => {
      using snapshot = store.snapshot(tenant);
      const found = snapshot
        .range(PREFIX, { limit: Number.MAX_SAFE_INTEGER })
        .map(({ key, revision, value }) => ({
          tenant,
          key,
          revision,
          at: lastWritten(value, clock.now()) + EVENT_TTL_MS,
        }));
      queue = [...found, ...queue].sort((a, b) => a.at - b.at);
      // The timer may stand for an event of another tenant that expires later than these.
      cancel?.();
      cancel = undefined;
      arm();
    },
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
  return times.length === 0 ? now.getTime() : Math.max(...times);
}
