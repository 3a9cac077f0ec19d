import type { CallExpr, Expr } from './ast.ts';
import type { AstFactory } from './factory.ts';

/** The name that loops keep their result under; the at sign keeps it out of expressions' reach. */
export const ACCUMULATOR = '@result';

/** A call that looks like a macro but cannot be one. */
export class MacroError extends Error {
  readonly pos: number;
  constructor(pos: number, message: string) {
    super(message);
    this.pos = pos;
  }
}

type Call = Pick<CallExpr, 'pos' | 'name' | 'target' | 'args'>;

interface MacroCall {
  readonly pos: number;
  readonly target: Expr;
  readonly args: readonly Expr[];
  readonly make: AstFactory;
}

type Macro = (call: MacroCall) => Expr;

/** What macros need from the parser. */
export interface MacroContext {
  readonly make: AstFactory;
  /** Whether macros that only stored expressions may use exist. */
  readonly stored: boolean;
}

/** The expansion of a call; undefined where it is an ordinary one. */
export function expandMacro(call: Call, { make, stored }: MacroContext): Expr | undefined {
  const { pos, name, target, args } = call;
  if (target === undefined) {
    return name === 'has' && args.length === 1 ? expandHas(pos, args[0] as Expr, make) : undefined;
  }
  const key = `${name}:${args.length}`;
  const macro = MACROS.get(key) ?? (stored ? STORED_MACROS.get(key) : undefined);
  return macro?.({ pos, target, args, make });
}

function expandHas(pos: number, argument: Expr, make: AstFactory): Expr {
  if (argument.kind === 'select') return make.test(pos, argument.operand, argument.field);
  throw new MacroError(argument.pos, 'invalid argument to has() macro');
}

/** The names of a loop's variables. */
interface LoopVars {
  readonly iterVar: string;
  readonly iterVar2: string | undefined;
}

function variable(arg: Expr, problem: string): string {
  if (arg.kind !== 'ident') throw new MacroError(arg.pos, problem);
  return arg.name;
}

function notAccumulator(arg: Expr, name: string): void {
  if (name === ACCUMULATOR || name === '__result__') {
    throw new MacroError(arg.pos, 'iteration variable overwrites accumulator variable');
  }
}

function oneVar(args: readonly Expr[], problem: string): LoopVars {
  const arg = args[0] as Expr;
  const iterVar = variable(arg, problem);
  notAccumulator(arg, iterVar);
  return { iterVar, iterVar2: undefined };
}

function twoVars(args: readonly Expr[]): LoopVars {
  const [first, second] = args as [Expr, Expr];
  const iterVar = variable(first, 'argument must be a simple name');
  const iterVar2 = variable(second, 'argument must be a simple name');
  if (iterVar === iterVar2) {
    throw new MacroError(second.pos, `duplicate variable name: ${iterVar}`);
  }
  notAccumulator(first, iterVar);
  notAccumulator(second, iterVar2);
  return { iterVar, iterVar2 };
}

type Quantifier = (call: MacroCall, vars: LoopVars, predicate: Expr) => Expr;

const all: Quantifier = ({ pos, target, make }, vars, predicate) => {
  const accu = () => make.ident(pos, ACCUMULATOR);
  return make.fold(pos, {
    range: target,
    ...vars,
    accuVar: ACCUMULATOR,
    init: make.literal(pos, true),
    condition: make.call(pos, '@not_strictly_false', [accu()]),
    step: make.call(pos, '_&&_', [accu(), predicate]),
    result: accu(),
  });
};

const exists: Quantifier = ({ pos, target, make }, vars, predicate) => {
  const accu = () => make.ident(pos, ACCUMULATOR);
  return make.fold(pos, {
    range: target,
    ...vars,
    accuVar: ACCUMULATOR,
    init: make.literal(pos, false),
    condition: make.call(pos, '@not_strictly_false', [make.call(pos, '!_', [accu()])]),
    step: make.call(pos, '_||_', [accu(), predicate]),
    result: accu(),
  });
};

const existsOne: Quantifier = ({ pos, target, make }, vars, predicate) => {
  const accu = () => make.ident(pos, ACCUMULATOR);
  const one = () => make.literal(pos, 1n);
  return make.fold(pos, {
    range: target,
    ...vars,
    accuVar: ACCUMULATOR,
    init: make.literal(pos, 0n),
    condition: make.literal(pos, true),
    step: make.call(pos, '_?_:_', [predicate, make.call(pos, '_+_', [accu(), one()]), accu()]),
    result: make.call(pos, '_==_', [accu(), one()]),
  });
};

const quantifier =
  (kind: Quantifier): Macro =>
  (call) =>
    kind(call, oneVar(call.args, 'argument must be a simple name'), call.args[1] as Expr);

const quantifier2 =
  (kind: Quantifier): Macro =>
  (call) =>
    kind(call, twoVars(call.args), call.args[2] as Expr);

interface Collecting {
  readonly vars: LoopVars;
  readonly filter: Expr | undefined;
  readonly init: Expr;
  readonly add: Expr;
}

/** A loop that gathers a list or a map. */
function collect({ pos, target, make }: MacroCall, parts: Collecting): Expr {
  const accu = () => make.ident(pos, ACCUMULATOR);
  const step = parts.filter
    ? make.call(pos, '_?_:_', [parts.filter, parts.add, accu()])
    : parts.add;
  return make.fold(pos, {
    range: target,
    ...parts.vars,
    accuVar: ACCUMULATOR,
    init: parts.init,
    condition: make.literal(pos, true),
    step,
    result: accu(),
  });
}

function append(call: MacroCall, element: Expr): Expr {
  const { pos, make } = call;
  return make.call(pos, '_+_', [make.ident(pos, ACCUMULATOR), make.list(pos, [element])]);
}

const map: Macro = (call) => {
  const { args, make, pos } = call;
  const vars = oneVar(args, 'argument is not an identifier');
  const init = make.list(pos, []);
  const transform = args[args.length - 1] as Expr;
  const filter = args.length === 3 ? args[1] : undefined;
  return collect(call, { vars, filter, init, add: append(call, transform) });
};

const filter: Macro = (call) => {
  const { args, make, pos } = call;
  const vars = oneVar(args, 'argument is not an identifier');
  const init = make.list(pos, []);
  return collect(call, { vars, filter: args[1], init, add: append(call, args[0] as Expr) });
};

const transformList: Macro = (call) => {
  const { args, make, pos } = call;
  const vars = twoVars(args);
  const filter = args.length === 4 ? args[2] : undefined;
  const add = append(call, args[args.length - 1] as Expr);
  return collect(call, { vars, filter, init: make.list(pos, []), add });
};

const transformMap: Macro = (call) => {
  const { args, make, pos } = call;
  const vars = twoVars(args);
  const filter = args.length === 4 ? args[2] : undefined;
  const accu = make.ident(pos, ACCUMULATOR);
  const key = make.ident(pos, vars.iterVar);
  const add = make.call(pos, 'cel.@mapInsert', [accu, key, args[args.length - 1] as Expr]);
  return collect(call, { vars, filter, init: make.map(pos), add });
};

const transformMapEntry: Macro = (call) => {
  const { args, make, pos } = call;
  const vars = twoVars(args);
  const filter = args.length === 4 ? args[2] : undefined;
  const accu = make.ident(pos, ACCUMULATOR);
  const add = make.call(pos, 'cel.@mapInsert', [accu, args[args.length - 1] as Expr]);
  return collect(call, { vars, filter, init: make.map(pos), add });
};

/** `optMap` and `optFlatMap`: a variable bound to the value, where there is one. */
const optional =
  (name: string, wrap: (expr: Expr, call: MacroCall) => Expr): Macro =>
  (call) => {
    const { pos, target, args, make } = call;
    const bound = variable(args[0] as Expr, `${name}() variable name must be a simple identifier`);
    const binding = make.fold(pos, {
      range: make.list(pos, []),
      iterVar: '#unused',
      iterVar2: undefined,
      accuVar: bound,
      init: make.member({ pos, name: 'value', target: make.copy(target), args: [] }),
      condition: make.literal(pos, false),
      step: make.ident(pos, bound),
      result: args[1] as Expr,
    });
    return make.call(pos, '_?_:_', [
      make.member({ pos, name: 'hasValue', target, args: [] }),
      wrap(binding, call),
      make.call(pos, 'optional.none', []),
    ]);
  };

const SORT_INPUT = '@__sortBy_input__';

/** `sortBy`: the list is bound to a name, so that its keys can be gathered in a loop over it. */
const sortBy: Macro = (call) => {
  const { pos, target, make } = call;
  if (target.kind === 'literal' || target.kind === 'map' || target.kind === 'struct') {
    throw new MacroError(
      target.pos,
      'sortBy can only be applied to a list, identifier, comprehension, call or select expression',
    );
  }
  const keys = map({ ...call, target: make.ident(pos, SORT_INPUT) });
  return make.fold(pos, {
    range: make.list(pos, []),
    iterVar: '#unused',
    iterVar2: undefined,
    accuVar: SORT_INPUT,
    init: target,
    condition: make.literal(pos, false),
    step: make.ident(pos, SORT_INPUT),
    result: make.member({
      pos,
      name: '@sortByAssociatedKeys',
      target: make.ident(pos, SORT_INPUT),
      args: [keys],
    }),
  });
};

const STORED_MACROS: ReadonlyMap<string, Macro> = new Map([['sortBy:2', sortBy]]);

const MACROS: ReadonlyMap<string, Macro> = new Map<string, Macro>([
  ['all:2', quantifier(all)],
  ['exists:2', quantifier(exists)],
  ['exists_one:2', quantifier(existsOne)],
  ['existsOne:2', quantifier(existsOne)],
  ['map:2', map],
  ['map:3', map],
  ['filter:2', filter],
  ['all:3', quantifier2(all)],
  ['exists:3', quantifier2(exists)],
  ['exists_one:3', quantifier2(existsOne)],
  ['existsOne:3', quantifier2(existsOne)],
  ['transformList:3', transformList],
  ['transformList:4', transformList],
  ['transformMap:3', transformMap],
  ['transformMap:4', transformMap],
  ['transformMapEntry:3', transformMapEntry],
  ['transformMapEntry:4', transformMapEntry],
  ['optMap:2', optional('optMap', (e, { make, pos }) => make.call(pos, 'optional.of', [e]))],
  ['optFlatMap:2', optional('optFlatMap', (e) => e)],
]);
