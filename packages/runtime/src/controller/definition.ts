import type { Client, IndexValues, InformerChoice, Informers } from '@flotilla/client';
import type { Clock, Kind, KubeObject, ObjectKey } from '@flotilla/machinery';
import type { ConditionSet } from '../conditions/condition-set.ts';
import type { Transition } from '../conditions/ledger.ts';
import type { EventNote, EventRecorder } from '../events/recorder.ts';
import type { ControllerObserver, Logger, QueueReading } from '../observer.ts';
import type { RateLimits } from '../queue/rate-limits.ts';
import type { Resync } from './endings.ts';
import type { Pass } from './pass.ts';
import type { Predicate } from './predicates.ts';
import type { SettleOptions } from './settle.ts';
import type { Watch } from './watch.ts';

/** One controller, in its author's words. */
export interface ControllerDefinition<
  T extends KubeObject = KubeObject,
  S extends ConditionSet = ConditionSet,
> extends SettleOptions {
  /** In logs, metrics, and as field manager of what it writes. */
  readonly name: string;
  readonly for: Kind<T>;
  /** Which of them, and how much is kept of each. @default all, in full */
  readonly choice?: InformerChoice<T>;
  /** Other kinds whose changes call for passes. */
  readonly watches?: readonly Watch[];
  /** By which values the controller's own objects can be found, for mappings and for the body. */
  readonly indexes?: Readonly<Record<string, IndexValues<T>>>;
  /** Without, the runtime leaves the status to the body. */
  readonly conditions?: S;
  /** Put onto every object before its first pass, and taken off when `finalize` has come to its end. */
  readonly finalizer?: string;
  /** Passes at the same time. @default 1 */
  readonly concurrency?: number;
  /** Brings the world in line with the object. Safe to repeat at any point. */
  readonly reconcile: (pass: Pass<T, S>) => Promise<Resync | undefined> | Resync | undefined;
  /** Undoes what `reconcile` did, for an object that is being deleted. */
  readonly finalize?: (pass: Pass<T, S>) => Promise<void> | void;
  /** Which changes of the object call for a pass; each must agree. @default what users write, not the status */
  readonly predicates?: readonly Predicate<T>[];
  /** Whether `spec.suspend: true` keeps passes from objects that are not being deleted. @default true */
  readonly heedsSuspend?: boolean;
  /** What to say about an object that `spec.suspend` keeps passes from. @default nothing beside Ready */
  readonly suspended?: (pass: Pass<T, S>) => Promise<void> | void;
  /** What users hear of the transitions of a pass. @default every one of them */
  readonly notes?: (transitions: readonly Transition[]) => readonly EventNote[];
  /** After which a pass is aborted and counts as failed. @default 120,000 */
  readonly passTimeoutMs?: number;
  /** How fast failures are repeated. */
  readonly limits?: RateLimits;
  /** False for kinds whose status is an ordinary part of the object. @default true */
  readonly hasStatusSubresource?: boolean;
}

/** What controllers share. */
export interface ControllerContext {
  readonly client: Client;
  readonly informers: Informers;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  readonly observer: ControllerObserver;
  readonly recorder: EventRecorder;
}

/** The bounds of one run of a controller. */
export interface RunBounds {
  /** No more passes are begun. */
  readonly stop: AbortSignal;
  /** Running passes are cut short, and nothing is written any more. */
  readonly abort: AbortSignal;
  /** Asked before every write: whether we still may. */
  readonly mayWrite: () => boolean;
}

/** A controller that has its caches and its series, and can be run, also several times one after the other. */
export interface PreparedController {
  readonly name: string;
  /** Resolves when the last pass has ended. */
  readonly run: (bounds: RunBounds) => Promise<void>;
  readonly queue: () => QueueReading;
  /** Passes that took no notice of being aborted and still hold their keys. */
  readonly abandoned: number;
}

/** A controller as a manager takes it. */
export interface Controller {
  readonly name: string;
  readonly kind: Kind;
  /** Asks for the caches it needs, which the manager then starts. */
  readonly prepare: (context: ControllerContext) => PreparedController;
  /** Calls for a pass because of something that no watch tells; nothing happens while the controller does not run. */
  readonly enqueue: (key: ObjectKey) => void;
}
