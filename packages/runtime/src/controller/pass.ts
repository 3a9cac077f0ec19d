import type { Clock, KubeObject, ObjectKey } from '@flotilla/machinery';
import { keyOfObject, systemClock } from '@flotilla/machinery';
import type { Claim, Condition } from '../conditions/condition.ts';
import type { ConditionSet, ReasonIn, TypeIn } from '../conditions/condition-set.ts';
import { ConditionLedger } from '../conditions/ledger.ts';
import { redact, type SecretValue } from '../conditions/redact.ts';
import type { EventNote } from '../events/recorder.ts';
import { type Logger, silentLogger } from '../observer.ts';
import { type Changes, type Draft, draftOf } from './draft.ts';
import { Stalled, Waiting } from './endings.ts';

/** The same type, with nothing in it to be changed. */
export type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

/**
 * One look at one object: what it is, and what the looker finds. Changes to `object` and the conditions are written once,
 * when the pass is over.
 */
export interface Pass<T extends KubeObject, S extends ConditionSet = ConditionSet> {
  readonly key: ObjectKey;
  /** On every log line of this pass. */
  readonly id: string;
  /** A private copy. Its parts are copied when they are first touched; `status` is there even on a new object. */
  readonly object: T;
  /** The object as the cache has it; costs nothing to read. */
  readonly observed: DeepReadonly<T>;
  /** Aborted when the pass takes too long, the process ends, or the leadership is lost. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  readonly now: () => Date;
  /** The condition holds. */
  readonly mark: <C extends TypeIn<S>>(type: C, reason: ReasonIn<S, C>, message: string) => void;
  /** The condition does not hold, and the pass goes on. */
  readonly unmet: <C extends TypeIn<S>>(type: C, reason: ReasonIn<S, C>, message: string) => void;
  /** Nobody knows. With a reason that the set counts as skipped the spec wants it so, and the object can be Ready. */
  readonly unknown: <C extends TypeIn<S>>(type: C, reason: ReasonIn<S, C>, message: string) => void;
  /** Made to be thrown: something else must happen first. */
  readonly waiting: <C extends TypeIn<S>>(
    type: C,
    reason: ReasonIn<S, C>,
    how: { readonly message: string; readonly afterMs: number },
  ) => Waiting;
  /** Made to be thrown: only the user can help. */
  readonly stalled: <C extends TypeIn<S>>(
    type: C,
    reason: ReasonIn<S, C>,
    message: string,
  ) => Stalled;
  /** Keeps a value out of every message of this pass, beside what looks like a credential anyway. */
  readonly conceal: (secret: SecretValue | string) => void;
  /** Has an event sent once the pass is written down. Transitions of conditions have theirs anyway. */
  readonly event: (note: EventNote) => void;
}

/** What a pass is made of. Tests of single steps give the object and the conditions alone. */
export interface PassOptions<T extends KubeObject, S extends ConditionSet> {
  readonly object: T;
  /** @default none */
  readonly conditions?: S | undefined;
  /** @default '' */
  readonly id?: string;
  readonly clock?: Pick<Clock, 'now'>;
  readonly logger?: Logger;
  /** Called at most once, when somebody asks. @default never aborted */
  readonly signal?: () => AbortSignal;
}

/** A pass as the runtime sees it: with what has been found so far. */
export interface OpenPass<T extends KubeObject, S extends ConditionSet = ConditionSet>
  extends Pass<T, S> {
  readonly set: S | undefined;
  readonly ledger: ConditionLedger;
  readonly changes: () => Changes;
  /** Whether the body has looked at the status, and may so have changed it. */
  readonly hasTouchedStatus: boolean;
  readonly notes: readonly EventNote[];
  /** Says what holds; messages are redacted here, for everyone. */
  readonly claim: (claim: Claim) => void;
  readonly redact: (message: string) => string;
}

/** Begins a pass. */
export function openPass<T extends KubeObject, S extends ConditionSet>(
  options: PassOptions<T, S>,
): OpenPass<T, S> {
  return new RunningPass(options);
}

class RunningPass<T extends KubeObject, S extends ConditionSet> implements OpenPass<T, S> {
  readonly key: ObjectKey;
  readonly id: string;
  readonly set: S | undefined;
  readonly ledger: ConditionLedger;
  readonly notes: EventNote[] = [];
  readonly #options: PassOptions<T, S>;
  #draft: Draft<T> | undefined;
  #signal: AbortSignal | undefined;
  #logger: Logger | undefined;
  #concealed: (SecretValue | string)[] = [];

  constructor(options: PassOptions<T, S>) {
    const { object, conditions, id = '', clock = systemClock } = options;
    this.#options = options;
    this.key = keyOfObject(object);
    this.id = id;
    this.set = conditions;
    this.ledger = new ConditionLedger(conditionsOf(object), {
      set: conditions ?? {},
      generation: object.metadata.generation,
      now: clock.now,
    });
  }

  get object(): T {
    this.#draft ??= draftOf(this.#options.object);
    return this.#draft.object;
  }

  get hasTouchedStatus(): boolean {
    return this.#draft?.isTouched('status') ?? false;
  }

  changes(): Changes {
    return this.#draft?.changes() ?? { main: undefined, status: undefined };
  }

  get observed(): DeepReadonly<T> {
    return this.#options.object as DeepReadonly<T>;
  }

  get signal(): AbortSignal {
    this.#signal ??= this.#options.signal?.() ?? new AbortController().signal;
    return this.#signal;
  }

  get logger(): Logger {
    const { name, namespace } = this.key;
    const object = namespace === undefined ? { name } : { namespace, name };
    this.#logger ??= (this.#options.logger ?? silentLogger).child({ reconcileID: this.id, object });
    return this.#logger;
  }

  readonly now = (): Date => new Date((this.#options.clock ?? systemClock).now());

  readonly mark: Pass<T, S>['mark'] = (type, reason, message) =>
    this.claim({ type, status: 'True', reason, message });

  readonly unmet: Pass<T, S>['unmet'] = (type, reason, message) =>
    this.claim({ type, status: 'False', reason, message });

  readonly unknown: Pass<T, S>['unknown'] = (type, reason, message) =>
    this.claim({ type, status: 'Unknown', reason, message });

  readonly waiting: Pass<T, S>['waiting'] = (type, reason, how) => new Waiting(type, reason, how);

  readonly stalled: Pass<T, S>['stalled'] = (type, reason, message) =>
    new Stalled(type, reason, message);

  readonly conceal = (secret: SecretValue | string): void => {
    this.#concealed.push(secret);
  };

  readonly event = (note: EventNote): void => {
    this.notes.push({ ...note, note: this.redact(note.note) });
  };

  readonly claim = (claim: Claim): void => {
    // What is written already has been through it; most passes say what the last one said.
    const isKnown = this.ledger.get(claim.type)?.message === claim.message;
    this.ledger.set(isKnown ? claim : { ...claim, message: this.redact(claim.message) });
  };

  readonly redact = (message: string): string => redact(message, this.#concealed);
}

/** The conditions an object has, whatever else its status is. */
export function conditionsOf(object: KubeObject): readonly Condition[] {
  const { status } = object as { status?: { conditions?: unknown } };
  const conditions = status?.conditions;
  return Array.isArray(conditions) ? (conditions as Condition[]) : [];
}
