import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeded } from '@flotilla/machinery/testing';
import { unifiedDiff } from './unified-diff.ts';

const NAMES = { from: 'a', to: 'b' };
const text = (...lines: (string | number)[]) => lines.map((line) => `${line}\n`).join('');

test('texts that are equal have no diff', () => {
  assert.equal(unifiedDiff(text('x'), text('x'), NAMES), '');
});

test('a change is shown among three lines before and behind', () => {
  const before = text(1, 2, 3, 4, 5, 6, 7, 8, 9);
  const after = text(1, 2, 3, 4, 'five', 6, 7, 8, 9);
  assert.equal(
    unifiedDiff(before, after, NAMES),
    text('--- a', '+++ b', '@@ -2,7 +2,7 @@', ' 2', ' 3', ' 4', '-5', '+five', ' 6', ' 7', ' 8'),
  );
});

test('changes that are far from each other are hunks of their own', () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
  const diff = unifiedDiff(text(...lines), text('first', ...lines, 'last'), NAMES);
  assert.deepEqual(diff.match(/^@@.*/gm), ['@@ -1,3 +1,4 @@', '@@ -28,3 +29,4 @@']);
});

test('all of a text may come or go, and a last line may have no end', () => {
  assert.equal(unifiedDiff('', text('x'), NAMES), text('--- a', '+++ b', '@@ -0,0 +1 @@', '+x'));
  assert.equal(
    unifiedDiff(text('x', 'y'), '', NAMES),
    text('--- a', '+++ b', '@@ -1,2 +0,0 @@', '-x', '-y'),
  );
  assert.equal(
    unifiedDiff('x', 'x\n', NAMES),
    text('--- a', '+++ b', '@@ -1 +1 @@', '-x', '\\ No newline at end of file', '+x'),
  );
});

test('whatever the texts are, the diff makes one of the other', () => {
  const { below } = seeded(11);
  for (let round = 0; round < 500; round += 1) {
    const letters = 1 + below(8);
    const line = () => `line ${below(letters)}`;
    const before = Array.from({ length: below(50) }, line);
    const after = before.flatMap((each) =>
      below(4) > 0 ? [each] : below(2) > 0 ? [line(), each] : [],
    );
    const diff = unifiedDiff(text(...before), text(...after), NAMES);
    assert.deepEqual(patched(before, diff), after);
  }
});

test('large texts that have nothing in common are compared in no time', () => {
  const many = (word: string) =>
    text(...Array.from({ length: 20_000 }, (_, at) => `${word} ${at}`));
  const shuffled = text(...Array.from({ length: 20_000 }, (_, at) => `x ${(at * 7_919) % 20_000}`));
  assert.equal(unifiedDiff(many('x'), many('y'), NAMES).split('\n').length, 40_004);
  const lines = many('x').split('\n').slice(0, -1);
  assert.equal(text(...patched(lines, unifiedDiff(many('x'), shuffled, NAMES))), shuffled);
});

/** What `patch` makes of lines; fails where the diff says something else of them. */
function patched(lines: readonly string[], diff: string): string[] {
  const result: string[] = [];
  let at = 0;
  for (const line of diff.split('\n').slice(2, -1)) {
    const [, start = '', count = '1'] = /^@@ -(\d+)(?:,(\d+))? /.exec(line) ?? [];
    if (start !== '') {
      const next = Number(start) - (count === '0' ? 0 : 1);
      result.push(...lines.slice(at, next));
      at = next;
    } else if (line.startsWith('+')) {
      result.push(line.slice(1));
    } else {
      assert.equal(line.slice(1), lines[at]);
      if (line.startsWith(' ')) result.push(line.slice(1));
      at += 1;
    }
  }
  return [...result, ...lines.slice(at)];
}
