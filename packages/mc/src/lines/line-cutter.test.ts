import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LineCutter } from './line-cutter.ts';

function cut(chunks: readonly (string | Buffer)[], mostBytes?: number): string[] {
  const cutter = new LineCutter(mostBytes);
  const pieces = chunks.flatMap((chunk) => cutter.push(Buffer.from(chunk)));
  const rest = cutter.rest();
  return [...pieces, ...(rest === undefined ? [] : [rest])].map(
    ({ bytes, isStart, isEnd }) => `${isStart ? '<' : '-'}${String(bytes)}${isEnd ? '>' : '-'}`,
  );
}

test('lines are whole wherever chunks end', () => {
  const text = 'one\n\ntwo ⛵\nthree\n';
  const bytes = Buffer.from(text);
  for (let at = 0; at <= bytes.length; at += 1) {
    const pieces = cut([bytes.subarray(0, at), bytes.subarray(at)]);
    assert.deepEqual(pieces, ['<one>', '<>', '<two ⛵>', '<three>']);
  }
  assert.deepEqual(cut([...bytes].map((byte) => Buffer.of(byte))), cut([bytes]));
});

test('what follows the last newline is a line without an end', () => {
  assert.deepEqual(cut(['one\nrest']), ['<one>', '<rest-']);
  assert.deepEqual(cut([]), []);
  assert.deepEqual(cut(['\r\n']), ['<\r>']);
});

test('a line that is very long comes in pieces, none of which cuts a character', () => {
  assert.deepEqual(cut(['12345', '6789\nnext\n'], 4), ['<12345-', '-6789>', '<next>']);
  const boat = Buffer.from('ab⛵cd\n');
  // Two of the three bytes of the boat are there when there is too much to hold.
  assert.deepEqual(cut([boat.subarray(0, 4), boat.subarray(4)], 3), ['<ab-', '-⛵cd>']);
  assert.deepEqual(cut(['12345', '6789', 'x'], 4), ['<12345-', '-6789x-']);
});

test('bytes that are no text stay as they are', () => {
  const cutter = new LineCutter(4);
  const bytes = Buffer.from([0xff, 0xfe, 0x80, 0x80, 0x80, 0x0a, 0xc3, 0x0a]);
  const [first, second] = cutter.push(bytes);
  assert.deepEqual(first?.bytes, bytes.subarray(0, 5));
  assert.deepEqual(second?.bytes, bytes.subarray(6, 7));
});
