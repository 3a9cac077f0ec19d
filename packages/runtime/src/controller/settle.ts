import type { Json, KubeObject } from '@flotilla/machinery';
import type { Condition } from '../conditions/condition.ts';
import type { ConditionSet } from '../conditions/condition-set.ts';
import { type Ending, type ReadyText, summarize } from '../conditions/summarize.ts';
import { EarlyEnd, type Resync, Waiting } from './endings.ts';
import { conditionsOf, type OpenPass } from './pass.ts';

/** How a pass ended, and what the queue does next. */
export type Settled =
  | { readonly outcome: 'done' | 'waiting'; readonly requeue: 'after'; readonly afterMs: number }
  | { readonly outcome: 'done' | 'stalled' | 'suspended'; readonly requeue: 'never' }
  | { readonly outcome: 'failed'; readonly requeue: 'backoff'; readonly error: unknown };

/** What a phase is derived from. */
export interface PhaseFacts {
  /** As they will be written. */
  readonly conditions: readonly Condition[];
  readonly isDeleting: boolean;
  readonly isSuspended: boolean;
}

/** What further fields of a status are derived from. */
export interface DeriveFacts extends PhaseFacts {
  /** As the pass saw it; not to be changed. */
  readonly observed: KubeObject;
  readonly now: Date;
}

/** What of an object's status is the runtime's to say. */
export interface SettleOptions {
  /** Derives `status.phase`. @default no phase */
  readonly phase?: ((facts: PhaseFacts) => string) | undefined;
  /** What Ready says when all is well. */
  readonly ready?: ReadyText | undefined;
  /** Derives further fields of the status; called last, with the status as it is about to be written. @default none */
  readonly derive?: ((status: Json, facts: DeriveFacts) => void) | undefined;
  /** False where another controller sums up the same kind. @default true */
  readonly ownsSummary?: boolean | undefined;
}

/**
 * Turns how a pass ended into conditions on the object and one instruction for the queue. Nothing else decides what
 * happens after a pass.
 */
export async function settle<T extends KubeObject, S extends ConditionSet>(
  pass: OpenPass<T, S>,
  body: () => Promise<Resync | undefined> | Resync | undefined,
  options: SettleOptions = {},
): Promise<Settled> {
  const { ending, settled } = await end(pass, body);
  if (ending.how === 'done') pass.ledger.removeUntouched();
  writeSummary(pass, ending, options);
  return settled;
}

/** Settles a pass over an object whose spec says to leave it alone. */
export function settleSuspended<T extends KubeObject, S extends ConditionSet>(
  pass: OpenPass<T, S>,
  options: SettleOptions = {},
): Settled {
  writeSummary(pass, { how: 'suspended' }, options);
  return { outcome: 'suspended', requeue: 'never' };
}

async function end<T extends KubeObject, S extends ConditionSet>(
  pass: OpenPass<T, S>,
  body: () => Promise<Resync | undefined> | Resync | undefined,
): Promise<{ ending: Ending; settled: Settled }> {
  try {
    const afterMs = (await body())?.afterMs;
    return {
      ending: { how: 'done' },
      settled:
        afterMs === undefined
          ? { outcome: 'done', requeue: 'never' }
          : { outcome: 'done', requeue: 'after', afterMs },
    };
  } catch (error) {
    if (!(error instanceof EarlyEnd)) {
      const message = pass.redact(error instanceof Error ? error.message : String(error));
      return {
        ending: { how: 'failed', message },
        settled: { outcome: 'failed', requeue: 'backoff', error },
      };
    }
    const { condition: type, reason } = error;
    pass.claim({ type, status: 'False', reason, message: error.message });
    const message = pass.ledger.get(type)?.message ?? '';
    return error instanceof Waiting
      ? {
          ending: { how: 'waiting', reason, message },
          settled: { outcome: 'waiting', requeue: 'after', afterMs: error.afterMs },
        }
      : {
          ending: { how: 'stalled', reason, message },
          settled: { outcome: 'stalled', requeue: 'never' },
        };
  }
}

/** Writes what is the runtime's own into the status, and touches nothing when it is all there already. */
function writeSummary<T extends KubeObject, S extends ConditionSet>(
  pass: OpenPass<T, S>,
  ending: Ending,
  { phase, ready, derive, ownsSummary = true }: SettleOptions,
): void {
  const { set, ledger } = pass;
  if (set === undefined) return;
  if (ownsSummary) {
    const text = ready ?? {};
    const summary = summarize(set, (type) => ledger.get(type), { ending, text });
    ledger.set(summary.ready);
    for (const type of ['Reconciling', 'Stalled'] as const) {
      const claim = type === 'Stalled' ? summary.stalled : summary.reconciling;
      if (claim === undefined) ledger.remove(type);
      else ledger.set(claim);
    }
  }

  const observed = pass.observed as KubeObject;
  const conditions = ledger.list();
  const isSame = isSameList(conditions, conditionsOf(observed));
  write(pass, 'conditions', isSame ? conditionsOf(observed) : conditions);
  if (!ownsSummary) return;
  const { generation, deletionTimestamp } = observed.metadata;
  if (generation !== undefined) write(pass, 'observedGeneration', generation);
  const isDeleting = deletionTimestamp !== undefined;
  const facts = { conditions, isDeleting, isSuspended: ending.how === 'suspended' };
  if (phase !== undefined) write(pass, 'phase', phase(facts));
  if (derive === undefined) return;
  const { status } = pass.object as unknown as { status: Json };
  derive(status, { ...facts, observed, now: pass.now() });
}

function write<T extends KubeObject, S extends ConditionSet>(
  pass: OpenPass<T, S>,
  field: string,
  value: unknown,
): void {
  const { status } = pass.observed as { readonly status?: Json };
  // A body that looked at the status may have replaced it, and what is ours with it.
  if (!pass.hasTouchedStatus && status?.[field] === value) return;
  (pass.object as unknown as { status: Json }).status[field] = value;
}

function isSameList(some: readonly Condition[], others: readonly Condition[]): boolean {
  return some.length === others.length && some.every((condition, at) => condition === others[at]);
}
