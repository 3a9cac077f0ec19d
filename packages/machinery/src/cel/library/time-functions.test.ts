import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../testing/run.ts';

/** Expressions with what cel-go makes of them, and what that costs: when evaluated, and at most. */
const TABLE: readonly (readonly [expr: string, shown: string, cost: number, max: bigint])[] = [
  ["timestamp('2009-02-13T23:31:30Z').getFullYear()", '2009', 1, 2n],
  ["timestamp('2009-02-13T23:31:30Z').getMonth()", '1', 1, 2n],
  ["timestamp('2009-02-13T23:31:30Z').getDate()", '13', 1, 2n],
  ["timestamp('2009-02-13T23:31:30Z').getDayOfMonth()", '12', 1, 2n],
  ["timestamp('2009-02-13T23:31:30Z').getDayOfWeek()", '5', 1, 2n],
  ["timestamp('2009-02-13T23:31:30Z').getDayOfYear()", '43', 1, 2n],
  ["timestamp('2009-02-13T23:31:20.123456789Z').getMilliseconds()", '123', 1, 2n],
  ["timestamp('2009-02-13T23:31:30Z').getHours('Asia/Kathmandu')", '5', 1, 2n],
  ["timestamp('2009-02-13T23:31:30Z').getMinutes('+05:45')", '16', 1, 2n],
  ["timestamp('2009-02-13T23:31:30Z').getHours('-02:30')", '21', 1, 2n],
  [
    "timestamp('2009-02-13T23:31:30Z').getHours('Nowhere/Land')",
    'error: unknown time zone Nowhere/Land',
    1,
    2n,
  ],
  [
    "timestamp('2009-02-13T23:31:30Z').getHours('a:b')",
    'error: strconv.Atoi: parsing "a": invalid syntax',
    1,
    2n,
  ],
  ["timestamp('2009-02-13T02:00:00Z').getDate('America/Los_Angeles')", '12', 1, 2n],
  ["duration('3730s').getHours()", '1', 1, 2n],
  ["duration('3730s').getMinutes()", '62', 1, 2n],
  ["duration('3730s').getSeconds()", '3730', 1, 2n],
  ["duration('1.5s').getMilliseconds()", '1500', 1, 2n],
  [
    "timestamp('2009-02-13T23:00:00Z') - timestamp('2009-02-13T22:00:00Z')",
    'duration(3600000000000ns)',
    1,
    3n,
  ],
  ["timestamp('2009-02-13T23:00:00Z') - duration('1h')", 'timestamp(2009-02-13T22:00:00Z)', 1, 3n],
  ["timestamp('2009-02-13T23:00:00Z') < timestamp('2009-02-14T23:00:00+01:00')", 'true', 1, 3n],
  ["timestamp('0001-01-01T00:00:00Z') - duration('1s')", 'error: timestamp overflow', 1, 3n],
  [
    "timestamp('9999-12-31T23:59:59Z') - timestamp('0001-01-01T00:00:00Z')",
    'error: integer overflow',
    1,
    3n,
  ],
];

test('Parts of times are read in any zone', () => {
  for (const [expr, shown, cost, max] of TABLE) {
    const outcome = run(expr);

    assert.deepEqual([outcome.shown, outcome.cost, outcome.max], [shown, cost, max], expr);
  }
});
