import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../testing/run.ts';

/** Expressions with what cel-go makes of them, and what that costs: when evaluated, and at most. */
const TABLE: readonly (readonly [expr: string, shown: string, cost: number, max: bigint])[] = [
  ['[1, 2, 3].sum()', '6', 3, 13n],
  ['[1.5, 2.5].sum()', 'double(4)', 2, 12n],
  ['[1u, 2u].sum()', '3u', 2, 12n],
  ["[duration('1h'), duration('1m')].sum()", 'duration(3660000000000ns)', 2, 14n],
  ['[].sum()', '0', 0, 10n],
  ['[9223372036854775807, 1].sum()', 'error: integer overflow', 2, 12n],
  ['[1, 3, 2].max()', '3', 3, 13n],
  ["['b', 'a'].min()", '"a"', 0, 3689348814741910540n],
  ['[].max()', 'error: max called on empty list', 0, 10n],
  ['[1, 2, 2].isSorted()', 'true', 3, 13n],
  ["['b', 'a'].isSorted()", 'false', 0, 3689348814741910540n],
  ['[].isSorted()', 'true', 0, 10n],
  ['[true, false].isSorted()', 'false', 2, 12n],
  ['[1, 2, 2].indexOf(2)', '1', 3, 13n],
  ['[1, 2, 2].lastIndexOf(2)', '2', 3, 13n],
  ["['a'].indexOf('z')", '-1', 0, 1844674407370955275n],
  ['[[1], [2]].indexOf([2])', '1', 2, 42n],
  ['[1, 2, 3, 4].slice(1, 3)', '[2, 3]', 13, 23n],
  [
    '[1, 2].slice(2, 1)',
    'error: cannot slice(2, 1), start index must be less than or equal to end index',
    12,
    18446744073709551615n,
  ],
  ['[1, 2].slice(-1, 1)', 'error: cannot slice(-1, 1), negative indexes not supported', 12, 22n],
  ['[1, 2].slice(0, 9)', 'error: cannot slice(0, 9), list is length 2', 12, 30n],
  ['[[1], [2, 3]].flatten()', '[1, 2, 3]', 13, 43n],
  ['[dyn([1]), dyn([[2]])].flatten(2)', '[1, 2]', 15, 57n],
  ['[[1]].flatten(-1)', 'error: level must be non-negative', 10, 31n],
  ['[3, 1, 2].sort()', '[1, 2, 3]', 29, 39n],
  ["['b', 'a'].sort()", '["a", "b"]', 19, 30n],
  ["[{'k': 2}, {'k': 1}].sortBy(x, x.k)", '[{"k": 1}, {"k": 2}]', 50, 140n],
  [
    "'a'.sortBy(x, x)",
    "ERROR: <input>:1:1: sortBy can only be applied to a list, identifier, comprehension, call or select expression\n | 'a'.sortBy(x, x)\n | ^",
    0,
    0n,
  ],
  ['lists.range(3)', '[0, 1, 2]', 14, 14n],
  ['lists.range(-3)', '[]', 11, 11n],
  ['[1, 2, 3].reverse()', '[3, 2, 1]', 14, 24n],
  ['[1, 2, 1, 3].distinct()', '[1, 2, 3]', 43, 53n],
  ['[1, 2].first().value()', '1', 2, 12n],
  ['[].last()', 'none', 1, 11n],
  ['sets.contains([1, 2, 3], [1, 2])', 'true', 7, 27n],
  ['sets.contains([1], [1, 2])', 'false', 3, 23n],
  ['sets.equivalent([1, 2, 2], [2, 1])', 'true', 13, 33n],
  ['sets.intersects([1, 2], [2, 3])', 'true', 5, 25n],
  ['sets.intersects([1], [])', 'false', 1, 21n],
];

test('Lists are summed, searched and ordered', () => {
  for (const [expr, shown, cost, max] of TABLE) {
    const outcome = run(expr);

    assert.deepEqual([outcome.shown, outcome.cost, outcome.max], [shown, cost, max], expr);
  }
});
