import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transformSync } from 'esbuild';
import { addCoverage, type LineCounts } from './line-counts.ts';

const SOURCE = `export function sign(value: number): string {
  if (value < 0) {
    return 'negative';
  }
  return 'other';
}
`;
const { code, map } = transformSync(SOURCE, {
  loader: 'ts',
  sourcemap: 'external',
  sourcefile: 'sign.ts',
});
const cached = { lineLengths: code.split('\n').map((line) => line.length), data: JSON.parse(map) };
const whole = { startOffset: 0, endOffset: code.length, count: 1 };
const branch = {
  startOffset: code.indexOf('{\n    return') + 1,
  endOffset: code.indexOf('  return "other"'),
  count: 0,
};

test('a line ran when its code did, in any of the runs', () => {
  const counts: LineCounts = new Map();
  addCoverage(counts, { url: '', functions: [{ ranges: [whole, branch] }] }, cached);
  assert.deepEqual(lines(counts), { 1: true, 2: true, 3: false, 5: true });

  addCoverage(counts, { url: '', functions: [{ ranges: [whole] }] }, cached);
  assert.deepEqual(lines(counts), { 1: true, 2: true, 3: true, 5: true });
});

test('a script without a source map says nothing', () => {
  const counts: LineCounts = new Map();
  addCoverage(counts, { url: '', functions: [] }, { lineLengths: [], data: null });
  assert.equal(counts.size, 0);
});

/** Those with a statement on them. */
function lines(counts: LineCounts): Record<number, boolean | undefined> {
  const [file] = counts.values();
  return Object.fromEntries([1, 2, 3, 5].map((line) => [line, file?.get(line - 1)]));
}
