import { formatTime } from '@flotilla/machinery';
import { type Claim, type Condition, findCondition, summaryTypes } from './condition.ts';
import { type ConditionSet, typesOf } from './condition-set.ts';

/** What is needed to write conditions down. */
export interface LedgerOptions {
  readonly set: ConditionSet;
  /** Of the object that the pass looks at; goes with each condition it sets. */
  readonly generation: number | undefined;
  readonly now: () => number;
}

/** How one condition changed in a pass. */
export interface Transition {
  readonly before: Condition | undefined;
  readonly after: Condition;
}

/** The conditions of one object during a pass. What was read from the cache stays as it is. */
export class ConditionLedger {
  readonly #before: readonly Condition[];
  readonly #options: LedgerOptions;
  readonly #current: Map<string, Condition>;
  readonly #touched = new Set<string>();

  constructor(before: readonly Condition[], options: LedgerOptions) {
    this.#before = before;
    this.#options = options;
    this.#current = new Map(before.map((condition) => [condition.type, condition]));
  }

  get(type: string): Condition | undefined {
    return this.#current.get(type);
  }

  /** Says what holds now. `lastTransitionTime` moves only when the status does. */
  set(claim: Claim): void {
    const { generation, now } = this.#options;
    this.#touched.add(claim.type);
    const known = this.#current.get(claim.type);
    if (known !== undefined && saysTheSame(known, claim, generation)) return;
    const isTransition = known?.status !== claim.status;
    this.#current.set(claim.type, {
      type: claim.type,
      status: claim.status,
      ...(generation === undefined ? {} : { observedGeneration: generation }),
      lastTransitionTime:
        isTransition || known === undefined
          ? formatTime(new Date(now()))
          : known.lastTransitionTime,
      reason: claim.reason,
      message: claim.message,
    });
  }

  remove(type: string): void {
    this.#current.delete(type);
  }

  /**
   * Takes away the set's conditions that nobody mentioned. A pass that came to its end has said all there is to say;
   * what it left out is about something it no longer does.
   */
  removeUntouched(): void {
    for (const type of typesOf(this.#options.set)) {
      if (!this.#touched.has(type)) this.#current.delete(type);
    }
  }

  /** In a fixed order: the summary, the set as declared, progress, then what others wrote. */
  list(): Condition[] {
    const order = ['Ready', ...typesOf(this.#options.set), 'Reconciling', 'Stalled'];
    const ours = order.flatMap((type) => this.#current.get(type) ?? []);
    const others = this.#before.filter(({ type }) => !order.includes(type));
    return [...ours, ...others];
  }

  /** Conditions whose status or reason changed, the summary last. */
  transitions(): Transition[] {
    const order = [...typesOf(this.#options.set), ...summaryTypes];
    return order.flatMap((type) => {
      const after = this.#current.get(type);
      const before = findCondition(this.#before, type);
      if (after === undefined) return [];
      const isSame = before?.status === after.status && before.reason === after.reason;
      return isSame ? [] : [{ before, after }];
    });
  }
}

function saysTheSame(known: Condition, claim: Claim, generation: number | undefined): boolean {
  return (
    known.status === claim.status &&
    known.reason === claim.reason &&
    known.message === claim.message &&
    known.observedGeneration === generation
  );
}
