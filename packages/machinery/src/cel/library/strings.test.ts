import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../testing/run.ts';

/** Expressions with what cel-go makes of them, and what that costs: when evaluated, and at most. */
const TABLE: readonly (readonly [expr: string, shown: string, cost: number, max: bigint])[] = [
  ["'tacocat'.charAt(3)", '"o"', 1, 1n],
  ["'tacocat'.charAt(7)", '""', 1, 1n],
  ["'tacocat'.charAt(8)", 'error: index out of range: 8', 1, 1n],
  ["'©αT'.charAt(1)", '"α"', 1, 1n],
  ["'a😀b'.charAt(2)", '"b"', 1, 1n],
  ["'a😀b'.size()", '3', 1, 1n],
  ["'tacocat'.indexOf('ac')", '1', 0, 1n],
  ["'tacocat'.indexOf('none')", '-1', 0, 1n],
  ["'a😀b😀'.indexOf('😀', 2)", '3', 1, 1n],
  ["'tacocat'.indexOf('a', -1)", 'error: index out of range: -1', 0, 1n],
  ["'tacocat'.lastIndexOf('ac')", '1', 0, 1n],
  ["'tacocat'.lastIndexOf('a', 4)", '1', 0, 1n],
  ["'ta©o©αT'.lastIndexOf('©')", '4', 1, 1n],
  ["'TacoCÆt'.lowerAscii()", '"tacocÆt"', 1, 1n],
  ["'tacoCÆt'.upperAscii()", '"TACOCÆT"', 1, 1n],
  ["'hello hello'.replace('he', 'we')", '"wello wello"', 3, 3n],
  ["'hello hello'.replace('he', 'we', 1)", '"wello hello"', 3, 3n],
  ["'hello'.replace('', '-')", '"-h-e-l-l-o-"', 1, 1n],
  ["'hello'.replace('', '-', 2)", '"-h-ello"', 1, 1n],
  ["'hello'.replace('l', '', 0)", '"hello"', 1, 1n],
  ["'a,b,c'.split(',')", '["a", "b", "c"]', 1, 1n],
  ["'a,b,c'.split(',', 2)", '["a", "b,c"]', 1, 1n],
  ["'a,b,c'.split(',', 0)", '[]', 1, 1n],
  ["'ab😀'.split('')", '["a", "b", "😀"]', 1, 1n],
  ["'tacocat'.substring(4)", '"cat"', 1, 1n],
  ["'tacocat'.substring(0, 4)", '"taco"', 1, 1n],
  ["'ta©o©αT'.substring(2, 6)", '"©o©α"', 1, 1n],
  ["'tacocat'.substring(40)", 'error: index out of range: 40', 1, 1n],
  ["'tacocat'.substring(4, 2)", 'error: invalid substring range. start: 4, end: 2', 1, 1n],
  [String.raw`' \t\u2000x\u0085\n'.trim()`, '"x"', 1, 1n],
  ["['x','y'].join()", '"xy"', 1, 1844674407370955274n],
  ["['x','y'].join('-')", '"x-y"', 1, 1844674407370955274n],
  [
    "dyn(['x', 1]).join()",
    "ERROR: <input>:1:11: expected type 'string' but found 'int'\n | dyn(['x', 1]).join()\n | ..........^",
    0,
    0n,
  ],
  [
    String.raw`strings.quote('a\n"b"\')`,
    "ERROR: <input>:1:15: Syntax error: token recognition error at: ''a\\n\"b\"\\')'\n | strings.quote('a\\n\"b\"\\')\n | ..............^\nERROR: <input>:1:25: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', ')', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | strings.quote('a\\n\"b\"\\')\n | ........................^",
    0,
    0n,
  ],
  ["'a' + 'b' + 'ü'", '"abü"', 2, 2n],
  ["'b' > 'a'", 'true', 1, 1n],
  [String.raw`'😀' > '\uffff'`, 'true', 1, 1n],
  ["'hello'.contains('ell')", 'true', 1, 1n],
  ["'hello'.startsWith('he') && 'hello'.endsWith('lo')", 'true', 2, 2n],
  ["'hello'.matches('^h.*o$')", 'true', 2, 2n],
  ["'hello'.matches('x')", 'false', 1, 1n],
];

test('Strings are handled by code points', () => {
  for (const [expr, shown, cost, max] of TABLE) {
    const outcome = run(expr);

    assert.deepEqual([outcome.shown, outcome.cost, outcome.max], [shown, cost, max], expr);
  }
});
