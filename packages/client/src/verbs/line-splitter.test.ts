import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeded } from '@flotilla/machinery/testing';
import { lineSplitter } from './line-splitter.ts';

test('lines are the same wherever chunks end', () => {
  const random = seeded(7);
  const text = 'a\n\nzwölf\n{"x":1}\nlast without an end';
  const bytes = Buffer.from(text);
  for (let round = 0; round < 500; round++) {
    const splitter = lineSplitter(100);
    const lines: Buffer[] = [];
    for (let start = 0; start < bytes.length; ) {
      const end = start + random.below(9);
      lines.push(...splitter.push(bytes.subarray(start, end)));
      start = end;
    }
    lines.push(splitter.rest());

    assert.deepEqual(lines.map(String), text.split('\n'));
  }
});

test('a line that is too long is refused before its end is there', () => {
  const splitter = lineSplitter(10);
  splitter.push(Buffer.from('0123456789'));

  assert.throws(() => splitter.push(Buffer.from('x')), { fault: 'too-large' });
  assert.throws(() => lineSplitter(3).push(Buffer.from('1234\n')), { fault: 'too-large' });
});
