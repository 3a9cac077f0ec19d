import type { Checked } from '../check/checker.ts';
import { LIST_CREATE, MAP_CREATE } from '../cost/runtime.ts';
import type { Overload } from '../library/function.ts';
import type { CallExpr, Expr, FoldExpr, ListExpr, MapExpr, SelectExpr } from '../syntax/ast.ts';
import { describe, typeNameOf } from '../values/describe.ts';
import { ValueList } from '../values/lists.ts';
import { ValueMap } from '../values/maps.ts';
import { CelFault, CelOptional, CelTypeValue, type CelValue } from '../values/value.ts';
import { extend, planAttribute, planTest, resolver } from './attribute.ts';
import {
  planCall,
  planLogical,
  planMembership,
  planNotStrictlyFalse,
  planOptionalOr,
} from './call.ts';
import { appendStep, foldStep, insertStep } from './fold.ts';
import { type Attribute, constant, type Planned, type Qualifier, type Step } from './frame.ts';

/** Loads a declared variable of the environment into its slot. */
export type LoadVariable = (name: string, slot: number) => Step;

/** What planning needs to know besides the checked expression. */
export interface PlanInput {
  readonly checked: Checked;
  /** Slots of the environment's variables; loops get the ones after. */
  readonly variables: ReadonlyMap<string, number>;
  readonly load: LoadVariable;
}

/** Turns a checked expression into closures, and computes what is constant. */
export function planExpression(input: PlanInput): Step {
  return new Planner(input).plan(input.checked.root).step;
}

interface Local {
  readonly slot: number;
  /** Set for accumulators, which are initialised when first read. */
  readonly init: Step | undefined;
  /** Whether the accumulator is a list or map of the loop's own, which may be changed in place. */
  readonly gathers: boolean;
}

class Planner {
  readonly #input: PlanInput;
  readonly #locals: (readonly [string, Local])[] = [];
  #slots: number;

  constructor(input: PlanInput) {
    this.#input = input;
    this.#slots = input.variables.size;
  }

  plan(expr: Expr): Planned {
    switch (expr.kind) {
      case 'literal':
        return constant(expr.value);
      case 'ident':
        return this.#planIdent(expr.id, expr.name);
      case 'select':
        return this.#planSelect(expr);
      case 'call':
        return this.#planCall(expr);
      case 'list':
        return this.#planList(expr);
      case 'map':
        return this.#planMap(expr);
      case 'fold':
        return this.#planFold(expr);
      case 'struct':
        return constant(new CelFault(`unknown type: ${expr.name}`));
    }
  }

  #local(name: string): Local | undefined {
    return this.#locals.findLast(([each]) => each === name)?.[1];
  }

  #planIdent(id: number, name: string): Planned {
    const reference = this.#input.checked.references[id];
    if (reference?.kind === 'type') return constant(new CelTypeValue(reference.name));
    const plain = reference?.kind === 'variable' ? reference.name : name;
    const local = this.#local(plain);
    return planAttribute({ kind: 'path', load: this.#loader(plain, local), path: [] });
  }

  #loader(name: string, local: Local | undefined): Step {
    if (!local) {
      const slot = this.#input.variables.get(name);
      if (slot === undefined) return () => new CelFault(`no such attribute(s): ${name}`);
      return this.#input.load(name, slot);
    }
    const { slot, init } = local;
    if (!init) return (frame) => frame.slots[slot] as CelValue;
    return (frame) => {
      const value = frame.slots[slot] ?? init(frame);
      frame.slots[slot] = value;
      return value;
    };
  }

  #attributeOf(operand: Planned): Attribute {
    return operand.attribute ?? { kind: 'path', load: operand.step, path: [] };
  }

  #planSelect(expr: SelectExpr): Planned {
    if (this.#input.checked.references[expr.id]) return this.#planIdent(expr.id, '');
    const attribute = this.#attributeOf(this.plan(expr.operand));
    const { test } = expr;
    const qualifier = { key: expr.field, computed: undefined, optional: false, test };
    const extended = extend(attribute, qualifier);
    return test ? planTest(extended) : planAttribute(extended);
  }

  #planCall(expr: CallExpr): Planned {
    const reference = this.#input.checked.references[expr.id];
    const name = reference?.kind === 'function' ? reference.name : expr.name;
    const overloads: readonly Overload[] =
      reference?.kind === 'function' ? reference.overloads : [];
    // A namespaced function has its prefix where a target would be.
    const target = overloads.some((overload) => overload.member) ? expr.target : undefined;
    const inPlace = this.#planGathering(name, expr);
    if (inPlace) return inPlace;
    const args = (target ? [target, ...expr.args] : expr.args).map((arg) => this.plan(arg));
    switch (name) {
      case '_&&_':
        return planLogical(args, false);
      case '_||_':
        return planLogical(args, true);
      case '_?_:_':
        return this.#planConditional(args);
      case '_[_]':
      case '_[?_]':
      case '_?._':
        return this.#planIndex(args, name !== '_[_]');
      case '@not_strictly_false':
        return planNotStrictlyFalse(args[0] as Planned);
      case '@in':
        return planMembership(args, overloads);
      case 'or':
      case 'orValue':
        return planOptionalOr(args, name === 'orValue');
      default:
        return planCall({ name, overloads, args, types: this.#argTypes(expr, target) });
    }
  }

  #argTypes(expr: CallExpr, target: Expr | undefined) {
    const { types } = this.#input.checked;
    return (target ? [target, ...expr.args] : expr.args).map((arg) => types[arg.id]);
  }

  /** Adding to what a loop gathers changes it in place instead of copying it each time. */
  #planGathering(name: string, expr: CallExpr): Planned | undefined {
    const [first, ...others] = expr.args;
    if ((name !== '_+_' && name !== 'cel.@mapInsert') || first?.kind !== 'ident') return undefined;
    if (!this.#local(first.name)?.gathers) return undefined;
    const accumulated = this.plan(first).step;
    const added = others.map((other) => this.plan(other).step);
    if (name === 'cel.@mapInsert') return { step: insertStep(accumulated, added) };
    return { step: appendStep(accumulated, added[0] as Step) };
  }

  #planConditional(args: readonly Planned[]): Planned {
    const [condition, truthy, falsy] = args as [Planned, Planned, Planned];
    return planAttribute({
      kind: 'conditional',
      condition: condition.step,
      truthy: this.#attributeOf(truthy),
      falsy: this.#attributeOf(falsy),
    });
  }

  #planIndex(args: readonly Planned[], optional: boolean): Planned {
    const [operand, index] = args as [Planned, Planned];
    const computed = index.attribute ? resolver(index.attribute) : index.step;
    const qualifier: Qualifier =
      index.constant === undefined
        ? { key: undefined, computed, optional, test: false }
        : { key: index.constant, computed: undefined, optional, test: false };
    return planAttribute(extend(this.#attributeOf(operand), qualifier));
  }

  #planList(expr: ListExpr): Planned {
    const planned = expr.elements.map((element) => this.plan(element));
    const steps = planned.map((each) => each.step);
    const optionals = new Set(expr.optionals);
    if (optionals.size === 0 && planned.every((each) => each.constant !== undefined)) {
      return constant(new ValueList(planned.map((each) => each.constant as CelValue)));
    }
    return {
      step: (frame) => {
        const values: CelValue[] = [];
        for (let i = 0; i < steps.length; i++) {
          const value = (steps[i] as Step)(frame);
          const element = optionals.has(i) ? optionalElement(value) : value;
          if (element instanceof CelFault) {
            frame.charge(LIST_CREATE);
            return element;
          }
          if (element !== undefined) values.push(element);
        }
        frame.charge(LIST_CREATE);
        return new ValueList(values);
      },
    };
  }

  #planMap(expr: MapExpr): Planned {
    const entries = expr.entries.map((entry) => ({
      key: this.plan(entry.key),
      value: this.plan(entry.value),
      optional: entry.optional,
    }));
    const isConstant = entries.every(
      ({ key, value, optional }) =>
        !optional && key.constant !== undefined && value.constant !== undefined,
    );
    if (isConstant) {
      const map = new ValueMap();
      for (const { key, value } of entries) {
        map.set(key.constant as CelValue, value.constant as CelValue);
      }
      return constant(map);
    }
    return {
      step: (frame) => {
        const map = new ValueMap();
        let fault: CelFault | undefined;
        for (const entry of entries) {
          const key = entry.key.step(frame);
          fault =
            key instanceof CelFault
              ? key
              : setEntry(map, key, {
                  value: entry.value.step(frame),
                  optional: entry.optional,
                });
          if (fault) break;
        }
        frame.charge(MAP_CREATE);
        return fault ?? map;
      },
    };
  }

  #planFold(expr: FoldExpr): Planned {
    const range = this.plan(expr.range).step;
    const init = this.plan(expr.init);
    const accuSlot = this.#slots++;
    const iterSlot = this.#slots++;
    const iterSlot2 = expr.iterVar2 === undefined ? undefined : this.#slots++;
    const makeEmpty = emptyMaker(init.constant);
    const accumulator: Local = {
      slot: accuSlot,
      init: makeEmpty ?? init.step,
      gathers: makeEmpty !== undefined,
    };
    const depth = this.#locals.length;
    this.#locals.push([expr.accuVar, accumulator]);
    this.#locals.push([expr.iterVar, { slot: iterSlot, init: undefined, gathers: false }]);
    if (expr.iterVar2 !== undefined && iterSlot2 !== undefined) {
      this.#locals.push([expr.iterVar2, { slot: iterSlot2, init: undefined, gathers: false }]);
    }
    const condition = this.plan(expr.condition).step;
    const step = this.plan(expr.step).step;
    this.#locals.length = depth + 1;
    const result = this.plan(expr.result).step;
    this.#locals.length = depth;
    return { step: foldStep({ range, condition, step, result, iterSlot, iterSlot2, accuSlot }) };
  }
}

/** An empty list or map to gather into must be a new one in each evaluation. */
function emptyMaker(init: CelValue | undefined): Step | undefined {
  if (init instanceof ValueList && init.size === 0) return () => new ValueList([]);
  if (init instanceof ValueMap && init.size === 0) return () => new ValueMap();
  return undefined;
}

function optionalElement(value: CelValue): CelValue | undefined {
  if (value instanceof CelOptional) return value.value;
  if (value instanceof CelFault) return value;
  return new CelFault(
    `cannot initialize optional list element from non-optional value ${describe(value)}`,
  );
}

function setEntry(
  map: ValueMap,
  key: CelValue,
  entry: { readonly value: CelValue; readonly optional: boolean },
): CelFault | undefined {
  let { value } = entry;
  if (value instanceof CelFault) return value;
  if (entry.optional) {
    if (!(value instanceof CelOptional)) {
      return new CelFault(
        `cannot initialize optional entry '${describe(key)}' from non-optional value ${describe(value)}`,
      );
    }
    if (value.value === undefined) {
      map.delete(key);
      return undefined;
    }
    value = value.value;
  }
  return map.set(key, value) ? undefined : new CelFault(`unsupported key type: ${typeNameOf(key)}`);
}
