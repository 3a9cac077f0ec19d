import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../testing/run.ts';

/** Expressions with what cel-go makes of them, and what that costs: when evaluated, and at most. */
const TABLE: readonly (readonly [expr: string, shown: string, cost: number, max: bigint])[] = [
  ["'%s and %d%%'.format(['a', 5])", '"a and 5%"', 2, 12n],
  ["'%d'.format([5u])", '"5"', 1, 11n],
  ["'%s'.format([1.5])", '"1.5"', 1, 11n],
  ["'%s'.format([true])", '"true"', 1, 11n],
  ["'%s'.format([null])", '"null"', 1, 11n],
  ["'%s'.format([b'x'])", '"x"', 1, 11n],
  ["'%s'.format([int])", '"int"', 1, 12n],
  ["'%s'.format([duration('1h1ms')])", '"3600.001s"', 1, 12n],
  ["'%s'.format([timestamp('2020-01-01T00:00:00.5Z')])", '"2020-01-01T00:00:00.5Z"', 1, 12n],
  ["'%s'.format([[1, 2.5, 'a', [true]]])", String.raw`"[1, 2.500000, \"a\", [true]]"`, 1, 31n],
  [
    "'%s'.format([{'b': 1, 'a': b'x', 'c': null}])",
    String.raw`"{\"a\":b\"x\", \"b\":1, \"c\":null}"`,
    1,
    41n,
  ],
  ["'%s'.format([[double('NaN'), double('Infinity')]])", String.raw`"[\"NaN\", \"+Inf\"]"`, 1, 23n],
  ["'%f'.format([1234567.5])", '"1,234,567.500000"', 1, 11n],
  ["'%.2f'.format([-1234.567])", '"-1,234.57"', 1, 11n],
  ["'%.0f'.format([2.5])", '"2"', 1, 11n],
  ["'%f'.format([double('-Infinity')])", '"-∞"', 1, 12n],
  ["'%e'.format([1052.032911275])", '"1.052033×10⁰³"', 1, 11n],
  ["'%e'.format([0.00012])", '"1.200000×10⁻⁰⁴"', 1, 11n],
  ["'%e'.format([double('NaN')])", '"   NaN"', 1, 12n],
  ["'%b'.format([5])", '"101"', 1, 11n],
  ["'%b'.format([true])", '"1"', 1, 11n],
  ["'%o'.format([8])", '"10"', 1, 11n],
  ["'%x'.format([255])", '"ff"', 1, 11n],
  ["'%X'.format(['hello'])", '"68656C6C6F"', 1, 11n],
  [String.raw`'%x'.format([b'\xff\x01'])`, '"ff01"', 1, 11n],
  ["'%x'.format([-255])", '"-ff"', 1, 11n],
  [
    "'%s'.format([])",
    "ERROR: <input>:1:12: index 0 out of range\n | '%s'.format([])\n | ...........^",
    0,
    0n,
  ],
  [
    "'%'.format([1])",
    "ERROR: <input>:1:11: unexpected end of string\n | '%'.format([1])\n | ..........^",
    0,
    0n,
  ],
  [
    "'%z'.format([1])",
    'ERROR: <input>:1:12: could not parse formatting clause: unrecognized formatting clause "z"\n | \'%z\'.format([1])\n | ...........^',
    0,
    0n,
  ],
  [
    "'%d'.format(['a'])",
    "ERROR: <input>:1:14: error during formatting: decimal clause can only be used on integers, was given string\n | '%d'.format(['a'])\n | .............^",
    0,
    0n,
  ],
  [
    "'%f'.format([1])",
    "ERROR: <input>:1:14: error during formatting: fixed-point clause can only be used on doubles, was given int\n | '%f'.format([1])\n | .............^",
    0,
    0n,
  ],
  [
    "'%s'.format([optional.none()])",
    "ERROR: <input>:1:27: error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given optional_type\n | '%s'.format([optional.none()])\n | ..........................^",
    0,
    0n,
  ],
  [
    "'%.f'.format([1.0])",
    'ERROR: <input>:1:13: could not parse formatting clause: error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax\n | \'%.f\'.format([1.0])\n | ............^',
    0,
    0n,
  ],
];

test('Values are formatted as cel-go formats them', () => {
  for (const [expr, shown, cost, max] of TABLE) {
    const outcome = run(expr);

    assert.deepEqual([outcome.shown, outcome.cost, outcome.max], [shown, cost, max], expr);
  }
});
