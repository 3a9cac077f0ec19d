import assert from 'node:assert/strict';
import { test } from 'node:test';
import { yamlLines } from './yaml-lines.ts';

const SOURCE = `# a comment
a:
  b: 1
  # another

  c:
  - x
  - y: 2
    z: &anchor {k: v}
d: *anchor
"e.f": 3
`;

test('keys and items are found where they begin', () => {
  const lineOf = yamlLines(SOURCE);
  assert.equal(lineOf(['a']), 2);
  assert.equal(lineOf(['a', 'b']), 3);
  assert.equal(lineOf(['a', 'c']), 6);
  assert.equal(lineOf(['a', 'c', 0]), 7);
  assert.equal(lineOf(['a', 'c', 1, 'z']), 9);
  assert.equal(lineOf(['d']), 10);
  assert.equal(lineOf(['d', 'k']), 9);
  assert.equal(lineOf(['e.f']), 11);
});

test('what does not exist is where the part of it that exists is', () => {
  const lineOf = yamlLines(SOURCE);
  assert.equal(lineOf(['a', 'nothing']), 2);
  assert.equal(lineOf(['a', 'c', 7]), 6);
  assert.equal(lineOf(['a', 'b', 'deeper']), 3);
  assert.equal(yamlLines('')(['a']), 1);
});

test('the last of two equal keys counts, as it does for the value', () => {
  assert.equal(yamlLines('a: 1\nb: 2\na: 3\n')(['a']), 3);
});

test('JSON has lines, too', () => {
  assert.equal(yamlLines('{\n "a": {\n  "b": [1,\n 2]}}')(['a', 'b', 1]), 4);
});

test('lines that stand too far to the left for the parser are counted as they are', () => {
  const lineOf = yamlLines('a:\n  b: {\n"c": "x\ny",\nd: 1\n}\ne: 2\n');
  assert.equal(lineOf(['a', 'b', 'd']), 5);
  assert.equal(lineOf(['e']), 7);
});
