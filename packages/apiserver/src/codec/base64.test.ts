import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeBase64 } from './base64.ts';

test('standard base64 is decoded, line breaks skipped, loose bits ignored', () => {
  assert.deepEqual(decodeBase64('aGVsbG8='), Buffer.from('hello'));
  assert.deepEqual(decodeBase64('aG\r\nVs\nbG8=\n'), Buffer.from('hello'));
  assert.deepEqual(decodeBase64('Zh=='), Buffer.from('f'));
  assert.deepEqual(decodeBase64(''), Buffer.alloc(0));
});

test('an error names the offset that Go names', () => {
  const cases: [string, number][] = [
    ['!', 0],
    ['a', 0],
    ['ab', 0],
    ['abc', 0],
    ['abcde', 4],
    ['ab=', 3],
    ['ab=c', 2],
    ['a===', 1],
    ['=', 0],
    ['aa==a', 4],
    ['ab-_', 2],
    ['YWJj ZGVm', 4],
  ];
  for (const [text, offset] of cases) assert.equal(decodeBase64(text), offset, text);
});
