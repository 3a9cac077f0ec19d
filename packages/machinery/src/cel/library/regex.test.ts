import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../testing/run.ts';

/** Expressions with what cel-go makes of them, and what that costs: when evaluated, and at most. */
const TABLE: readonly (readonly [expr: string, shown: string, cost: number, max: bigint])[] = [
  ["'abc 123'.find('[0-9]+')", '"123"', 2, 2n],
  ["'abc'.find('[0-9]+')", '""', 2, 2n],
  ["'1 2 3'.findAll('[0-9]')", '["1", "2", "3"]', 2, 2n],
  ["'1 2 3'.findAll('[0-9]', 2)", '["1", "2"]', 2, 2n],
  ["'abc'.findAll('x')", '[]', 1, 1n],
  ["'abc'.findAll('')", '["", "", "", ""]', 0, 0n],
  ["'aaa'.matches('(a+)+$')", 'true', 2, 2n],
  ["'ab'.matches('(?P<x>a)b')", 'true', 3, 3n],
  ["'é'.matches('^.$')", 'true', 1, 1n],
  [
    "'a'.matches('(')",
    "ERROR: <input>:1:13: invalid matches argument\n | 'a'.matches('(')\n | ............^",
    0,
    0n,
  ],
  ["'a'.find('(')", 'error parsing regexp: missing closing ): `(`', 0, 0n],
  [
    "'a'.matches('(?=a)')",
    "ERROR: <input>:1:13: invalid matches argument\n | 'a'.matches('(?=a)')\n | ............^",
    0,
    0n,
  ],
  ["'a'.matches(dyn('[') + dyn(''))", 'error: error parsing regexp: missing closing ]: `[`', 2, 4n],
  ["'ab'.matches('^(?i)AB$')", 'true', 2, 2n],
  [String.raw`'a\nb'.matches('(?s)a.b')`, 'true', 2, 2n],
];

test('Patterns have the syntax of RE2', () => {
  for (const [expr, shown, cost, max] of TABLE) {
    const outcome = run(expr);

    assert.deepEqual([outcome.shown, outcome.cost, outcome.max], [shown, cost, max], expr);
  }
});
