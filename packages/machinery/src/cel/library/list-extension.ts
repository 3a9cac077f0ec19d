import { dynType, intType, listType, paramType } from '../types.ts';
import { typeNameOf } from '../values/describe.ts';
import { celCompare, celEquals } from '../values/equality.ts';
import { ValueList } from '../values/lists.ts';
import { CelFault, CelList, type CelValue } from '../values/value.ts';
import { spend } from '../values/work.ts';
import { define, type FunctionDecl, global, member } from './function.ts';
import { COMPARABLE } from './lists.ts';

/** The numbers below one, without a list of them in memory. */
class NumberRange extends CelList {
  readonly size: number;

  constructor(size: number) {
    super();
    this.size = size;
  }

  at(index: number): CelValue {
    return BigInt(index);
  }
}

/** A part of a list, or its reverse, without a copy. */
class ListView extends CelList {
  readonly size: number;
  readonly #at: (index: number) => CelValue;

  constructor(size: number, at: (index: number) => CelValue) {
    super();
    this.size = size;
    this.#at = at;
  }

  at(index: number): CelValue {
    return this.#at(index);
  }
}

const range = (count: bigint): CelValue =>
  new NumberRange(Number(count < 0n ? 0n : BigInt.asUintN(53, count)));

function slice(list: CelList, start: bigint, end: bigint): CelValue {
  const problem = (detail: string) => new CelFault(`cannot slice(${start}, ${end}), ${detail}`);
  if (start < 0n || end < 0n) return problem('negative indexes not supported');
  if (start > end) return problem('start index must be less than or equal to end index');
  if (BigInt(list.size) < end) return problem(`list is length ${list.size}`);
  const first = Number(start);
  return new ListView(Number(end) - first, (index) => list.at(first + index));
}

const reverse = (list: CelList): CelValue =>
  new ListView(list.size, (index) => list.at(list.size - 1 - index));

function flatten(list: CelList, depth: bigint): CelValue {
  if (depth < 0n) return new CelFault('level must be non-negative');
  const values: CelValue[] = [];
  const collect = (from: CelList, left: bigint): void => {
    spend(from.size);
    for (const value of from) {
      if (value instanceof CelList && left > 0n) collect(value, left - 1n);
      else values.push(value);
    }
  };
  collect(list, depth);
  return new ValueList(values);
}

function distinct(list: CelList): CelValue {
  const unique: CelValue[] = [];
  for (const value of list) {
    spend(unique.length);
    if (!unique.some((other) => celEquals(value, other) === true)) unique.push(value);
  }
  return new ValueList(unique);
}

function sortBy(list: CelList, keys: CelList): CelValue {
  if (list.size !== keys.size) {
    return new CelFault(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${list.size} and ${keys.size} elements respectively`,
    );
  }
  if (list.size === 0) return list;
  spend(list.size);
  const pairs = [...list].map((value, index) => ({ value, key: keys.at(index) }));
  const type = typeNameOf((pairs[0] as { key: CelValue }).key);
  if (celCompare(keys.at(0), keys.at(0)) === undefined) {
    return new CelFault('list elements must be comparable');
  }
  if (pairs.some(({ key }) => typeNameOf(key) !== type)) {
    return new CelFault('list elements must have the same type');
  }
  pairs.sort((a, b) => celCompare(a.key, b.key) ?? 0);
  return new ValueList(pairs.map(({ value }) => value));
}

const T = paramType('T');
const listT = listType(T);
const listDyn = listType(dynType);

/** cel-go's list extension, which only stored expressions may use in 1.34. */
export const listExtension: readonly FunctionDecl[] = [
  define(
    'slice',
    member('list_slice', { args: [listT, intType, intType], result: listT, call: slice }),
  ),
  define(
    'flatten',
    member('list_flatten', {
      args: [listType(listT)],
      result: listT,
      call: (list: CelList) => flatten(list, 1n),
    }),
    member('list_flatten_int', { args: [listDyn, intType], result: listDyn, call: flatten }),
  ),
  define(
    'sort',
    ...COMPARABLE.map(([, type]) =>
      member(`list_${type.name}_sort`, {
        args: [listType(type)],
        result: listType(type),
        call: (list: CelList) => sortBy(list, list),
      }),
    ),
  ),
  define(
    '@sortByAssociatedKeys',
    ...COMPARABLE.map(([, type]) =>
      member(`list_${type.name}_sortByAssociatedKeys`, {
        args: [listT, listType(type)],
        result: listT,
        call: sortBy,
      }),
    ),
  ),
  define(
    'lists.range',
    global('lists_range', { args: [intType], result: listType(intType), call: range }),
  ),
  define('reverse', member('list_reverse', { args: [listT], result: listT, call: reverse })),
  define('distinct', member('list_distinct', { args: [listT], result: listT, call: distinct })),
];
