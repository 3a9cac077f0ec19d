import {
  type Json,
  type KubeObject,
  keyOfObject,
  type ObjectKey,
  Roster,
  suggestedDelayMs,
} from '@flotilla/machinery';
import type { ConditionSet } from '../conditions/condition-set.ts';
import { transitionNotes } from '../events/transition-notes.ts';
import type { ControllerMeter, PassFacts, PassOutcome } from '../observer.ts';
import type { WorkQueue } from '../queue/work-queue.ts';
import { type Committed, commit } from './commit.ts';
import type { ControllerContext, ControllerDefinition, RunBounds } from './definition.ts';
import type { Changes } from './draft.ts';
import { addingFinalizer, hasFinalizer, removingFinalizer } from './finalizers.ts';
import type { Overlay } from './overlay.ts';
import { type OpenPass, openPass } from './pass.ts';
import { type Settled, settle, settleSuspended } from './settle.ts';
import { Watchdog } from './watchdog.ts';
import type { StartedPass } from './workers.ts';

/** What passes of one run work with. */
export interface PassContext<T extends KubeObject> extends ControllerContext {
  readonly meter: ControllerMeter;
  readonly overlay: Overlay<T>;
  readonly queue: WorkQueue;
  readonly bounds: RunBounds;
}

/** How a pass ended, after what it found was written. */
interface Verdict {
  readonly outcome: PassOutcome;
  readonly afterMs?: number;
  readonly error?: unknown;
}

const PASS_TIMEOUT_MS = 120_000;
/** After so many repeats, about 300 ms, a cache has heard of a deletion. */
const DOUBTFUL_REPEATS = 6;
/** Of the time until a resync, at random, so that objects of one moment do not stay together for ever. */
const RESYNC_JITTER = 0.1;

/** Makes what begins a pass over a key. */
export function createPassRunner<T extends KubeObject, S extends ConditionSet>(
  definition: ControllerDefinition<T, S>,
  context: PassContext<T>,
): (key: string) => StartedPass {
  const { clock, random, logger, meter, observer, overlay, queue, recorder, bounds } = context;
  const { finalizer, hasStatusSubresource = true, heedsSuspend = true } = definition;
  const kind = definition.for;
  // Not a Set: one that thousands of passes go through keeps them alive until the next full collection.
  const running = new Roster<Watchdog>();
  bounds.abort.addEventListener('abort', () => {
    for (const watchdog of running.list()) watchdog.cut(reasonOf(bounds.abort));
  });

  function begin(key: string): StartedPass {
    const watchdog = new Watchdog(clock, definition.passTimeoutMs ?? PASS_TIMEOUT_MS);
    running.add(watchdog);
    if (bounds.abort.aborted) watchdog.cut(reasonOf(bounds.abort));
    const ended = conclude(key, watchdog).finally(() => {
      running.delete(watchdog);
      watchdog[Symbol.dispose]();
    });
    return { ended, givenUp: watchdog.givenUp };
  }

  /** One exit: whatever a pass does, here it is counted and the queue told. Never throws. */
  async function conclude(key: string, watchdog: Watchdog): Promise<void> {
    const beganAt = clock.elapsed();
    const id = newId(random);
    const verdict = await attempt(key, id, watchdog).catch(
      (error: unknown): Verdict => ({ outcome: isOver() ? 'aborted' : 'failed', error }),
    );
    const { outcome, afterMs } = verdict;
    meter.passed(outcome, clock.elapsed() - beganAt);
    switch (outcome) {
      case 'failed': {
        const failures = queue.failures(key);
        logger.error('Reconcile failed', { err: verdict.error, key, reconcileID: id, failures });
        queue.addFailed(key, 'other', suggestedDelayMs(verdict.error));
        return;
      }
      case 'conflict':
      case 'requeued':
        queue.addAgain(key, 'change');
        return;
      case 'aborted':
        return;
      case 'gone':
        findAgain(key);
        return;
      case 'done':
      case 'waiting':
      case 'stalled':
      case 'suspended':
        queue.forget(key);
        if (afterMs !== undefined) {
          queue.add(key, { afterMs, priority: outcome === 'done' ? 'resync' : 'other' });
        }
    }
  }

  /** The server may know before the cache that an object is gone. It may also not know what a status is. */
  function findAgain(key: string): void {
    if (overlay.get(parseKey(key)) === undefined) {
      queue.forget(key);
      return;
    }
    if (queue.failures(key) === DOUBTFUL_REPEATS) {
      logger.error(
        'Cannot write to an object that the cache has: has the kind a status subresource?',
        { key },
      );
    }
    queue.addAgain(key);
  }

  function attempt(key: string, id: string, watchdog: Watchdog): Promise<Verdict> {
    const { around } = observer;
    if (around === undefined) return look(parseKey(key), id, watchdog);
    const facts: PassFacts = { controller: definition.name, id, ...parseKey(key) };
    return around(facts, () => look(parseKey(key), id, watchdog));
  }

  /** The order is the contract: nothing is done for an object before our finalizer is on it. */
  async function look(key: ObjectKey, id: string, watchdog: Watchdog): Promise<Verdict> {
    const base = overlay.get(key);
    if (base === undefined) return { outcome: 'gone' };
    const isDeleting = base.metadata.deletionTimestamp !== undefined;
    const isHeld = finalizer !== undefined && hasFinalizer(base, finalizer);
    if (isDeleting && (!isHeld || overlay.isReleased(base))) return { outcome: 'done' };
    if (!isDeleting && finalizer !== undefined && !isHeld) {
      return protect(base, addingFinalizer(base, finalizer));
    }

    const pass = openPass<T, S>({
      object: base,
      conditions: definition.conditions,
      id,
      clock,
      logger,
      signal: () => watchdog.signal,
    });
    const settled = await settleBody(pass, isDeleting);
    if (isOver()) return { outcome: 'aborted' };
    const isFinished = isDeleting && settled.outcome === 'done';
    const changes = pass.changes();
    return isFinished && finalizer !== undefined
      ? release(base, removingFinalizer(base, finalizer, changes.main))
      : writeDown(pass, { base, changes, settled });
  }

  function settleBody(pass: OpenPass<T, S>, isDeleting: boolean): Promise<Settled> | Settled {
    if (isDeleting) {
      return settle(
        pass,
        async () => {
          await definition.finalize?.(pass);
          return undefined;
        },
        definition,
      );
    }
    if (heedsSuspend && isSuspended(pass.observed as KubeObject)) {
      return leaveAlone(pass);
    }
    return settle(pass, () => definition.reconcile(pass), definition);
  }

  async function leaveAlone(pass: OpenPass<T, S>): Promise<Settled> {
    await definition.suspended?.(pass);
    return settleSuspended(pass, definition);
  }

  async function protect(base: T, main: Json): Promise<Verdict> {
    const { result } = await write(base, { main, status: undefined });
    if (result === 'conflict' || result === 'gone') return { outcome: result };
    return { outcome: 'requeued' };
  }

  async function release(base: T, main: Json): Promise<Verdict> {
    const { result } = await write(base, { main, status: undefined });
    if (result === 'conflict') return { outcome: result };
    overlay.released(base);
    return { outcome: 'done' };
  }

  async function writeDown(
    pass: OpenPass<T, S>,
    found: { readonly base: T; readonly changes: Changes; readonly settled: Settled },
  ): Promise<Verdict> {
    const { base, changes, settled } = found;
    let committed: Committed<T>;
    try {
      committed = await write(base, changes);
    } catch (err) {
      // The first failure is the cause of more than the second.
      if (settled.outcome !== 'failed') throw err;
      pass.logger.warn('Cannot write down what failed', { err });
      return verdictOf(settled);
    }
    const { result } = committed;
    if (result === 'conflict' || result === 'gone') return { outcome: result };
    const isHalf = result === 'written' && committed.target === 'metadata' && hasStatusSubresource;
    if (isHalf && changes.status !== undefined) return { outcome: 'requeued' };

    const regarding = result === 'written' ? committed.object : base;
    const isStatusWritten = result === 'written' && changes.status !== undefined;
    const tell = definition.notes ?? transitionNotes;
    const notes = isStatusWritten ? tell(pass.ledger.transitions()) : [];
    for (const note of [...notes, ...pass.notes]) {
      recorder.record(regarding, note, meter.eventDropped);
    }
    return verdictOf(settled);
  }

  async function write(base: T, changes: Changes): Promise<Committed<T>> {
    const beganAt = clock.elapsed();
    const committed = await commit(
      { kind, base, changes },
      {
        client: context.client,
        fieldManager: definition.name,
        hasStatusSubresource,
        signal: bounds.abort,
      },
    );
    if (committed.result === 'written') {
      meter.wrote(committed.target, clock.elapsed() - beganAt);
      overlay.wrote(committed.object);
    }
    if (committed.result === 'conflict') overlay.forget(keyOfObject(base));
    return committed;
  }

  const isOver = () => bounds.abort.aborted || !bounds.mayWrite();

  const verdictOf = (settled: Settled): Verdict => {
    const { outcome } = settled;
    if (settled.requeue === 'backoff') return { outcome, error: settled.error };
    if (settled.requeue === 'never') return { outcome };
    const jitter = outcome === 'done' ? 1 + RESYNC_JITTER * random() : 1;
    return { outcome, afterMs: settled.afterMs * jitter };
  };

  return begin;
}

function isSuspended(object: KubeObject): boolean {
  const { spec } = object as { spec?: { suspend?: unknown } };
  return spec?.suspend === true;
}

function parseKey(text: string): ObjectKey {
  const slash = text.indexOf('/');
  if (slash < 0) return { name: text };
  return { namespace: text.slice(0, slash), name: text.slice(slash + 1) };
}

function newId(random: () => number): string {
  const part = () => Math.floor(random() * 2 ** 32).toString(16);
  return `${part()}${part()}`.padStart(16, '0');
}

function reasonOf(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error(String(reason));
}
