import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatCharacter } from './format-character.ts';
import { goUnquote } from './unquote.ts';
import { GoNumber, goSprint, goSyntax, goTypeName } from './values.ts';

describe('a quoted text', () => {
  for (const [inner, wanted] of [
    ['plain', 'plain'],
    ['a\\nb\\t\\\\', 'a\nb\t\\'],
    ['\\"', '"'],
    ["it's", "it's"],
    ["\\'", undefined],
    ['"', undefined],
    ['\\x41\\101\\u00e9\\U0001F600', 'AAé\u{1f600}'],
    ['\\xc3\\xa9', 'é'],
    ['\\xff', '\ufffd'],
    ['\\777', undefined],
    ['\\ud800', undefined],
    ['\\q', undefined],
    ['a\\', undefined],
  ] as const) {
    test(`${inner} is ${JSON.stringify(wanted) ?? 'refused'}`, () => {
      assert.equal(goUnquote(inner, '"'), wanted);
    });
  }
});

test('values are printed as Go prints them', () => {
  const value = { b: [1, 1.5, 2_000_000.5, 'x', null, true], a: {} };

  assert.equal(goSprint(value), 'map[a:map[] b:[1 1.5 2.0000005e+06 x <nil> true]]');
  assert.equal(
    goSyntax(value),
    'map[string]interface {}{"a":map[string]interface {}{}, "b":[]interface {}{1, 1.5, 2.0000005e+06, "x", interface {}(nil), true}}',
  );
  assert.equal(goSprint(new GoNumber('float64', 1e6)), '1e+06');
  assert.deepEqual(
    [1, 1.5, 2n ** 60n, 'x', true, null, [], {}, new GoNumber('int', 1)].map(goTypeName),
    [
      'int64',
      'float64',
      'int64',
      'string',
      'bool',
      '<nil>',
      '[]interface {}',
      'map[string]interface {}',
      'int',
    ],
  );
});

test('characters are named as Go names them', () => {
  assert.deepEqual(
    ['*', '"', '\\', '\t', 'é', '\u{1f600}'].map(formatCharacter),
    [
      "U+002A '*'",
      "U+0022 '\"'",
      "U+005C '\\\\'",
      'U+0009',
      "U+00E9 'é'",
      "U+1F600 '\u{1f600}'",
    ].map((text) => text.replace('\\\\', '\\')),
  );
});
