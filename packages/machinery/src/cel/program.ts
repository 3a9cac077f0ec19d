import type { CostRange, SizeEstimator } from './cost/estimate-types.ts';
import type { DeclType } from './decl-type.ts';
import type { CelType } from './types.ts';
import type { CelValue } from './values/value.ts';

/** A name that expressions may read, and the type of what it names. */
export interface CelVariable {
  readonly name: string;
  readonly type: DeclType;
  /** Declares `optional_type` of the type; its value is none where the binding is undefined. */
  readonly optional?: boolean;
}

/** What an expression may use. */
export interface CelEnvironment {
  readonly variables: readonly CelVariable[];
  /**
   * Which functions exist. An API server accepts in new expressions only what the previous minor
   * version knows too (1.33), but runs stored ones with all that it knows (1.34).
   *
   * @default 'stored'
   */
  readonly expressions?: 'new' | 'stored';
}

/** One thing that is wrong with an expression, at a place in its source. */
export interface CelIssue {
  /** Starts at 1. */
  readonly line: number;
  /** Starts at 0; messages show it increased by one, as cel-go does. */
  readonly column: number;
  readonly message: string;
}

/** Why an expression cannot be compiled. */
export interface CelIssues {
  readonly ok: false;
  /**
   * Where it failed: Kubernetes words a constant that cannot be computed, such as `int("x")`, as a
   * program that cannot be instantiated.
   */
  readonly stage: 'compile' | 'program';
  readonly issues: readonly CelIssue[];
  /** All issues in cel-go's words, each with the source line and a caret. */
  readonly message: string;
}

/** Values of variables: JSON data, which is read lazily, or values of CEL. */
export type CelBindings = Readonly<Record<string, unknown>>;

/** Bounds of one evaluation. */
export interface EvaluateOptions {
  /** @default 1000000, the limit of one expression in Kubernetes */
  readonly costLimit?: number;
}

/** How an evaluation ended. */
export type CelResult = CelSuccess | CelError;

/** The value, and what it cost. */
export interface CelSuccess {
  readonly ok: true;
  readonly value: CelValue;
  readonly cost: number;
}

/** An evaluation without a value. */
export interface CelError {
  readonly ok: false;
  readonly kind: 'evaluation' | 'cost-exceeded';
  /** In cel-go's words, such as `no such key: x`. */
  readonly message: string;
  readonly cost: number;
}

/** A compiled expression; immutable, and evaluated as often as needed. */
export interface CelProgram {
  readonly ok: true;
  readonly source: string;
  readonly outputType: CelType;
  /** Whether the expression reads a declared variable. */
  uses(variable: string): boolean;
  evaluate(bindings: CelBindings, options?: EvaluateOptions): CelResult;
  /** The least and most that an evaluation can cost, given the bounds in declared types. */
  estimateCost(sizes?: SizeEstimator): CostRange;
}
