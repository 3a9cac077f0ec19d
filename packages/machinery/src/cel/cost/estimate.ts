import type { Checked } from '../check/checker.ts';
import type { DeclType } from '../decl-type.ts';
import type { CelEnvironment } from '../program.ts';
import type { CallExpr, Expr, FoldExpr, ListExpr, MapExpr, SelectExpr } from '../syntax/ast.ts';
import { type CelType, dynType } from '../types.ts';
import { codePointLength } from '../values/text.ts';
import { CelUint, type CelValue } from '../values/value.ts';
import { type CallContext, type CostNode, callEstimate, type EntrySize } from './call-estimate.ts';
import type { CostRange, SizeEstimator } from './estimate-types.ts';
import { fixed, ONE, plus, times, UNBOUNDED, UNKNOWN, union, ZERO } from './ranges.ts';
import { LIST_CREATE, MAP_CREATE } from './sizes.ts';

/** What an estimate is made from. */
export interface EstimateInput {
  readonly env: CelEnvironment;
  readonly checked: Checked;
}

/** The least and most that an evaluation can cost. */
export function estimate(input: EstimateInput, sizes?: SizeEstimator): CostRange {
  const estimator = new Estimator(input.checked, sizes ?? declaredSizes(input.env));
  return estimator.cost(input.checked.root);
}

/** Sizes by the bounds in the declared types of variables. */
function declaredSizes(env: CelEnvironment): SizeEstimator {
  const variables = new Map(env.variables.map(({ name, type }) => [name, type]));
  // Only types of schemas know bounds; a path from anything else is of unknown size.
  const first = env.variables[0]?.type;
  return ([root, ...path]) => {
    if (root === undefined) return undefined;
    let decl: DeclType | undefined = variables.get(root) ?? first;
    if (!decl?.adapt) return undefined;
    for (const name of path) {
      if (name === '@items' || name === '@values') decl = decl?.elem;
      else if (name === '@keys') decl = decl?.key;
      else decl = decl?.fields?.get(name);
      if (!decl) return undefined;
    }
    return { min: 0n, max: BigInt(decl.maxElements) };
  };
}

interface LocalVariable {
  readonly path: readonly string[];
  readonly size: CostRange | undefined;
  readonly entry: EntrySize | undefined;
}

class Estimator implements CallContext {
  readonly #checked: Checked;
  readonly #sizes: SizeEstimator;
  readonly #paths = new Map<number, readonly string[]>();
  readonly #computed = new Map<number, CostRange>();
  readonly #entries = new Map<number, EntrySize>();
  readonly #locals = new Map<string, LocalVariable[]>();

  constructor(checked: Checked, sizes: SizeEstimator) {
    this.#checked = checked;
    this.#sizes = sizes;
  }

  cost(expr: Expr): CostRange {
    switch (expr.kind) {
      case 'literal':
        return ZERO;
      case 'ident':
        this.#paths.set(expr.id, this.#local(expr.name)?.path ?? [expr.name]);
        return ONE;
      case 'select':
        return this.#selectCost(expr);
      case 'call':
        return this.#callCost(expr);
      case 'list':
        return this.#listCost(expr);
      case 'map':
        return this.#mapCost(expr);
      case 'fold':
        return isBinding(expr) ? this.#bindingCost(expr) : this.#foldCost(expr);
      case 'struct':
        return fixed(40);
    }
  }

  typeOf(expr: Expr): CelType {
    return this.#checked.types[expr.id] ?? dynType;
  }

  /** The size that the path to some data tells, for parts that have no expression of their own. */
  sizeAt(path: readonly string[]): CostRange | undefined {
    return path.length === 0 ? undefined : this.#sizes(path);
  }

  #local(name: string): LocalVariable | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  #push(name: string, local: LocalVariable): void {
    const stack = this.#locals.get(name) ?? [];
    stack.push(local);
    this.#locals.set(name, stack);
  }

  #pop(name: string): void {
    this.#locals.get(name)?.pop();
  }

  pathOf(expr: Expr): readonly string[] {
    if (expr.kind === 'ident') {
      const local = this.#local(expr.name);
      if (local) return local.path;
    }
    return this.#paths.get(expr.id) ?? [];
  }

  #selectCost(expr: SelectExpr): CostRange {
    const reference = this.#checked.references[expr.id];
    if (reference && reference.kind !== 'function') {
      this.#paths.set(expr.id, [reference.name]);
      return ONE;
    }
    const operand = this.cost(expr.operand);
    if (expr.test) return operand;
    this.#paths.set(expr.id, [...this.pathOf(expr.operand), expr.field]);
    const { kind } = this.typeOf(expr.operand);
    return kind === 'map' || kind === 'object' || kind === 'param' ? plus(operand, ONE) : operand;
  }

  #callCost(expr: CallExpr): CostRange {
    if (expr.name === 'dyn' && !expr.target) return this.#dynCost(expr);
    const reference = this.#checked.references[expr.id];
    const argCosts = expr.args.map((arg) => this.cost(arg));
    const args = expr.args.map((arg) => this.#node(arg));
    if (reference?.kind !== 'function') return ZERO;
    const isMember = reference.overloads.some((overload) => overload.member);
    let sum = ZERO;
    let target: CostNode | undefined;
    if (isMember && expr.target) {
      sum = this.cost(expr.target);
      target = this.#node(expr.target);
    }
    let cost: CostRange = { min: UNBOUNDED, max: 0n };
    let size: CostRange | undefined;
    for (const { id } of reference.overloads) {
      const call = { expr, name: reference.name, overload: id, target, args, argCosts };
      const estimated = callEstimate(call, this);
      cost = union(cost, estimated.cost);
      if (estimated.size) size = size ? union(size, estimated.size) : estimated.size;
      const [container] = expr.args;
      if ((id === 'index_list' || id === 'index_map') && container) {
        size = this.entryOf(container)?.value;
        const part = id === 'index_list' ? '@items' : '@values';
        this.#paths.set(expr.id, [...this.pathOf(container), part]);
      }
      size ??= this.sizeOf(expr);
    }
    this.#setSize(expr, size);
    return plus(sum, cost);
  }

  #dynCost(expr: CallExpr): CostRange {
    const arg = expr.args[0] as Expr;
    const cost = this.cost(arg);
    this.#setSize(expr, this.sizeOf(arg));
    this.setEntry(expr, this.entryOf(arg));
    return plus(ONE, cost);
  }

  #listCost(expr: ListExpr): CostRange {
    let sum = fixed(LIST_CREATE);
    let value = noneYet(expr.elements.length);
    for (const element of expr.elements) {
      sum = plus(sum, this.cost(element));
      value = union(value, this.sizeOf(element) ?? UNKNOWN);
    }
    this.setEntry(expr, { container: 'list', key: ONE, value });
    return sum;
  }

  #mapCost(expr: MapExpr): CostRange {
    let sum = fixed(MAP_CREATE);
    let key = noneYet(expr.entries.length);
    let value = key;
    for (const entry of expr.entries) {
      sum = plus(plus(sum, this.cost(entry.key)), this.cost(entry.value));
      key = union(key, this.sizeOf(entry.key) ?? UNKNOWN);
      value = union(value, this.sizeOf(entry.value) ?? UNKNOWN);
    }
    this.setEntry(expr, { container: 'map', key, value });
    return sum;
  }

  #foldCost(expr: FoldExpr): CostRange {
    let sum = plus(this.cost(expr.range), this.cost(expr.init));
    this.#pushResult(expr);
    this.#pushVariables(expr);
    const each = plus(this.cost(expr.step), this.cost(expr.condition));
    this.#pop(expr.iterVar);
    if (expr.iterVar2 !== undefined) this.#pop(expr.iterVar2);
    sum = plus(sum, this.cost(expr.result));
    this.#pop(expr.accuVar);
    const count = this.sizeOf(expr.range) ?? UNKNOWN;
    if (expr.init.kind === 'literal') {
      this.#setSize(expr, this.sizeOf(expr.init));
    } else if (expr.init.kind === 'list' || expr.init.kind === 'map') {
      this.#setSize(expr, count);
      this.setEntry(expr, this.entryOf(expr.step));
    }
    return plus(sum, times(count, each));
  }

  #pushResult(expr: FoldExpr): void {
    this.#push(expr.accuVar, {
      path: this.pathOf(expr.init),
      size: this.sizeOf(expr.init),
      entry: this.entryOf(expr.init),
    });
  }

  #pushVariables(expr: FoldExpr): void {
    const entry = this.entryOf(expr.range);
    const isList = (entry?.container ?? this.typeOf(expr.range).kind) === 'list';
    const path = this.pathOf(expr.range);
    const push = (name: string, part: string, size: CostRange | undefined) =>
      this.#push(name, { path: [...path, part], size, entry: undefined });
    if (expr.iterVar2 === undefined) {
      push(expr.iterVar, isList ? '@items' : '@keys', isList ? entry?.value : entry?.key);
    } else {
      push(expr.iterVar, isList ? '@indices' : '@keys', entry?.key);
      push(expr.iterVar2, isList ? '@items' : '@values', entry?.value);
    }
  }

  /** A variable bound to a value, for which macros use a loop that never runs. */
  #bindingCost(expr: FoldExpr): CostRange {
    const sum = plus(this.cost(expr.range), this.cost(expr.init));
    this.#pushResult(expr);
    const result = this.cost(expr.result);
    this.#pop(expr.accuVar);
    this.#setSize(expr, this.sizeOf(expr.result));
    this.setEntry(expr, this.entryOf(expr.result));
    return plus(sum, result);
  }

  #node(expr: Expr): CostNode {
    const path = this.pathOf(expr);
    // Accumulators are not variables that anyone outside knows the size of.
    const isAccumulator = path[0] === '@result' || path[0] === '__result__';
    return {
      expr,
      type: this.typeOf(expr),
      path: isAccumulator ? [] : path,
      size: this.sizeOf(expr),
    };
  }

  #setSize(expr: Expr, size: CostRange | undefined): void {
    if (size) this.#computed.set(expr.id, size);
  }

  setEntry(expr: Expr, entry: EntrySize | undefined): void {
    if (entry) this.#entries.set(expr.id, entry);
  }

  sizeOf(expr: Expr): CostRange | undefined {
    const known = this.#computed.get(expr.id) ?? literalSize(expr);
    if (known) return known;
    const declared = this.sizeAt(this.pathOf(expr));
    if (declared) {
      this.#computed.set(expr.id, declared);
      return declared;
    }
    if (isScalar(this.typeOf(expr))) return ONE;
    return expr.kind === 'ident' ? this.#local(expr.name)?.size : undefined;
  }

  entryOf(expr: Expr): EntrySize | undefined {
    const known = this.#entries.get(expr.id);
    if (known) return known;
    return expr.kind === 'ident' ? this.#local(expr.name)?.entry : undefined;
  }
}

/** The range that a union with any other leaves as that other; of nothing, zero. */
const noneYet = (count: number): CostRange => ({ min: count === 0 ? 0n : UNBOUNDED, max: 0n });

function isBinding(expr: FoldExpr): boolean {
  return (
    expr.range.kind === 'list' &&
    expr.range.elements.length === 0 &&
    expr.condition.kind === 'literal' &&
    expr.condition.value === false
  );
}

function literalSize(expr: Expr): CostRange | undefined {
  if (expr.kind === 'list') return fixed(expr.elements.length);
  if (expr.kind === 'map') return fixed(expr.entries.length);
  return expr.kind === 'literal' ? fixed(valueSize(expr.value)) : undefined;
}

function valueSize(value: CelValue): number {
  if (typeof value === 'string') return codePointLength(value);
  if (value instanceof Uint8Array && !(value instanceof CelUint)) return value.length;
  return 1;
}

function isScalar(type: CelType): boolean {
  if (type.kind === 'opaque' && type.name === 'optional_type') {
    return isScalar(type.params[0] ?? dynType);
  }
  return ['bool', 'double', 'duration', 'int', 'timestamp', 'uint'].includes(type.kind);
}
