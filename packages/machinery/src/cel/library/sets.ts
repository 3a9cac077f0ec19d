import { boolType, listType, paramType } from '../types.ts';
import type { CelList, CelValue } from '../values/value.ts';
import { define, type FunctionDecl, global } from './function.ts';
import { contains } from './operators.ts';

function containsAll(list: CelList, part: CelList): CelValue {
  for (const value of part) {
    const found = contains(value, list);
    if (found !== true) return found;
  }
  return true;
}

function intersects(a: CelList, b: CelList): CelValue {
  for (const value of a) if (contains(value, b) === true) return true;
  return false;
}

function equivalent(a: CelList, b: CelList): CelValue {
  const first = containsAll(a, b);
  return first === true ? containsAll(b, a) : first;
}

const T = listType(paramType('T'));

const onSets = (name: string, call: (a: CelList, b: CelList) => CelValue): FunctionDecl =>
  define(
    `sets.${name}`,
    global(`list_sets_${name}_list`, { args: [T, T], result: boolType, call }),
  );

/** cel-go's set extension: lists as sets. */
export const setFunctions: readonly FunctionDecl[] = [
  onSets('contains', containsAll),
  onSets('equivalent', equivalent),
  onSets('intersects', intersects),
];
