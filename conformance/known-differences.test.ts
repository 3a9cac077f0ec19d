import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { judge, parseKnownDifferences } from './known-differences.ts';

const difference = (caseId: string, path: string[]) => ({
  caseId,
  step: 'GET /',
  path,
  wanted: 1,
  got: 2,
});

const known = parseKnownDifferences(`
| case | where | reason |
| --- | --- | --- |
| \`table-*\` | \`2.body.rows.*.object\` | why \\| so |
| \`gone\` | \`1\` | no longer |
`);

test('a row explains the differences at and below its path', () => {
  const at = difference('table-get', ['2', 'body', 'rows', '0', 'object']);
  const below = difference('table-get', ['2', 'body', 'rows', '1', 'object', 'kind']);
  const beside = difference('table-get', ['2', 'body', 'rows', '0', 'cells']);
  const other = difference('list', ['2', 'body', 'rows', '0', 'object']);
  const { explained, unexplained } = judge([at, below, beside, other], known);
  assert.deepEqual(explained, [at, below]);
  assert.deepEqual(unexplained, [beside, other]);
  assert.equal(known[0]?.reason, 'why | so');
});

test('a row that explains nothing is stale', () => {
  const { stale } = judge([difference('table-get', ['2', 'body', 'rows', '0', 'object'])], known);
  assert.deepEqual(
    stale.map(({ caseId }) => caseId),
    ['gone'],
  );
});

test('a row without a reason is refused', () => {
  assert.throws(() => parseKnownDifferences('| `a` | `b` |  |'), /three cells/);
});

test('the differences files of the tree can be read', () => {
  for (const file of ['conformance/differences.md', 'e2e/kubectl/differences.md']) {
    parseKnownDifferences(readFileSync(join(FLOTILLA_ROOT, file), 'utf8'));
  }
});
