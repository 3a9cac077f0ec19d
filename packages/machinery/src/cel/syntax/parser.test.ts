import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileCel } from '../compile.ts';
import { dynDecl } from '../decl-type.ts';

const messageOf = (expr: string): string => {
  const program = compileCel(expr, { variables: [{ name: 'self', type: dynDecl }] });
  return program.ok ? '' : program.message;
};

const OPERANDS =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

test('a problem is shown with its line and a caret below its place', () => {
  assert.equal(
    messageOf('self.a &&\n  x'),
    ["ERROR: <input>:2:3: undeclared reference to 'x' (in container '')", ' |   x', ' | ..^'].join(
      '\n',
    ),
  );
  assert.equal(
    messageOf("'é' + é"),
    [
      "ERROR: <input>:1:7: Syntax error: token recognition error at: 'é'",
      " | 'é' + é",
      ' | .．....＾',
      `ERROR: <input>:1:8: Syntax error: mismatched input '<EOF>' expecting ${OPERANDS}`,
      " | 'é' + é",
      ' | .．....．^',
    ].join('\n'),
  );
});

test('syntax errors have the words of cel-go', () => {
  const table: readonly (readonly [string, string])[] = [
    ['', `1:0: Syntax error: mismatched input '<EOF>' expecting ${OPERANDS}`],
    ['1 +', `1:4: Syntax error: mismatched input '<EOF>' expecting ${OPERANDS}`],
    ['1 +* 2', `1:4: Syntax error: extraneous input '*' expecting ${OPERANDS}`],
    ['1 2', "1:3: Syntax error: extraneous input '2' expecting <EOF>"],
    ['(1', "1:3: Syntax error: missing ')' at '<EOF>'"],
    ['[1', "1:3: Syntax error: mismatched input '<EOF>' expecting {']', ','}"],
    ['[1,,2]', "1:4: Syntax error: mismatched input ',' expecting ']'"],
    ['{1', "1:3: Syntax error: mismatched input '<EOF>' expecting ':'"],
    ['self.', "1:6: Syntax error: no viable alternative at input '.'"],
    ['self.true', "1:6: Syntax error: mismatched input 'true' expecting IDENTIFIER"],
    ['self.f(1 2)', "1:10: Syntax error: extraneous input '2' expecting ')'"],
    ['1 = 2', "1:3: Syntax error: token recognition error at: '= '"],
    ['"abc', `1:1: Syntax error: token recognition error at: '"abc'`],
    ['self.`a`', "1:6: unsupported syntax: '`'"],
    ['if', '1:1: reserved identifier: if'],
    ['99999999999999999999', '1:1: invalid int literal'],
    ['18446744073709551616u', '1:1: invalid uint literal'],
    ['"\\ud800"', '1:1: invalid unicode code point'],
    ['has(self)', '1:5: invalid argument to has() macro'],
    ['self.all(1, true)', '1:10: argument must be a simple name'],
    ['self.map(x.y, 1)', '1:11: argument is not an identifier'],
    ['self.all(i, i, true)', '1:13: duplicate variable name: i'],
    ['self.all(__result__, true)', '1:10: iteration variable overwrites accumulator variable'],
    ['self.optMap(1, 2)', '1:13: optMap() variable name must be a simple identifier'],
  ];
  for (const [expr, message] of table) {
    assert.equal(messageOf(expr).split('\n')[0], `ERROR: <input>:${message}`, expr);
  }
});

test('types that do not fit have the words of cel-go', () => {
  const table: readonly (readonly [string, string])[] = [
    ["1 + 'a'", "1:3: found no matching overload for '_+_' applied to '(int, string)'"],
    ['1 == 1.0', "1:3: found no matching overload for '_==_' applied to '(int, double)'"],
    ["'a'.size(1)", "1:9: found no matching overload for 'size' applied to 'string.(int)'"],
    ['1 && true', "1:1: expected type 'bool' but found 'int'"],
    ["[1, 'a']", "1:5: expected type 'int' but found 'string'"],
    ["{'a': 1, 2: 2}", "1:10: expected type 'string' but found 'int'"],
    ['(1).foo', "1:4: type 'int' does not support field selection"],
    [
      '(1).all(x, true)',
      "1:2: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)",
    ],
    ['nope(1)', "1:5: undeclared reference to 'nope' (in container '')"],
    ["duration('1x')", '1:10: invalid duration argument'],
    ["timestamp('x')", '1:11: invalid timestamp argument'],
    ["'a'.matches('(')", '1:13: invalid matches argument'],
    [
      "'%d'.format(['a'])",
      '1:14: error during formatting: decimal clause can only be used on integers, was given string',
    ],
    [
      "'%s'.format(['a', 'b'])",
      '1:12: too many arguments supplied to string.format (expected 1, got 2)',
    ],
  ];
  for (const [expr, message] of table) {
    assert.equal(messageOf(expr).split('\n')[0], `ERROR: <input>:${message}`, expr);
  }
});
