import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goJsonObjectProblem } from './go-json-problem.ts';

test('objects and null are fine', () => {
  for (const text of ['{}', ' {"a":[1,-2.5e+3,true,false,null,"\\u00e9\\n"]} ', 'null']) {
    assert.equal(goJsonObjectProblem(text), undefined, text);
  }
});

const problems: readonly (readonly [string, string])[] = [
  ['', 'unexpected end of JSON input'],
  ['{', 'unexpected end of JSON input'],
  ['{"a', 'unexpected end of JSON input'],
  ['[]', 'json: cannot unmarshal array into Go value of type map[string]interface {}'],
  ['"a"', 'json: cannot unmarshal string into Go value of type map[string]interface {}'],
  ['1', 'json: cannot unmarshal number into Go value of type map[string]interface {}'],
  ['true', 'json: cannot unmarshal bool into Go value of type map[string]interface {}'],
  ['x', "invalid character 'x' looking for beginning of value"],
  ["'", "invalid character '\\'' looking for beginning of value"],
  ['{"a":}', "invalid character '}' looking for beginning of value"],
  ['{a', "invalid character 'a' looking for beginning of object key string"],
  ['{"a"}', "invalid character '}' after object key"],
  ['{"a":1 "b"', "invalid character '\"' after object key:value pair"],
  ['[1 2]', "invalid character '2' after array element"],
  ['{} x', "invalid character 'x' after top-level value"],
  ['nul', "invalid character ' ' in literal null (expecting 'l')"],
  ['tru1', "invalid character '1' in literal true (expecting 'e')"],
  ['"\u0001"', "invalid character '\\x01' in string literal"],
  ['{"a":"\\x"}', "invalid character 'x' in string escape code"],
  ['{"a":"\\u00g"}', "invalid character 'g' in \\u hexadecimal character escape"],
  ['{"a":-}', "invalid character '}' in numeric literal"],
  ['{"a":1.}', "invalid character '}' after decimal point in numeric literal"],
  ['{"a":1ez}', "invalid character 'z' in exponent of numeric literal"],
];

test('everything else is refused as Go refuses it', () => {
  for (const [text, problem] of problems) assert.equal(goJsonObjectProblem(text), problem, text);
});

test('nesting beyond what Go accepts is refused without using up the stack', () => {
  assert.equal(
    goJsonObjectProblem('['.repeat(1_000_000)),
    "invalid character '[' exceeded max depth",
  );
});
