import { type CallCost, callCost } from '../cost/runtime.ts';
import { isOfType, type Overload } from '../library/function.ts';
import { NO_OVERLOAD } from '../library/operators.ts';
import { compilePattern } from '../library/patterns.ts';
import type { CelType } from '../types.ts';
import { typeNameOf } from '../values/describe.ts';
import { celEquals } from '../values/equality.ts';
import {
  CelFault,
  CelList,
  CelOptional,
  CelTypeValue,
  CelUint,
  type CelValue,
} from '../values/value.ts';
import { constant, type Planned, type Step } from './frame.ts';

/** A constant part of an expression that has no value, such as `int("x")`. */
export class PlanError extends Error {}

/** A call with its arguments planned. */
export interface PlannedCall {
  readonly name: string;
  readonly overloads: readonly Overload[];
  readonly args: readonly Planned[];
  readonly types: readonly (CelType | undefined)[];
}

/** Conversions of constants are computed beforehand. */
const FOLDED: ReadonlySet<string> = new Set([
  ...['bool', 'bytes', 'double', 'duration', 'dyn', 'int', 'string', 'timestamp', 'type', 'uint'],
]);

/** Functions with a pattern as their second argument, which is compiled beforehand if constant. */
const PATTERNED: ReadonlySet<string> = new Set(['matches', 'find', 'findAll']);

/** Functions whose cost depends on what they return. */
const COST_BY_RESULT: ReadonlySet<string> = new Set(['join', 'slice', 'lists.range', 'reverse']);

/** Plans a call that evaluates all its arguments. */
export function planCall(call: PlannedCall): Planned {
  const { name, args } = call;
  checkPattern(call);
  const overload = call.overloads.length === 1 ? call.overloads[0] : undefined;
  const cost = callCost({ name, overload: overload?.id });
  const invoke = implementation(call);
  if (FOLDED.has(name) && args.length === 1 && args[0]?.constant !== undefined) {
    const value = invoke([args[0].constant]);
    if (value instanceof CelFault) throw new PlanError(value.message);
    return constant(value);
  }
  const steps = args.map((arg) => arg.step);
  if (COST_BY_RESULT.has(name)) return { step: costedAfter(steps, invoke, cost) };
  if (isVariadic(call)) return { step: variadic(steps, invoke, cost) };
  if (args.length === 1) return { step: unary(steps[0] as Step, invoke, cost) };
  if (args.length === 2) return { step: binary(steps as [Step, Step], invoke, cost) };
  return { step: variadic(steps, invoke, cost) };
}

function checkPattern({ name, args }: PlannedCall): void {
  if (!PATTERNED.has(name)) return;
  const pattern = args[1]?.constant;
  if (typeof pattern !== 'string') return;
  const compiled = compilePattern(pattern);
  if (compiled instanceof CelFault) throw new PlanError(compiled.message);
}

/**
 * Calls that cel-go dispatches over a list of arguments end at the first fault; others evaluate all
 * arguments, and have their cost even if one is a fault.
 */
function isVariadic({ name, overloads, args }: PlannedCall): boolean {
  if (name === 'format') return true;
  if (PATTERNED.has(name)) return args[1]?.constant !== undefined;
  return overloads.length > 1 && !isSingleton(name);
}

/** Functions with one implementation for all overloads. */
const isSingleton = (name: string): boolean =>
  /^[_!@-]/.test(name) || name === 'size' || name === 'matches' || name === 'sort';

type Invoke = (args: readonly CelValue[]) => CelValue;

const charged = (cost: CallCost | 1, args: readonly CelValue[]): number =>
  cost === 1 ? 1 : cost(args, null);

const unary =
  (arg: Step, invoke: Invoke, cost: CallCost | 1): Step =>
  (frame) => {
    const value = arg(frame);
    const args = [value];
    frame.charge(charged(cost, args));
    return value instanceof CelFault ? value : invoke(args);
  };

const binary =
  ([left, right]: readonly [Step, Step], invoke: Invoke, cost: CallCost | 1): Step =>
  (frame) => {
    const a = left(frame);
    const b = right(frame);
    const args = [a, b];
    frame.charge(charged(cost, args));
    if (a instanceof CelFault) return a;
    return b instanceof CelFault ? b : invoke(args);
  };

const variadic =
  (steps: readonly Step[], invoke: Invoke, cost: CallCost | 1): Step =>
  (frame) => {
    const args: CelValue[] = [];
    for (const step of steps) {
      const value = step(frame);
      args.push(value);
      if (!(value instanceof CelFault)) continue;
      // cel-go finds the cost of a call by its arguments, all of which it must have seen.
      if (args.length === steps.length) frame.charge(charged(cost, args));
      return value;
    }
    frame.charge(charged(cost, args));
    return invoke(args);
  };

const costedAfter =
  (steps: readonly Step[], invoke: Invoke, cost: CallCost | 1): Step =>
  (frame) => {
    const args = steps.map((step) => step(frame));
    const result = args.find((value) => value instanceof CelFault) ?? invoke(args);
    frame.charge(cost === 1 ? 1 : cost(args, result));
    return result;
  };

/** The overload to call: known from the types, or found by the values. */
function implementation({ name, overloads, types }: PlannedCall): Invoke {
  if (name === 'type') return ([value]) => new CelTypeValue(typeNameOf(value as CelValue));
  if (name === '_!=_') {
    return ([a, b]) => celEquals(a as CelValue, b as CelValue) !== true;
  }
  const [first] = overloads;
  if (!first) return () => NO_OVERLOAD;
  if (isSingleton(name) || UNGUARDED.has(name)) return (args) => first.call(...args);
  const isCertain = first.args.every((arg, i) => isConcrete(arg, types[i]));
  if (overloads.length === 1 && isCertain) return (args) => first.call(...args);
  return (args) => {
    for (const overload of overloads) {
      if (overload.args.every((type, i) => isOfType(args[i] as CelValue, type))) {
        return overload.call(...args);
      }
    }
    return new CelFault(`no such overload: ${name}(${args.map(typeNameOf).join(', ')})`);
  };
}

/** Functions that look at the types of their arguments themselves. */
const UNGUARDED: ReadonlySet<string> = new Set(['contains', 'startsWith', 'endsWith', 'dyn']);

/** Whether an argument's static type leaves no doubt that the value fits. */
function isConcrete(declared: CelType, type: CelType | undefined): boolean {
  if (declared.kind === 'dyn' || declared.kind === 'param') return true;
  if (type === undefined || type.kind !== declared.kind || type.name !== declared.name)
    return false;
  return declared.params.every((param, i) => isConcrete(param, type.params[i]));
}

/** `&&` and `||`: a side that decides also decides over a fault on the other side. */
export function planLogical(args: readonly Planned[], deciding: boolean): Planned {
  const [left, right] = args.map((arg) => arg.step) as [Step, Step];
  return {
    step: (frame) => {
      const a = left(frame);
      if (a === deciding) return deciding;
      const b = right(frame);
      if (b === deciding) return deciding;
      if (a !== !deciding) return a instanceof CelFault ? a : NO_OVERLOAD;
      if (b !== !deciding) return b instanceof CelFault ? b : NO_OVERLOAD;
      return !deciding;
    },
  };
}

/** `@not_strictly_false`, by which loops go on unless their result is settled. */
export function planNotStrictlyFalse(arg: Planned): Planned {
  return {
    step: (frame) => {
      const value = arg.step(frame);
      frame.charge(1);
      return value !== false;
    },
  };
}

/** `in`; membership in a constant list of scalars is a look-up that costs nothing. */
export function planMembership(args: readonly Planned[], overloads: readonly Overload[]): Planned {
  const [element, list] = args as [Planned, Planned];
  const isList = overloads.length === 1 && overloads[0]?.id === 'in_list';
  if (isList && list.constant instanceof CelList) {
    if (list.constant.size === 0) return constant(false);
    const known = scalarSet(list.constant);
    if (known) {
      return {
        step: (frame) => {
          const value = element.step(frame);
          if (value instanceof CelFault) return value;
          const key = scalarKey(value);
          return key !== undefined && known.has(key);
        },
      };
    }
  }
  return planCall({ name: '@in', overloads, args, types: [] });
}

type Scalar = string | boolean | bigint | number | null;

function scalarKey(value: CelValue): Scalar | undefined {
  if (value instanceof CelUint) return value.value;
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  return typeof value === 'object' && value !== null ? undefined : value;
}

function scalarSet(list: CelList): ReadonlySet<Scalar> | undefined {
  const known = new Set<Scalar>();
  for (const value of list) {
    const key = scalarKey(value);
    // NaN is not even equal to itself, so it must not be found.
    if (key === undefined || Number.isNaN(key)) return undefined;
    known.add(key);
  }
  return known;
}

/** `or` and `orValue` of optionals, which evaluate their argument only where it is needed. */
export function planOptionalOr(args: readonly Planned[], unwrap: boolean): Planned {
  const [left, right] = args.map((arg) => arg.step) as [Step, Step];
  return {
    step: (frame) => {
      const value = left(frame);
      if (!(value instanceof CelOptional)) return value;
      if (value.value === undefined) return right(frame);
      return unwrap ? value.value : value;
    },
  };
}
