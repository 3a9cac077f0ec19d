import type { CelValue } from '../values/value.ts';

/** Ends an evaluation that costs more than it may. */
export class CostExceeded extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}

/** The state of one evaluation: what variables hold, and what it has cost so far. */
export class Frame {
  cost = 0;
  readonly limit: number;
  /** Variables by the index that planning gave them; undefined is not yet loaded, or absent. */
  readonly slots: (CelValue | undefined)[] = [];

  constructor(limit: number) {
    this.limit = limit;
  }

  charge(cost: number): void {
    this.cost += cost;
    if (this.cost > this.limit) throw new CostExceeded();
  }
}

/** Evaluates a part of an expression; faults are values. */
export type Step = (frame: Frame) => CelValue;

/** A part of an expression, ready to be evaluated. */
export interface Planned {
  readonly step: Step;
  /** The value, where it is known beforehand; such parts cost nothing. */
  readonly constant?: CelValue;
  /** Set where the part reads data by a path, which further selects can extend. */
  readonly attribute?: Attribute;
}

/** A constant is ready at once. */
export const constant = (value: CelValue): Planned => ({ step: () => value, constant: value });

/** Where data is read from, and the fields and indices that lead to it. */
export type Attribute = PathAttribute | ConditionalAttribute;

/** A variable or the value of an expression, and a path from there. */
export interface PathAttribute {
  readonly kind: 'path';
  /** Loads what the path starts from, without the cost of the attribute itself. */
  readonly load: Step;
  readonly path: readonly Qualifier[];
}

/** One of two attributes. */
export interface ConditionalAttribute {
  readonly kind: 'conditional';
  readonly condition: Step;
  readonly truthy: Attribute;
  readonly falsy: Attribute;
}

/** One step of a path. */
export interface Qualifier {
  /** The key, where it is constant. */
  readonly key: CelValue | undefined;
  /** Computes the key otherwise. */
  readonly computed: Step | undefined;
  /** Whether what is absent is none rather than a fault. */
  readonly optional: boolean;
  /** Whether only the presence is asked for, as `has` does. */
  readonly test: boolean;
}
