import type { CelValue } from '../values/value.ts';
import type {
  CallExpr,
  EntryExpr,
  Expr,
  FoldExpr,
  IdentExpr,
  ListExpr,
  LiteralExpr,
  MapExpr,
  SelectExpr,
  StructExpr,
} from './ast.ts';

/** What a loop is made of. */
export type FoldParts = Omit<FoldExpr, 'kind' | 'id' | 'pos'>;

/** Macros that use an expression twice can make a short source endless; upstream has no limit. */
const MAX_NODES = 250_000;

/** An expression with more nodes than any honest one. */
export class TooManyNodes extends Error {
  constructor() {
    super(`expression node limit exceeded: ${MAX_NODES}`);
  }
}

/** Makes nodes, each with an id of its own. */
export class AstFactory {
  #count = 0;

  /** How many ids were given; they start at 1. */
  get count(): number {
    return this.#count;
  }

  node(pos: number): { id: number; pos: number } {
    if (this.#count >= MAX_NODES) throw new TooManyNodes();
    return { id: ++this.#count, pos };
  }

  literal(pos: number, value: CelValue): LiteralExpr {
    return { kind: 'literal', ...this.node(pos), value };
  }

  ident(pos: number, name: string): IdentExpr {
    return { kind: 'ident', ...this.node(pos), name };
  }

  select(pos: number, operand: Expr, field: string): SelectExpr {
    return { kind: 'select', ...this.node(pos), operand, field, test: false };
  }

  /** `has(operand.field)`. */
  test(pos: number, operand: Expr, field: string): SelectExpr {
    return { kind: 'select', ...this.node(pos), operand, field, test: true };
  }

  call(pos: number, name: string, args: readonly Expr[]): CallExpr {
    return { kind: 'call', ...this.node(pos), name, target: undefined, args };
  }

  /** A call on a target. */
  member(call: Pick<CallExpr, 'pos' | 'name' | 'target' | 'args'>): CallExpr {
    return { kind: 'call', ...call, ...this.node(call.pos) };
  }

  list(pos: number, elements: readonly Expr[], optionals: readonly number[] = []): ListExpr {
    return { kind: 'list', ...this.node(pos), elements, optionals };
  }

  map(pos: number, entries: readonly EntryExpr[] = []): MapExpr {
    return { kind: 'map', ...this.node(pos), entries };
  }

  struct(pos: number, name: string, entries: readonly EntryExpr[]): StructExpr {
    return { kind: 'struct', ...this.node(pos), name, entries };
  }

  fold(pos: number, parts: FoldParts): FoldExpr {
    return { kind: 'fold', ...this.node(pos), ...parts };
  }

  /** The same expression with ids of its own, for macros that use one twice. */
  copy(expr: Expr): Expr {
    const fresh = this.node(expr.pos);
    switch (expr.kind) {
      case 'literal':
      case 'ident':
        return { ...expr, ...fresh };
      case 'select':
        return { ...expr, ...fresh, operand: this.copy(expr.operand) };
      case 'call':
        return {
          ...expr,
          ...fresh,
          target: expr.target && this.copy(expr.target),
          args: expr.args.map((arg) => this.copy(arg)),
        };
      case 'list':
        return { ...expr, ...fresh, elements: expr.elements.map((each) => this.copy(each)) };
      case 'map':
      case 'struct':
        return { ...expr, ...fresh, entries: expr.entries.map((each) => this.#copyEntry(each)) };
      case 'fold':
        return {
          ...expr,
          ...fresh,
          range: this.copy(expr.range),
          init: this.copy(expr.init),
          condition: this.copy(expr.condition),
          step: this.copy(expr.step),
          result: this.copy(expr.result),
        };
    }
  }

  #copyEntry(entry: EntryExpr): EntryExpr {
    return {
      ...entry,
      ...this.node(entry.pos),
      key: this.copy(entry.key),
      value: this.copy(entry.value),
    };
  }
}
