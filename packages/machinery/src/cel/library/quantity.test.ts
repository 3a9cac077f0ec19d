import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../testing/run.ts';

/** Expressions with what cel-go makes of them, and what that costs: when evaluated, and at most. */
const TABLE: readonly (readonly [expr: string, shown: string, cost: number, max: bigint])[] = [
  ["quantity('1Gi').isGreaterThan(quantity('1G'))", 'true', 3, 3n],
  ["quantity('50k').isLessThan(quantity('50000'))", 'false', 3, 3n],
  ["quantity('100m').compareTo(quantity('0.1'))", '0', 3, 3n],
  ["quantity('1.5Gi') == quantity('1536Mi')", 'true', 3, 3n],
  ["quantity('1') == quantity('2')", 'false', 3, 3n],
  ["sign(quantity('-5'))", '-1', 2, 2n],
  ["sign(quantity('0'))", '0', 2, 2n],
  ["quantity('50M').asInteger()", '50000000', 2, 2n],
  [
    "quantity('9999999999999999999999').asInteger()",
    'error: cannot convert value to integer',
    4,
    4n,
  ],
  ["quantity('50.5').asInteger()", 'error: cannot convert value to integer', 2, 2n],
  ["quantity('50k').isInteger()", 'true', 2, 2n],
  ["quantity('100m').isInteger()", 'false', 2, 2n],
  ["quantity('1000m').isInteger()", 'false', 2, 2n],
  ["quantity('50.703k').asApproximateFloat()", 'double(50703)', 2, 2n],
  ["quantity('50k').add(quantity('20k')) == quantity('70k')", 'true', 5, 5n],
  ["quantity('50k').add(20) == quantity('50020')", 'true', 4, 4n],
  ["quantity('50k').sub(20000).compareTo(quantity('30k'))", '0', 4, 4n],
  ["quantity('1').sub(quantity('2')).asInteger()", '-1', 4, 4n],
  ["isQuantity('1.3Gi')", 'true', 1, 1n],
  ["isQuantity('1.3GiX')", 'false', 1, 1n],
  [
    "quantity('abc')",
    "error: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    1,
    1n,
  ],
  [
    "quantity('1Zi')",
    "error: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    1,
    1n,
  ],
  ["type(quantity('1'))", 'type(kubernetes.Quantity)', 2, 2n],
];

test('Quantities are compared and added exactly', () => {
  for (const [expr, shown, cost, max] of TABLE) {
    const outcome = run(expr);

    assert.deepEqual([outcome.shown, outcome.cost, outcome.max], [shown, cost, max], expr);
  }
});
