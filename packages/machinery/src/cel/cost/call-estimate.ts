import type { CallExpr, Expr } from '../syntax/ast.ts';
import type { CelType } from '../types.ts';
import type { CostRange } from './estimate-types.ts';
import { libraryEstimate } from './library-estimate.ts';
import { fixed, ONE, plus, scaled, times, UNKNOWN, union, ZERO } from './ranges.ts';
import { PATTERN, TRAVERSAL } from './sizes.ts';

/** An argument as estimates see it. */
export interface CostNode {
  readonly expr: Expr | undefined;
  readonly type: CelType;
  /** Where its data comes from; empty where it is computed. */
  readonly path: readonly string[];
  readonly size: CostRange | undefined;
}

/** The sizes of what a list or map holds. */
export interface EntrySize {
  readonly container: 'list' | 'map';
  readonly key: CostRange;
  readonly value: CostRange;
}

/** One overload that a call may turn out to be. */
export interface EstimatedCall {
  readonly expr: CallExpr;
  readonly name: string;
  readonly overload: string;
  readonly target: CostNode | undefined;
  readonly args: readonly CostNode[];
  readonly argCosts: readonly CostRange[];
}

/** What is known of the rest of the expression. */
export interface CallContext {
  sizeAt(path: readonly string[]): CostRange | undefined;
  entryOf(expr: Expr): EntrySize | undefined;
  setEntry(expr: Expr, entry: EntrySize | undefined): void;
}

/** What a call costs with its arguments, and how large its result is. */
export interface CallEstimate {
  readonly cost: CostRange;
  readonly size?: CostRange | undefined;
}

/** Estimates one overload of a call. */
export function callEstimate(call: EstimatedCall, context: CallContext): CallEstimate {
  const args = call.argCosts.reduce(plus, ZERO);
  const byLibrary = libraryEstimate(call, context);
  if (byLibrary) return { cost: plus(byLibrary.cost, args), size: byLibrary.size };
  const standard = STANDARD[call.overload]?.(call, context);
  if (standard?.total) return { cost: standard.cost, size: standard.size };
  return { cost: plus(standard?.cost ?? ONE, args), size: standard?.size };
}

interface StandardEstimate extends CallEstimate {
  /** Whether the cost already holds that of the arguments. */
  readonly total?: boolean;
}

type Estimate = (call: EstimatedCall, context: CallContext) => StandardEstimate | undefined;

const sizeOf = (node: CostNode | undefined): CostRange => node?.size ?? UNKNOWN;

const grown = (range: CostRange, factor: bigint, by: bigint): CostRange => ({
  min: range.min + by,
  // cel-go lets this wrap around, as Go's unsigned integers do.
  max: BigInt.asUintN(64, range.max * factor + by),
});

const firstArgument: Estimate = ({ args }) => ({ cost: scaled(sizeOf(args[0]), TRAVERSAL) });

const compared: Estimate = ({ args }) => {
  const [a, b] = [sizeOf(args[0]).max, sizeOf(args[1]).max];
  const max = a < b ? a : b;
  return { cost: scaled({ min: max > 0n ? 1n : 0n, max }, TRAVERSAL) };
};

const joined =
  (isList: boolean): Estimate =>
  ({ expr, args }, context) => {
    const size = plus(sizeOf(args[0]), sizeOf(args[1]));
    const [left, right] = expr.args as [Expr, Expr];
    context.setEntry(expr, unionEntries(context.entryOf(left), context.entryOf(right)));
    return { cost: isList ? ONE : scaled(size, TRAVERSAL), size };
  };

function unionEntries(a: EntrySize | undefined, b: EntrySize | undefined): EntrySize | undefined {
  if (!a || !b) return undefined;
  return { container: a.container, key: union(a.key, b.key), value: union(a.value, b.value) };
}

const logical: Estimate = ({ argCosts }) => {
  const [left = ZERO, right = ZERO] = argCosts;
  return { cost: { min: left.min, max: plus(left, right).max }, total: true };
};

const conditional: Estimate = ({ expr, args, argCosts }, context) => {
  const [condition = ZERO, truthy = ZERO, falsy = ZERO] = argCosts;
  const [, left, right] = expr.args as [Expr, Expr, Expr];
  context.setEntry(expr, unionEntries(context.entryOf(left), context.entryOf(right)));
  return {
    cost: plus(condition, union(truthy, falsy)),
    size: union(sizeOf(args[1]), sizeOf(args[2])),
    total: true,
  };
};

const STANDARD: Readonly<Record<string, Estimate>> = {
  string_format: ({ target }) => target && { cost: scaled(sizeOf(target), TRAVERSAL) },
  string_to_bytes: ({ args }) => {
    const size = sizeOf(args[0]);
    return { cost: scaled(size, TRAVERSAL), size: { ...grown(size, 4n, 0n), min: size.min } };
  },
  bytes_to_string: ({ args }) => {
    const size = sizeOf(args[0]);
    return { cost: scaled(size, TRAVERSAL), size: { min: size.min / 4n, max: size.max } };
  },
  strings_quote: ({ args }) => {
    const size = sizeOf(args[0]);
    return { cost: scaled(size, TRAVERSAL), size: grown(size, 2n, 2n) };
  },
  starts_with_string: firstArgument,
  ends_with_string: firstArgument,
  in_list: ({ args }) => ({ cost: scaled(sizeOf(args[1]), 1) }),
  matches_string: ({ target, args }) =>
    target && {
      cost: times(
        scaled(plus(sizeOf(target), fixed(1)), TRAVERSAL),
        scaled(sizeOf(args[0]), PATTERN),
      ),
    },
  contains_string: ({ target, args }) =>
    target && {
      cost: times(scaled(sizeOf(target), TRAVERSAL), scaled(sizeOf(args[0]), TRAVERSAL)),
    },
  logical_and: logical,
  logical_or: logical,
  conditional,
  add_string: joined(false),
  add_bytes: joined(false),
  add_list: joined(true),
  equals: compared,
  not_equals: compared,
  less_string: compared,
  less_bytes: compared,
  less_equals_string: compared,
  less_equals_bytes: compared,
  greater_string: compared,
  greater_bytes: compared,
  greater_equals_string: compared,
  greater_equals_bytes: compared,
};
