import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sortBy, sortLeniently } from './sort-by.ts';
import { isMetadataPath, parseSortPath, sortKeyOf } from './sort-key.ts';

const path = parseSortPath('.v');

function sorted(...values: unknown[]): unknown[] {
  return sortBy(
    values.map((v) => ({ v })),
    (object) => sortKeyOf(object, path),
    path,
  ).map(({ v }) => v);
}

describe('objects are sorted', () => {
  test('by numbers, texts and quantities', () => {
    assert.deepEqual(sorted(10, 9, 2n ** 60n, 1.5), [1.5, 9, 10, 2n ** 60n]);
    assert.deepEqual(sorted('b', 'a', 'B'), ['B', 'a', 'b']);
    assert.deepEqual(sorted('10', '9'), ['9', '10']);
    assert.deepEqual(sorted('1Gi', '500Mi', '2', '100m'), ['100m', '2', '500Mi', '1Gi']);
    assert.deepEqual(
      sorted('2024-02-01T00:00:00Z', '2024-01-01T00:00:00Z').at(-1),
      '2024-02-01T00:00:00Z',
    );
  });

  test('with those first that have no such field, and ties as they were', () => {
    assert.deepEqual(sorted('b', undefined, 'a', null), [undefined, null, 'a', 'b']);
    const objects = [
      { v: 1, n: 'x' },
      { v: 1, n: 'y' },
      { v: 0, n: 'z' },
    ];
    const order = sortBy(objects, (object) => sortKeyOf(object, path), path);
    assert.deepEqual(order.map(({ n }) => n).join(''), 'zxy');
  });
});

describe('what cannot be sorted', () => {
  test('is told in words', () => {
    assert.throws(() => sorted(undefined, undefined), {
      name: 'UsageError',
      message: `couldn't find any field with path "{.v}" in the list of objects`,
    });
    assert.throws(() => sorted({}, {}), /unsortable type: map\[string\]interface \{\}/);
    assert.throws(() => sorted(true, false), /unsortable type: bool/);
    assert.throws(() => sorted(1, 'a'), /unsortable type: it is a number in one object/);
    assert.throws(() => parseSortPath('{.a'), { message: 'sorting error: unclosed action' });
    assert.deepEqual(sorted(), []);
  });

  test('stays where it is in documents that must be whole', () => {
    const lenient = (...values: unknown[]) =>
      sortLeniently(
        values.map((v) => ({ v })),
        (object) => sortKeyOf(object, path),
      ).map(({ v }) => v);

    assert.deepEqual(lenient(true, false), [true, false]);
    assert.deepEqual(lenient(2, 'a', 1), [2, 'a', 1]);
    assert.deepEqual(lenient(2, undefined, 1), [undefined, 1, 2]);
    assert.deepEqual(lenient(undefined), [undefined]);
  });
});

test('a path into metadata needs nothing else of an object', () => {
  for (const [text, isMetadata] of [
    ['.metadata.name', true],
    ['{metadata.labels.app}', true],
    ['.spec.nodeName', false],
    ['.metadataX', false],
    ['..name', false],
  ] as const) {
    assert.equal(isMetadataPath(parseSortPath(text)), isMetadata, text);
  }
});

test('an index beyond a list leads nowhere', () => {
  assert.deepEqual(sortKeyOf({ l: [1] }, parseSortPath('.l[5]')), { kind: 'missing' });
  assert.deepEqual(sortKeyOf(undefined, path), { kind: 'missing' });
});
