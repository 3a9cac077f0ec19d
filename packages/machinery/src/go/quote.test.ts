import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byteLength } from './byte-length.ts';
import { parseInt64 } from './parse-int.ts';
import { goQuote } from './quote.ts';

test('texts are quoted as Go quotes them', () => {
  const cases: [string, string][] = [
    ['', '""'],
    ['plain text', '"plain text"'],
    ['a"b\\c', '"a\\"b\\\\c"'],
    ['\n\t\r\u0007\b\f\v', '"\\n\\t\\r\\a\\b\\f\\v"'],
    ['\u0000\u001f\u007f', '"\\x00\\x1f\\x7f"'],
    ['é漢😀', '"é漢😀"'],
    ['\u00a0\u00ad\u200b\u2028', '"\\u00a0\\u00ad\\u200b\\u2028"'],
    ['\u{e0001}', '"\\U000e0001"'],
    ['\ud800', '"\ufffd"'],
  ];
  for (const [text, quoted] of cases) assert.equal(goQuote(text), quoted);
});

test('lengths count UTF-8 bytes', () => {
  for (const text of ['', 'abc', 'é', '漢', '😀', 'a😀é']) {
    assert.equal(byteLength(text), new TextEncoder().encode(text).length);
  }
});

test('only whole numbers of 64 bits are integers', () => {
  assert.equal(parseInt64('-9223372036854775808'), -(2n ** 63n));
  assert.equal(parseInt64('+007'), 7n);
  for (const text of ['', '-', '1.0', '0x1', ' 1', '9223372036854775808']) {
    assert.equal(parseInt64(text), undefined, text);
  }
});
