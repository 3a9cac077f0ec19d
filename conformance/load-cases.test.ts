import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadCases, parseCases } from './load-cases.ts';

test('a case is a title and steps named by their verb', () => {
  const [each] = parseCases(
    'one:\n  title: it works\n  steps:\n    - GET: /api\n      is: 200\n',
    'topic',
  );
  assert.deepEqual(each, {
    id: 'one',
    topic: 'topic',
    title: 'it works',
    steps: [{ verb: 'GET', path: '/api', is: 200 }],
  });
});

test('a misspelt key is refused', () => {
  const text = 'one:\n  title: it\n  steps:\n    - GET: /api\n      bodi: {}\n';
  assert.throws(() => parseCases(text, 'topic'), /unknown key "bodi"/);
});

test('the cases of the tree load, and there are at least 150', () => {
  assert.ok(loadCases(join(FLOTILLA_ROOT, 'conformance', 'cases')).length >= 150);
});
