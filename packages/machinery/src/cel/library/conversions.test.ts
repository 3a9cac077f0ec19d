import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../testing/run.ts';

/** Expressions with what cel-go makes of them, and what that costs: when evaluated, and at most. */
const TABLE: readonly (readonly [expr: string, shown: string, cost: number, max: bigint])[] = [
  ["int('42')", '42', 0, 1n],
  ["int('-9223372036854775808')", '-9223372036854775808', 0, 1n],
  ["int('9223372036854775808')", "type conversion error from 'string' to 'int'", 0, 0n],
  ["int(' 1')", "type conversion error from 'string' to 'int'", 0, 0n],
  ['int(1.9)', '1', 0, 1n],
  ['int(-1.9)', '-1', 0, 1n],
  ['int(9223372036854775807.0)', 'integer overflow', 0, 0n],
  ['int(18446744073709551615u)', 'integer overflow', 0, 0n],
  ["int(timestamp('1970-01-01T00:01:00Z'))", '60', 0, 2n],
  ["int(duration('1s'))", '1000000000', 0, 2n],
  ["uint('42')", '42u', 0, 1n],
  ['uint(-1)', 'unsigned integer overflow', 0, 0n],
  ['uint(1.5)', '1u', 0, 1n],
  ['uint(18446744073709551616.0)', 'unsigned integer overflow', 0, 0n],
  ["double('1.5e3')", 'double(1500)', 0, 1n],
  ["double('nan')", 'double(NaN)', 0, 1n],
  ["double('0x1p-2')", 'double(0.25)', 0, 1n],
  ["double('x')", "type conversion error from 'string' to 'double'", 0, 0n],
  ['double(9007199254740993)', 'double(9.007199254740992e+15)', 0, 1n],
  ['string(1e6)', '"1e+06"', 0, 1n],
  ['string(123456.0)', '"123456"', 0, 1n],
  ['string(0.0001)', '"0.0001"', 0, 1n],
  ['string(1e-5)', '"1e-05"', 0, 1n],
  [String.raw`string(b'caf\xc3\xa9')`, '"café"', 0, 1n],
  ['string(true)', '"true"', 0, 1n],
  ["bool('True')", 'true', 0, 1n],
  ["bool('yes')", "type conversion error from 'string' to 'bool'", 0, 0n],
  ["bytes('é')", 'bytes(195 169)', 0, 1n],
  ["timestamp('2009-02-13T23:31:30.5+01:00')", 'timestamp(2009-02-13T22:31:30.5Z)', 0, 1n],
  [
    "timestamp('0000-01-01T00:00:00Z')",
    "ERROR: <input>:1:11: invalid timestamp argument\n | timestamp('0000-01-01T00:00:00Z')\n | ..........^",
    0,
    0n,
  ],
  [
    'timestamp(253402300800)',
    'ERROR: <input>:1:11: invalid timestamp argument\n | timestamp(253402300800)\n | ..........^',
    0,
    0n,
  ],
  ["timestamp('9999-12-31T23:59:59Z') + duration('1s')", 'error: timestamp overflow', 1, 3n],
  [
    "timestamp('2021-02-29T00:00:00Z')",
    "ERROR: <input>:1:11: invalid timestamp argument\n | timestamp('2021-02-29T00:00:00Z')\n | ..........^",
    0,
    0n,
  ],
  ["duration('1h30m5.5s')", 'duration(5405500000000ns)', 0, 1n],
  ["duration('-1.5h')", 'duration(-5400000000000ns)', 0, 1n],
  [
    "duration('1d')",
    "ERROR: <input>:1:10: invalid duration argument\n | duration('1d')\n | .........^",
    0,
    0n,
  ],
  [
    "duration('10000000h')",
    "ERROR: <input>:1:10: invalid duration argument\n | duration('10000000h')\n | .........^",
    0,
    0n,
  ],
  ['type(1u)', 'type(uint)', 0, 1n],
  ['type(type(1))', 'type(type)', 0, 2n],
  ['type([]) == list', 'true', 1, 1844674407370955276n],
  ['dyn(1) == 1.0', 'true', 1, 2n],
  ['dyn(1u) == 1', 'true', 1, 2n],
];

test('Conversions keep to the range of their type', () => {
  for (const [expr, shown, cost, max] of TABLE) {
    const outcome = run(expr);

    assert.deepEqual([outcome.shown, outcome.cost, outcome.max], [shown, cost, max], expr);
  }
});
