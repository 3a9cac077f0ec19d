import { describe, typeNameOf } from '../values/describe.ts';
import { ValueList } from '../values/lists.ts';
import { ValueMap } from '../values/maps.ts';
import { CelFault, CelList, CelMap, type CelValue } from '../values/value.ts';
import type { Frame, Step } from './frame.ts';

/** A loop with its parts planned and its variables placed. */
export interface FoldPlan {
  readonly range: Step;
  readonly condition: Step;
  readonly step: Step;
  readonly result: Step;
  readonly iterSlot: number;
  readonly iterSlot2: number | undefined;
  readonly accuSlot: number;
}

/**
 * Runs a loop.
 *
 * A fault does not end it: it becomes the accumulator, and the step decides what to make of it. The
 * accumulator is initialised when it is first read.
 */
export function foldStep(plan: FoldPlan): Step {
  const { range, condition, step, result, iterSlot, iterSlot2, accuSlot } = plan;
  return (frame) => {
    const over = range(frame);
    if (over instanceof CelFault) return over;
    const { slots } = frame;
    const outer = slots[accuSlot];
    slots[accuSlot] = undefined;
    const each = (first: CelValue, second: CelValue | undefined): boolean => {
      slots[iterSlot] = first;
      if (iterSlot2 !== undefined) slots[iterSlot2] = second;
      if (condition(frame) === false) return false;
      slots[accuSlot] = step(frame);
      return true;
    };
    const problem = iterSlot2 === undefined ? overOne(over, each) : overTwo(over, each);
    const value = problem ?? result(frame);
    slots[accuSlot] = outer;
    return value;
  };
}

type Visit = (first: CelValue, second: CelValue | undefined) => boolean;

function overOne(range: CelValue, visit: Visit): CelFault | undefined {
  if (range instanceof CelList) {
    for (let i = 0; i < range.size; i++) if (!visit(range.at(i), undefined)) break;
    return undefined;
  }
  if (!(range instanceof CelMap)) {
    return new CelFault(`got '${goType(range)}', expected iterable type`);
  }
  for (const key of range.keys()) if (!visit(key, undefined)) break;
  return undefined;
}

function overTwo(range: CelValue, visit: Visit): CelFault | undefined {
  if (range instanceof CelList) {
    for (let i = 0; i < range.size; i++) if (!visit(BigInt(i), range.at(i))) break;
    return undefined;
  }
  if (!(range instanceof CelMap)) {
    return new CelFault(`unsupported comprehension range type: ${goType(range)}`);
  }
  for (const key of range.keys()) if (!visit(key, range.get(key))) break;
  return undefined;
}

/** The name that cel-go's own type for a value has, since its messages show it. */
function goType(value: CelValue): string {
  const name = typeNameOf(value);
  const short = name.replace('google.protobuf.', '').replace('null_type', 'null');
  return `types.${short.charAt(0).toUpperCase()}${short.slice(1)}`;
}

/** Appends to the list that a loop gathers, which nobody else can see yet. */
export function appendStep(accumulated: Step, added: Step): Step {
  return (frame) => {
    const list = accumulated(frame);
    const more = added(frame);
    frame.charge(1);
    if (list instanceof CelFault) return list;
    if (more instanceof CelFault) return more;
    if (!(list instanceof ValueList) || !(more instanceof CelList)) {
      return new CelFault('no such overload');
    }
    for (let i = 0; i < more.size; i++) list.values.push(more.at(i));
    return list;
  };
}

/** Inserts into the map that a loop gathers; a key that is there already is a fault. */
export function insertStep(accumulated: Step, added: readonly Step[]): Step {
  return (frame: Frame) => {
    const map = accumulated(frame);
    const values = added.map((each) => each(frame));
    frame.charge(1);
    const fault = [map, ...values].find((value) => value instanceof CelFault);
    if (fault) return fault;
    if (!(map instanceof ValueMap)) return new CelFault('no such overload');
    const [first, second] = values as [CelValue, CelValue | undefined];
    if (second !== undefined) return insert(map, first, second);
    if (!(first instanceof CelMap)) return new CelFault('no such overload');
    for (const key of first.keys()) {
      const done = insert(map, key, first.get(key) as CelValue);
      if (done instanceof CelFault) return done;
    }
    return map;
  };
}

function insert(map: ValueMap, key: CelValue, value: CelValue): CelValue {
  if (map.get(key) !== undefined) {
    return new CelFault(`insert failed: key ${describe(key)} already exists`);
  }
  return map.set(key, value) ? map : new CelFault(`unsupported key type: ${typeNameOf(key)}`);
}
