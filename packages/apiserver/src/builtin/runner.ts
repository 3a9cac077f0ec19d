import type { Clock } from '../clock.ts';
import type { Change, Store, Tenant } from '../storage/store.ts';
import type { BuiltinController } from './controller.ts';
import { foreignLeaseMs } from './foreign-lease.ts';

/** What the runner needs. */
export interface RunnerDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly controllers: readonly BuiltinController[];
  readonly report: (error: unknown) => void;
}

/** Built-in controllers at work; disposing waits for the key in hand. */
export interface Runner extends AsyncDisposable {
  /** Looks at a tenant's existing objects. */
  readonly adopt: (tenant: Tenant) => void;
  /** Resolves once there is nothing left to do. */
  readonly idle: () => Promise<void>;
}

interface Work {
  readonly tenant: Tenant;
  readonly controller: BuiltinController;
  readonly key: string;
}

const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 60_000;
/** Keys worked on between two looks at the event loop. */
const PARALLEL = 8;

/**
 * One queue for all tenants, fed by the store's change stream. A key waits in it at most once however
 * often it changed, and is never worked on twice at a time.
 */
export function runControllers({ store, clock, controllers, report }: RunnerDeps): Runner {
  const waiting = new Map<string, Work>();
  const active = new Map<string, { again: boolean }>();
  const failures = new Map<string, number>();
  /** At most one per key: the newest look decides when the next one is due. */
  const timers = new Map<string, () => void>();
  const idlers: (() => void)[] = [];
  let stopped = false;
  let scheduled = false;
  let adopting = 0;

  const idOf = ({ tenant, controller, key }: Work): string =>
    `${tenant}\u0000${controller.name}\u0000${key}`;

  const enqueue = (work: Work): void => {
    const id = idOf(work);
    const running = active.get(id);
    if (running !== undefined) running.again = true;
    else waiting.set(id, work);
    schedule();
  };

  const later = (id: string, work: Work, ms: number): void => {
    const cancel = clock.after(ms, () => {
      timers.delete(id);
      enqueue(work);
    });
    timers.set(id, cancel);
  };

  const schedule = (): void => {
    if (scheduled || stopped) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      if (!stopped) pump();
    });
  };

  const pump = (): void => {
    for (const [id, work] of waiting) {
      if (active.size >= PARALLEL) return;
      waiting.delete(id);
      active.set(id, { again: false });
      timers.get(id)?.();
      timers.delete(id);
      void perform(id, work);
    }
    if (waiting.size === 0 && active.size === 0 && adopting === 0) {
      for (const done of idlers.splice(0)) done();
    }
  };

  const perform = async (id: string, work: Work): Promise<void> => {
    try {
      const heldMs = work.controller.yields
        ? foreignLeaseMs(store, work.tenant, clock.now())
        : undefined;
      const againMs = heldMs ?? (await work.controller.sync(work.tenant, work.key));
      failures.delete(id);
      if (againMs !== undefined && !stopped) later(id, work, againMs);
    } catch (error) {
      const failed = (failures.get(id) ?? 0) + 1;
      failures.set(id, failed);
      // Conflicts and the like pass by themselves; only what stays wrong is worth a line.
      if (failed > 3) report(error);
      if (!stopped) later(id, work, Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** failed));
    } finally {
      const again = active.get(id)?.again === true;
      active.delete(id);
      if (again && !stopped) waiting.set(id, work);
      schedule();
    }
  };

  /** What to look at is found outside of any request: an object that cannot be read must not end the process. */
  const keysOf = (find: () => readonly string[]): readonly string[] => {
    try {
      return find();
    } catch (error) {
      report(error);
      return [];
    }
  };

  const subscription = store.changes((changes: readonly Change[]) => {
    for (const change of changes) {
      for (const controller of controllers) {
        for (const key of keysOf(() => controller.concerns(change))) {
          enqueue({ tenant: change.tenant, controller, key });
        }
      }
    }
  });

  return {
    adopt: (tenant) => {
      // One controller a turn: looking at everything there is must not keep the first requests waiting.
      for (const controller of controllers) {
        adopting += 1;
        setImmediate(() => {
          adopting -= 1;
          if (stopped) return;
          for (const key of keysOf(() => controller.initial(tenant))) {
            enqueue({ tenant, controller, key });
          }
          schedule();
        });
      }
    },
    idle: () =>
      new Promise((resolve) => {
        idlers.push(resolve);
        schedule();
      }),
    [Symbol.asyncDispose]: async () => {
      stopped = true;
      subscription[Symbol.dispose]();
      for (const cancel of timers.values()) cancel();
      waiting.clear();
      while (active.size > 0) await new Promise((resolve) => setImmediate(resolve));
      for (const done of idlers.splice(0)) done();
    },
  };
}
