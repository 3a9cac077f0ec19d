import type { CelValue } from '../values/value.ts';

interface Node {
  /** Counts from 1; the checker keeps types and references by it. */
  readonly id: number;
  /** Where the source has it, in UTF-16 units; -1 is nowhere. */
  readonly pos: number;
}

/** A constant. */
export interface LiteralExpr extends Node {
  readonly kind: 'literal';
  readonly value: CelValue;
}

/** A name. */
export interface IdentExpr extends Node {
  readonly kind: 'ident';
  readonly name: string;
}

/** A field of an operand, or with `test` whether there is one. */
export interface SelectExpr extends Node {
  readonly kind: 'select';
  readonly operand: Expr;
  readonly field: string;
  readonly test: boolean;
}

/** A call of a function or an operator. */
export interface CallExpr extends Node {
  readonly kind: 'call';
  readonly name: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}

/** A list in brackets. */
export interface ListExpr extends Node {
  readonly kind: 'list';
  readonly elements: readonly Expr[];
  /** Indices of the elements with a question mark. */
  readonly optionals: readonly number[];
}

/** One `key: value` of a map, or `field: value` of a message. */
export interface EntryExpr extends Node {
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}

/** A map in braces. */
export interface MapExpr extends Node {
  readonly kind: 'map';
  readonly entries: readonly EntryExpr[];
}

/** A message in braces after its type's name. */
export interface StructExpr extends Node {
  readonly kind: 'struct';
  readonly name: string;
  readonly entries: readonly EntryExpr[];
}

/** A loop, into which macros such as `all` expand. */
export interface FoldExpr extends Node {
  readonly kind: 'fold';
  readonly range: Expr;
  readonly iterVar: string;
  /** The second variable of loops over keys and values. */
  readonly iterVar2: string | undefined;
  readonly accuVar: string;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

/** A node of a parsed expression. */
export type Expr =
  | LiteralExpr
  | IdentExpr
  | SelectExpr
  | CallExpr
  | ListExpr
  | MapExpr
  | StructExpr
  | FoldExpr;
