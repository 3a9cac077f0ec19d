import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ABSENT, compareTranscripts, compareValues } from './compare.ts';
import { compareText } from './compare-text.ts';

test('the order of keys does not count, absence and null differ', () => {
  assert.deepEqual(compareValues({ a: 1, b: 2 }, { b: 2, a: 1 }), []);
  assert.deepEqual(compareValues({ a: null }, {}), [{ path: ['a'], wanted: null, got: ABSENT }]);
});

test('a missing item of a named list is one difference', () => {
  const [x, y, z] = ['x', 'y', 'z'].map((name) => ({ metadata: { name }, spec: name }));
  assert.deepEqual(compareValues([x, y, z], [x, z]), [{ path: ['y'], wanted: y, got: ABSENT }]);
});

test('named lists in another order differ in their order only', () => {
  const differences = compareValues([{ name: 'a' }, { name: 'b' }], [{ name: 'b' }, { name: 'a' }]);
  assert.deepEqual(
    differences.map(({ path }) => path),
    [['<order>']],
  );
});

test('an answer with another code is one difference that quotes both messages', () => {
  const step = (code: number, body: unknown) => ({ request: 'GET /', answer: { code, body } });
  const differences = compareTranscripts(
    { id: 'c', surprises: [], steps: [step(404, { message: 'not found' })] },
    { id: 'c', surprises: [], steps: [step(200, { kind: 'Pod', spec: {} })] },
  );
  assert.deepEqual(differences, [
    { caseId: 'c', step: 'GET /', path: ['1', 'code'], wanted: '404 not found', got: '200' },
  ]);
});

test('steps inside a watch are numbered below it', () => {
  const watch = (kind: string) => ({
    request: 'WATCH /',
    answer: { code: 200, events: [] },
    during: [{ request: 'POST /', answer: { code: 201, body: { kind } } }],
  });
  const differences = compareTranscripts(
    { id: 'c', surprises: [], steps: [watch('A')] },
    { id: 'c', surprises: [], steps: [watch('B')] },
  );
  assert.deepEqual(differences[0]?.path, ['1', '1', 'body', 'kind']);
});

test('texts differ by runs of lines, named by their first', () => {
  assert.deepEqual(compareText('a\nb\nc\nd', 'a\nx\nc\nd\ne', ['1', 'stdout']), [
    { path: ['1', 'stdout', 'b'], wanted: 'b', got: 'x' },
    { path: ['1', 'stdout', 'e'], wanted: '', got: 'e' },
  ]);
});
