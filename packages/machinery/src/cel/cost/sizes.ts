import { byteLength } from '../../go/byte-length.ts';
import { codePointLength } from '../values/text.ts';
import { CelList, CelMap, CelOpaque, CelOptional, type CelValue } from '../values/value.ts';
import { spend } from '../values/work.ts';

/** What walking over one character costs. */
export const TRAVERSAL = 0.1;
/** What one character of a pattern costs, for each unit that its text costs. */
export const PATTERN = 0.25;
export const LIST_CREATE = 10;
export const MAP_CREATE = 30;
export const STRUCT_CREATE = 40;

/** What a call costs, once its arguments and result are known. */
export type CallCost = (args: readonly CelValue[], result: CelValue) => number;

/** The size of a value as costs count it; what has no size counts as one. */
export function costSize(value: CelValue | undefined): number {
  if (typeof value === 'string') return codePointLength(value);
  if (typeof value !== 'object' || value === null) return 1;
  if (value instanceof CelList || value instanceof CelMap) return value.size;
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof CelOptional) return value.value === undefined ? 1 : costSize(value.value);
  return value instanceof CelOpaque ? (value.size ?? 1) : 1;
}

/** The cost of walking over a value's whole tree, rounded down for each text in it. */
export function traversalCost(value: CelValue | undefined): number {
  if (typeof value === 'string') return Math.floor(byteLength(value) * TRAVERSAL);
  if (value instanceof Uint8Array) return Math.floor(value.length * TRAVERSAL);
  if (value instanceof CelList) {
    let cost = 0;
    spend(value.size);
    for (let i = 0; i < value.size; i++) cost += traversalCost(value.at(i));
    return cost;
  }
  if (!(value instanceof CelMap)) return 1;
  let cost = 0;
  for (const key of value.keys()) cost += traversalCost(key) + traversalCost(value.get(key));
  return cost;
}

/** The cost of walking over a text or a collection. */
export const walked = (value: CelValue | undefined, factor = TRAVERSAL): number =>
  Math.ceil(costSize(value) * factor);

/** What comparing costs: the smaller size; a text is not counted where the other is certainly the smaller one. */
export const smaller: CallCost = ([a, b]) => {
  let size = 1;
  if (typeof a === 'string' && typeof b === 'string') {
    if (a.length * 2 <= b.length) size = costSize(a);
    else if (b.length * 2 <= a.length) size = costSize(b);
    else size = Math.min(costSize(a), costSize(b));
  } else if (typeof a === 'object' || typeof b === 'object') {
    size = Math.min(costSize(a), costSize(b));
  } else if (a === '' || b === '') {
    size = 0;
  }
  return Math.ceil(size * TRAVERSAL);
};

/** The cost of joining two texts. */
export const both: CallCost = ([a, b]) => Math.ceil((costSize(a) + costSize(b)) * TRAVERSAL);

/** The cost of walking over the first argument. */
export const first: CallCost = ([a]) => walked(a);

/** The cost of matching a pattern; an empty text does not make it free. */
export const patternCost: CallCost = ([text, pattern]) =>
  Math.ceil((1 + costSize(text)) * TRAVERSAL) * Math.ceil(costSize(pattern) * PATTERN);

/** A call by the function's name and, where the types left only one, its overload. */
export interface CalledFunction {
  readonly name: string;
  readonly overload: string | undefined;
}
