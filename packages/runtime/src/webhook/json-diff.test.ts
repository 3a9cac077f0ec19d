import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deepCopy, jsonPatch } from '@flotilla/machinery';
import { anyJson, type Seeded, seeded } from '@flotilla/machinery/testing';
import { jsonDiff } from './json-diff.ts';

describe('jsonDiff', () => {
  for (const [title, from, to, patch] of [
    ['says nothing of what is the same', { a: [1, { b: null }] }, { a: [1, { b: null }] }, []],
    [
      'adds, removes and replaces fields',
      { a: 1, b: 2, c: { d: 3 } },
      { a: 1, c: { d: 4 }, e: 5 },
      [
        { op: 'remove', path: '/b' },
        { op: 'replace', path: '/c/d', value: 4 },
        { op: 'add', path: '/e', value: 5 },
      ],
    ],
    [
      'escapes names',
      { 'a/b': 1 },
      { 'a/b': 2, 'c~d': 3 },
      [
        { op: 'replace', path: '/a~1b', value: 2 },
        { op: 'add', path: '/c~0d', value: 3 },
      ],
    ],
    ['inserts into lists', [1, 2, 3], [1, 9, 2, 3], [{ op: 'add', path: '/1', value: 9 }]],
    [
      'removes from lists, the last first',
      [1, 2, 3, 4],
      [1, 4],
      [
        { op: 'remove', path: '/2' },
        { op: 'remove', path: '/1' },
      ],
    ],
    [
      'tells null, empty and absent apart',
      { a: null, b: {}, c: [] },
      { a: {}, b: [], d: null },
      [
        { op: 'replace', path: '/a', value: {} },
        { op: 'replace', path: '/b', value: [] },
        { op: 'remove', path: '/c' },
        { op: 'add', path: '/d', value: null },
      ],
    ],
    [
      'takes undefined for absent',
      { a: undefined, b: 1 },
      { a: 1, b: undefined },
      [
        { op: 'remove', path: '/b' },
        { op: 'add', path: '/a', value: 1 },
      ],
    ],
    ['replaces the whole', 1, { a: 1 }, [{ op: 'replace', path: '', value: { a: 1 } }]],
  ] as const) {
    test(title, () => assert.deepEqual(jsonDiff(from, to), patch));
  }

  test('makes the one of the other, whatever they are', () => {
    const random = seeded(5);
    for (let round = 0; round < 2_000; round += 1) {
      const from = { root: anyJson(random, 4) };
      const to = { root: random.below(2) === 0 ? anyJson(random, 4) : changed(from.root, random) };

      assert.deepEqual(jsonPatch(deepCopy(from), jsonDiff(from, to)), to);
    }
  });
});

function changed(value: unknown, random: Seeded): unknown {
  const isRare = () => random.below(5) === 0;
  if (isRare()) return anyJson(random, 2);
  if (Array.isArray(value)) {
    return value.flatMap((item) => {
      if (isRare()) return [];
      return isRare() ? [item, anyJson(random, 1)] : [changed(item, random)];
    });
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) =>
      isRare() ? [] : [[name, changed(item, random)]],
    ),
  );
}
