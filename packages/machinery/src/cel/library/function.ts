import type { CelType } from '../types.ts';
import {
  CelDuration,
  CelFault,
  CelList,
  CelMap,
  CelOpaque,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
} from '../values/value.ts';

/** One signature of a function, and what it does. */
export interface Overload {
  readonly id: string;
  /** Whether it is called on its first argument, as in `text.trim()`. */
  readonly member: boolean;
  readonly args: readonly CelType[];
  readonly result: CelType;
  readonly call: Implementation;
}

/** Computes a result from arguments of the declared types, none of which is a fault. */
export type Implementation = (...args: readonly CelValue[]) => CelValue;

/** A function by its name. */
export interface FunctionDecl {
  readonly name: string;
  readonly overloads: readonly Overload[];
}

/** What is new in an overload, apart from where it belongs. */
export interface Signature {
  readonly args: readonly CelType[];
  readonly result: CelType;
  /** Takes arguments of exactly the declared types; `never` lets each say which. */
  readonly call: (...args: never[]) => CelValue;
}

/** Declares an overload that is called as `name(args)`. */
export const global = (id: string, signature: Signature): Overload =>
  overload(id, signature, false);

/** Declares an overload that is called as `first.name(others)`. */
export const member = (id: string, signature: Signature): Overload => overload(id, signature, true);

const overload = (id: string, { args, result, call }: Signature, isMember: boolean): Overload => ({
  id,
  member: isMember,
  args,
  result,
  // The evaluator has checked the types of the arguments by the declaration beside it.
  call: call as Implementation,
});

/** Declares a function. */
export const define = (name: string, ...overloads: readonly Overload[]): FunctionDecl => ({
  name,
  overloads,
});

/** Whether a value can be of a declared type; of lists only the first element is looked at. */
export function isOfType(value: CelValue, type: CelType): boolean {
  switch (type.kind) {
    case 'string':
      return typeof value === 'string';
    case 'int':
      return typeof value === 'bigint';
    case 'double':
      return typeof value === 'number';
    case 'bool':
      return typeof value === 'boolean';
    case 'null':
      return value === null;
    case 'uint':
      return value instanceof CelUint;
    case 'bytes':
      return value instanceof Uint8Array;
    case 'timestamp':
      return value instanceof CelTimestamp;
    case 'duration':
      return value instanceof CelDuration;
    case 'list':
      return value instanceof CelList && hasElementOf(value, type.params[0]);
    case 'map':
      return value instanceof CelMap;
    case 'type':
      return value instanceof CelTypeValue;
    case 'opaque':
    case 'object':
      if (value instanceof CelOptional) return type.name === 'optional_type';
      if (value instanceof CelOpaque) return value.typeName === type.name;
      return type.kind === 'object' && value instanceof CelMap;
    default:
      return !(value instanceof CelFault);
  }
}

function hasElementOf(list: CelList, type: CelType | undefined): boolean {
  return type === undefined || list.size === 0 || isOfType(list.at(0), type);
}
