import assert from 'node:assert/strict';
import { test } from 'node:test';
import { warningHeaders } from './warning-headers.ts';

test('each warning is sent once, quoted, in UTF-8', () => {
  assert.deepEqual(warningHeaders(['a "b" \\', 'a "b" \\', 'größe']), [
    '299 - "a \\"b\\" \\\\"',
    `299 - "${Buffer.from('größe').toString('latin1')}"`,
  ]);
});

test('warnings no header can carry are dropped', () => {
  assert.deepEqual(warningHeaders(['', 'line\nbreak', '\u0085', '\ud800', 'fine']), [
    '299 - "fine"',
  ]);
});

test('too many or too long ones are cut as upstream cuts them', () => {
  const many = Array.from({ length: 100 }, (_, index) => `${index} ${'é'.repeat(300)}`);

  const headers = warningHeaders(many);

  assert.equal(headers.length, 16);
  assert.ok(headers.every((header) => Buffer.from(header, 'latin1').toString().length === 264));
  assert.deepEqual(
    warningHeaders(['x'.repeat(1_000_000)]).map(({ length }) => length),
    [264],
  );
});
